"""Read the live data, or all data, of a database."""

from campus_api.db.connection import read_dataset


def live_data(database, dataset):
    """Return the live documents of a data set by collection, or None before the first load."""
    document = read_dataset(database, dataset)
    if document is None:
        return None
    return {name: all_documents(database[stored]) for name, stored in document["collections"].items()}


def live_collection(database, name):
    """Return the live collection of this name, such as "menus"."""
    document = read_dataset(database, "buildings" if name == "buildings" else "dining")
    return database[document["collections"][name]]


def reverse(collection):
    """Store documents in the reverse order of their IDs, at once: the service may read them at any time."""
    collection.aggregate([{"$sort": {"_id": -1}}, {"$out": collection.name}])


def live_buildings(database):
    return live_data(database, "buildings")["buildings"]


def all_data(database):
    """Return the documents of all collections except the history."""
    names = sorted(set(database.list_collection_names()) - {"loads"})
    return {name: all_documents(database[name]) for name in names}


def all_documents(collection):
    return list(collection.find(sort=[("_id", 1)]))
