"""Categories, locations and recipes as MongoDB documents; recipes with what they are made of."""

import marshal
from collections.abc import Iterator, Mapping
from typing import Any

from campus_api.domain.models import Facts, Label, Nutrient, Nutrients
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
            document["facts"] = facts_document(self._facts[id_])
            document["digest"] = compute_digest(_FORMAT, marshal.dumps(document, MARSHAL_VERSION))
        return document

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def keep_facts(self, live: Document) -> None:
        """Add the facts of a live recipe, unless the export has others."""
        if "facts" in live:
            self._facts.setdefault(live["_id"], facts_from_document(live["facts"]))


def facts_document(facts: Facts) -> Document:
    """Return facts as they are stored."""
    nutrients = {name: nutrient and nutrient._asdict() for name, nutrient in facts.nutrients._asdict().items()}
    return {
        "serving_size": facts.serving_size,
        "calories": facts.calories,
        "calories_from_fat": facts.calories_from_fat,
        "nutrients": nutrients,
        "ingredients": facts.ingredients,
        "allergens": facts.allergens and list(facts.allergens),
        "labels": facts.labels and [label._asdict() for label in facts.labels],
        "as_of": facts.as_of,
    }


def facts_from_document(document: Mapping[str, Any]) -> Facts:
    """Return the facts of a document."""
    nutrients = {name: nutrient and Nutrient(**nutrient) for name, nutrient in document["nutrients"].items()}
    return Facts(
        serving_size=document["serving_size"],
        calories=document["calories"],
        calories_from_fat=document["calories_from_fat"],
        nutrients=Nutrients(**nutrients),
        ingredients=document["ingredients"],
        allergens=document["allergens"] and tuple(document["allergens"]),
        labels=document["labels"] and tuple(Label(**label) for label in document["labels"]),
        as_of=document["as_of"],
    )
