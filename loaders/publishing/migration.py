"""Bring the history of a database of layout 1 (earlier versions) into the current form.

The data itself is migrated by the next load of each data set, which publishes it in the current layout.
"""

from pymongo.database import Database

from campus_api.db.connection import LOAD_CHANGES, LOADS
from loaders.publishing.publish import try_rename

_OLD_LOADS, _OLD_CHANGES = "imports", "changes"
# Copies for repairs, and locks.
_OBSOLETE = ("replaced", "locks")
_CHANGE_FIELDS = {"action": "what", "id": "id", "name": "name", "fields": "fields"}
_MEAL_FIELDS = {name: name for name in ("date", "location", "name", "meal", "before", "after")}


def migrate(database: Database) -> None:
    """Rename collections and fields of the history, and drop what only loads of layout 1 used; idempotent."""
    names = set(database.list_collection_names())
    if _OLD_CHANGES in names:
        _rename_fields(database, "changes", _CHANGE_FIELDS, was="what")
        _rename_fields(database, "meals", {**_MEAL_FIELDS, "removed": "gone", "added": "new"}, was="gone")
        _refer_to_loads(database)
        try_rename(database[_OLD_CHANGES], LOAD_CHANGES)
    if _OLD_LOADS in names:
        database[_OLD_LOADS].update_many({}, {"$rename": {"undoes": "reverts", "bad_records": "errors"}})
        try_rename(database[_OLD_LOADS], LOADS)
    for name in names.intersection(_OBSOLETE):
        database.drop_collection(name)


def _rename_fields(database: Database, array: str, fields: dict[str, str], was: str) -> None:
    """Rename the fields of the items of an array that still have the field `was`."""
    items = {"$map": {"input": f"${array}", "in": {new: f"$$this.{old}" for new, old in fields.items()}}}
    database[_OLD_CHANGES].update_many({f"{array}.{was}": {"$exists": True}}, [{"$set": {array: items}}])


def _refer_to_loads(database: Database) -> None:
    for entry in database[_OLD_LOADS].find({"state": {"$in": ["published", "undone"]}}):
        made = {"dataset": entry["dataset"], "revision": entry["revision"]}
        database[_OLD_CHANGES].update_many(made, {"$set": {"load": entry["_id"]}})
