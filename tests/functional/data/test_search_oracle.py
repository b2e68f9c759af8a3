"""Building search compared with a brute-force implementation of the specification."""

from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from campus_api.domain.text import fold
from tests.factories import building

LONG = "Observatory of the Long Name " * 12
NAMES = [
    None,
    "Widener Library",
    "Widener  Library Annex",
    "Wigglesworth",
    "St. Café-Müller (Old) #2",
    " leading and trailing ",
    "a|b a\0b 図書館 x y z",
    "ΣΊΣΥΦΟΣ Straße",
    "W" * 80,
    LONG,
]
ADDRESSES = ["1 Oak Street", "12 Oak Street", "Harvard Yard", "a b c"]
BUILDINGS = {
    number: (name, ADDRESSES[(number + shift) % len(ADDRESSES)])
    for number, (name, shift) in enumerate((name, shift) for shift in range(2) for name in NAMES)
}
parts = st.sampled_from([text for text in (*NAMES, *ADDRESSES) if text]).flatmap(
    lambda text: st.tuples(st.integers(0, len(text)), st.sampled_from([1, 2, 3, 4, 5, 9, 33, 40, 256])).map(
        lambda cut: text[cut[0] : sum(cut)]
    )
)
letters = st.text("aeilorst WÉ.|\0", max_size=5)
special = st.sampled_from(["", "\u0301", "   ", "\udcff", "a" * 257, LONG[:257], "zzz", "zzz oak"])
texts = st.lists(parts | parts | parts | letters | special, max_size=3)


@pytest.fixture
def app(service):
    service.serve_buildings(*(building(id_, name=name, address=address) for id_, (name, address) in BUILDINGS.items()))
    return service.app


def is_ignored(text):
    return len(text) <= 256 and not fold(text)


def matches(value, alternatives):
    texts = [text for text in alternatives if not is_ignored(text)]
    searchable = [fold(text) for text in texts if len(text) <= 256 and "\udcff" not in text]
    return not texts or any(text in fold(value or "") for text in searchable)


@given(name=texts, address=texts)
@example(name=["  Library"], address=[])
@example(name=["r  Library"], address=["1 Oak", "a b c"])
@example(name=["wigglesworth", "", "a" * 257, "\udcff"], address=["yard"])
@example(name=["St. Cafe-Muller (old"], address=["\u0301"])
@example(name=[".*"], address=[])
def test_a_search_matches_the_specification(app, name, address):
    expected = [id_ for id_, (its, at) in BUILDINGS.items() if matches(its, name) and matches(at, address)]
    query = urlencode({"name": name, "address": address}, doseq=True, errors="surrogateescape")

    response = app.get(f"/map/buildings?{query}")

    assert [item["id"] for item in response.json] == sorted(expected)
