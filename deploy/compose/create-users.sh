# Creates the accounts of the service and of the loads; the image of MongoDB runs it at its first start.
mongosh --quiet --username root --password "$(cat /run/secrets/mongo_root_password)" admin <<'SCRIPT'
const fs = require("fs");
const users = { reader: "read", loader: "readWrite" };
for (const [name, role] of Object.entries(users)) {
  const pwd = fs.readFileSync(`/run/secrets/mongo_${name}_password`, "utf8").trim();
  db.getSiblingDB("campus").createUser({ user: name, pwd, roles: [role] });
}
SCRIPT
