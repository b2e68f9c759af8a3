"""Categories, locations and recipes as MongoDB documents; recipes with what they are made of."""

import marshal
from collections.abc import Iterator, Mapping

from campus_api.domain.models import Facts, decode_facts, encode_facts
from loaders.documents.encode import MARSHAL_VERSION, Document, compute_digest

# Change this when the same recipe becomes another document than before.
_FORMAT = "recipe 1"


class EntityDocuments(Mapping[int, Document]):
    """The documents of categories, locations or recipes by id, created on access: facts take less memory."""

    def __init__(self, names: Mapping[int, str], facts: Mapping[int, Facts]) -> None:
        self._names = dict(sorted(names.items()))
        self._facts = dict(facts)

    def __getitem__(self, id_: int) -> Document:
        document: Document = {"_id": id_, "name": self._names[id_]}
        if id_ in self._facts:
            document["facts"] = encode_facts(self._facts[id_])
            document["digest"] = compute_digest(_FORMAT, marshal.dumps(document, MARSHAL_VERSION))
        return document

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def keep_facts(self, live: Document) -> None:
        """Add the facts of a live recipe, unless the export has others."""
        if "facts" in live:
            self._facts.setdefault(live["_id"], decode_facts(live["facts"]))
