"""The allergens that live recipes of each provider list, which are evidence that it lists them."""

from collections.abc import Mapping, Sequence
from datetime import date

from campus_api.domain.models import DatasetRecord, ListedAllergen


def listed_words(record: DatasetRecord | None, today: date) -> dict[str, set[str]]:
    """Return the words that recipes served from today on list, by provider."""
    words: dict[str, set[str]] = {}
    for each in record.get("listed", ()) if record else ():
        if each["until"] >= today.isoformat():
            words.setdefault(each["provider"], set()).add(each["word"])
    return words


def merge(
    record: DatasetRecord | None, loaded: Mapping[str, Mapping[str, str]], today: date
) -> Sequence[ListedAllergen]:
    """Return the words that live and loaded recipes list, with the last date of each, from today on."""
    live = {(each["provider"], each["word"]): each["until"] for each in (record.get("listed", ()) if record else ())}
    new = {(provider, word): until for provider, words in loaded.items() for word, until in words.items()}
    last = {key: max(live.get(key, ""), new.get(key, "")) for key in sorted(live.keys() | new.keys())}
    return [
        {"provider": provider, "word": word, "until": until}
        for (provider, word), until in last.items()
        if until >= today.isoformat()
    ]
