// Creates the accounts of the service and of the loads; the image of MongoDB runs it at its first start, as root.
const fs = require("fs");
const users = { reader: "read", loader: "readWrite" };
for (const [user, role] of Object.entries(users)) {
  const pwd = fs.readFileSync(`/run/secrets/mongo_${user}_password`, "utf8").trim();
  db.getSiblingDB("campus").createUser({ user, pwd, roles: [role] });
}
