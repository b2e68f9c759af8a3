"""What a database says of itself: whether it answers, what its account may do, what is loaded. Nothing is written."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import OperationFailure, PyMongoError

from campus_api.db.connection import BUILDINGS, MENUS, DatabaseUnavailable, available, read_records

_WRITING = {"insert", "update", "remove"}


@contextmanager
def _answering() -> Iterator[None]:
    try:
        with available():
            yield
    except PyMongoError as error:
        # Such as a question that a server of another make does not know.
        raise DatabaseUnavailable(f"it refuses: {error}") from error


def server(database: Database) -> dict[str, Any]:
    """Return the version of MongoDB and how long it takes to answer; DatabaseUnavailable when it does not."""
    with _answering():
        # The first question also opens the connection and logs in.
        database.client.admin.command("ping")
        began = time.perf_counter()
        version = database.client.server_info()["version"]
    return {"version": version, "milliseconds": round((time.perf_counter() - began) * 1000, 1)}


def account(database: Database) -> dict[str, Any]:
    """Return who we are for MongoDB, None for nobody, and whether that account may write into the database."""
    with _answering():
        said = database.command("connectionStatus", showPrivileges=True)["authInfo"]
        controlled = _controls_access(database)
    users = [f"{user['user']}@{user['db']}" for user in said["authenticatedUsers"]]
    privileges = said["authenticatedUserPrivileges"]
    may_write = not controlled or any(_allows_writing(privilege, database.name) for privilege in privileges)
    return {"account": ", ".join(users) or None, "access_control": controlled, "may_write": may_write}


def _controls_access(database: Database) -> bool:
    """Tell whether MongoDB asks what an account may do: where it does not, even a reader may write."""
    try:
        security = database.client.admin.command("getCmdLineOpts").get("parsed", {}).get("security", {})
    except OperationFailure:
        return True
    return security.get("authorization") == "enabled" or "keyFile" in security or "clusterAuthMode" in security


def _allows_writing(privilege: dict[str, Any], name: str) -> bool:
    resource = privilege["resource"]
    anywhere = resource.get("anyResource") or (
        resource.get("db") in ("", name) and not resource.get("collection", "").startswith("system.")
    )
    return bool(anywhere and _WRITING.intersection(privilege["actions"]))


def datasets(database: Database, today: str) -> dict[str, dict[str, Any] | None]:
    """Return what is live of the buildings and of dining, None where nothing ever was; `today` is YYYY-MM-DD."""
    with _answering():
        live = read_records(database)
        existing = set(database.list_collection_names())
        buildings, dining = (live.get(name) and _state(live[name], existing) for name in ("buildings", "dining"))
        if buildings:
            buildings |= _buildings(database, live["buildings"]["collections"][BUILDINGS])
        if dining:
            dining |= _menus(database[live["dining"]["collections"][MENUS]], today)
        return {"buildings": buildings, "dining": dining}


def _state(live: dict[str, Any], existing: set[str]) -> dict[str, Any]:
    loaded_at = live["loaded_at"]
    age = round((datetime.now(UTC) - loaded_at).total_seconds())
    state = {"revision": live["revision"], "loaded_at": loaded_at.isoformat(timespec="seconds"), "age_seconds": age}
    return {**state, "missing": sorted(set(live["collections"].values()) - existing)}


def _buildings(database: Database, name: str) -> dict[str, Any]:
    indexes = {
        index: [field for field, _ in about["key"]] for index, about in database[name].index_information().items()
    }
    return {"collection": name, "documents": database[name].estimated_document_count(), "indexes": indexes}


def _menus(menus: Collection, today: str) -> dict[str, Any]:
    served = {"items.0": {"$exists": True}}
    last = menus.find_one(served, ["_id"], sort=[("_id", -1)])
    ahead = menus.count_documents({"_id": {"$gte": today}, **served})
    return {"last_menu": last and last["_id"], "days_ahead": ahead}
