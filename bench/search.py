"""python -m bench.search: measure the CPU time of searches over 5,000 buildings and 5,000 dishes."""

import time
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from statistics import median

from bench import report
from campus_api.domain.hours import Serving
from campus_api.domain.search.index import MAX_RESULTS, Entry, SearchIndex
from campus_api.domain.search.moment import Moment

_NUMBER = 5000
_ROUNDS = 20
_HEAD = ("search", "CPU, median", "CPU, highest")
_SYLLABLES = ("ba", "cor", "den", "fi", "gar", "ham", "jo", "ken", "lo", "mon", "ner", "pa", "ris", "sal", "ton")
_KINDS = ("Hall", "House", "Library", "Center", "Laboratory")
_FOODS = ("Chicken", "Beef", "Tofu", "Salmon", "Lasagna", "Pasta", "Rice", "Soup", "Salad", "Pancakes", "Cookies")
_STYLES = ("Grilled", "Roasted", "Fried", "Steamed", "Spicy", "Crispy", "Vegetable", "Garlic", "Maple", "Sesame")
_QUERIES = {
    "a typo": "lasanga",
    "three words with typos": "griled chiken lasagne",
    "word order": "library lodenham",
    "an address": "26 garlohall street",
    "the first letter": "l",
    "256 characters: words of two letters": " ".join(a + b for a in "abcdefgl" for b in "aeioulrnst"),
    "256 characters: words of four letters": " ".join(a + b for a in ("ba", "fi", "lo", "pa") for b in _SYLLABLES),
    "256 characters: words of six letters": " ".join(
        (a + b + "lo")[:6] for a in ("ba", "fi", "sal") for b in _SYLLABLES
    ),
    "256 ligatures of 18 letters": "\ufdfa" * 256,
}


def main() -> None:
    """Print the times as a table in Markdown."""
    random = Random(1)
    entries = [*_buildings(random), *_dishes(random)]
    index = SearchIndex(entries)
    rows = [("the index, once per load and day", *_times(lambda: SearchIndex(entries)))]
    moment = Moment("2026-11-20T12:00", "2026-11-20", frozenset(), is_named=False, hours={})
    timings = index.timings(moment)
    rows.append(("the timings, once per minute", *_times(lambda: index.timings(moment))))
    rows += [
        (name, *_times(lambda query=query[:256]: [*islice(index.search(query, timings), MAX_RESULTS)]))
        for name, query in _QUERIES.items()
    ]
    print(f"{report.environment()}\n\n{report.table(_HEAD, rows)}")


def _buildings(random: Random) -> Iterator[Entry]:
    for number in range(_NUMBER):
        name = f"{_word(random)} {_word(random)} {random.choice(_KINDS)}"
        yield Entry("building", number, name, address=f"{random.randrange(1, 400)} {_word(random)} Street")


def _dishes(random: Random) -> Iterator[Entry]:
    for number in range(_NUMBER):
        name = f"{random.choice(_STYLES)} {random.choice(_FOODS)} with {_word(random)} {random.choice(_FOODS)}"
        yield Entry("dish", number, name, servings=[Serving("2026-11-20", 1, 1)] * (number % 3))


def _word(random: Random) -> str:
    return "".join(random.choices(_SYLLABLES, k=random.randint(2, 4))).capitalize()


def _times(run: Callable[[], object]) -> tuple[str, str]:
    seconds = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return f"{median(seconds) * 1000:.1f} ms", f"{max(seconds) * 1000:.1f} ms"


if __name__ == "__main__":
    main()
