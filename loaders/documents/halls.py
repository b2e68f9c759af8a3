"""Locations as MongoDB documents, with their building and serving hours."""

from collections.abc import Mapping

from campus_api.domain.models import Hall, hall_from_document
from loaders.documents.encode import Document
from loaders.documents.entities import EntityDocuments


class LocationDocuments(EntityDocuments):
    """The documents of locations by id."""

    def __init__(self, names: Mapping[int, str], halls: Mapping[int, Hall]) -> None:
        super().__init__(names, {})
        self._halls = dict(halls)

    def __getitem__(self, id_: int) -> Document:
        """Return the document with an id."""
        return super().__getitem__(id_) | _hall_document(self._halls.get(id_, Hall()))

    def keep_facts(self, live: Document, *, is_served: bool = False) -> None:
        """Add the building and the hours of a live location, unless the profile or the export has others."""
        self._halls.setdefault(live["_id"], hall_from_document(live))


def _hall_document(hall: Hall) -> Document:
    document: Document = {}
    if hall.building is not None:
        document["building"] = hall.building
    if hall.hours:
        document["hours"] = [each._asdict() for each in hall.hours]
    return document
