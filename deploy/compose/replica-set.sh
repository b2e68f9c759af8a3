# Succeeds if this MongoDB is the primary of its replica set, which the first call initiates.
mongosh --quiet --username root --password "$(cat /run/secrets/mongo_root_password)" admin --eval '
  try { rs.status() } catch { rs.initiate({ _id: "campus", members: [{ _id: 0, host: "mongo:27017" }] }) }
  quit(db.hello().isWritablePrimary ? 0 : 1)'
