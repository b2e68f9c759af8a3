"""The search over the buildings, locations and dishes of a snapshot, indexed once per revision and date."""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from operator import itemgetter

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.hours import HoursStore
from campus_api.db.rows import EncodedFacts
from campus_api.db.snapshot import Document, Snapshot
from campus_api.domain.allergens.vocabulary import DietVocabulary, served_labels
from campus_api.domain.clock import dates
from campus_api.domain.hours import format_period, format_time, spans
from campus_api.domain.models import decode_facts, meal_name
from campus_api.domain.search.index import MAX_RESULTS, Entry, SearchIndex
from campus_api.domain.search.moment import NOW, ON_THE_DAY, Moment, Serving
from campus_api.domain.search.words import DENIALS, GAP, KINDS, NEAR, named_date, named_time, stems
from campus_api.domain.servings import USUAL, relative_day
from campus_api.domain.text import capitalize

Hours = Mapping[Serving, Sequence[tuple[str, str]]]

# Yesterday, of which a meal may end after midnight, today and two weeks.
_DAYS = 16
_DINNER = 2
_LOCATION_FIELDS = ("name", "building", "aliases")
_LABEL_FIELDS = ("facts.labels", "facts.contains", "facts.contradicts")
_BUILDING_FIELDS = ("name", "address", "code", "aliases", "tags")
# "Starch And Potatoes", "Salad Bar": a category of several kinds, which tells none of a dish.
_SEVERAL = re.compile(r"[&/,+]|\b(?:and|bar)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A building, a location or a dish that a search finds, with a line about it and its next serving."""

    type: str
    id: int
    name: str | None
    detail: str
    date: str | None = None
    meal: int | None = None
    without: Sequence[str] = ()
    url: str = ""


@dataclass(frozen=True)
class SearchStore:
    """Search over the buildings, locations and dishes of a snapshot; `facts` returns those of recipes."""

    _snapshot: Snapshot
    _hours: HoursStore
    _facts: Callable[[Collection[int]], Mapping[int, EncodedFacts]]
    _diets: Callable[[], DietVocabulary]

    def find(self, text: str, types: Collection[str], now: str) -> list[SearchRow]:
        """Return what matches a text of up to 256 characters at a time (YYYY-MM-DDTHH:MM), the best first.

        It is about the day that the text names, or else the first one on which its meal is not over. Of a text that is
        only a meal, locations come first, and of "food near a library" what is near. "Monday at 6" is in the evening.
        """
        today = now[:10]
        days = dates((date.fromisoformat(today) - timedelta(1)).isoformat(), _DAYS)
        hours = self._snapshot.memoize("search hours", lambda: self._read_hours(days), today)
        index = self._snapshot.memoize("search index", lambda: self._index(days, hours), today)
        text, allergens = self.denied(text)
        day, is_evening, text = named_date(text, today, index.names)
        time, text = named_time(text, now[11:] if day in (None, today) else "06:59")
        is_meal = day or time or is_evening or " " in text.strip()
        words = stems(text) or ({"food"} if is_meal else set())
        moment = self._moment(words | ({"evening"} if is_evening else set()), day, time, now, hours)
        meant = moment._replace(now=f"{moment.date}T{time}") if time else moment
        # By the day of the month, because of each name only the last date is memoized.
        of_moment = f"search timings {moment.date[8:]} {bool(time)} {sorted(moment.meals)}"
        timings = self._snapshot.memoize(of_moment, lambda: index.timings(meant), meant.now)
        meal = next((name for name in (*self._snapshot.meals.values(), "food") if stems(name) == words), "")
        thing = NEAR.split(text)[0]
        entries: Iterable[Entry] = index.search(meal or text, timings, types)
        if allergens:
            matching = [*index.search(f"{'' if meal else text} recipe", timings, {"dish"} & {*types})]
            entries = self._without(allergens, matching, moment)
        elif meal:
            entries = sorted(entries, key=lambda entry: entry.type != "location")
        elif set() < stems(thing) < words:
            near = {id(entry) for entry in index.search(thing, timings, types)}
            entries = sorted(entries, key=lambda entry: id(entry) not in near)
        return [self._row(entry, moment, sorted(allergens)) for entry in islice(entries, MAX_RESULTS)]

    def denied(self, text: str) -> tuple[str, set[str]]:
        """Return a text without what denies allergens, and these."""
        allergens: set[str] = set()

        def rest(denial: re.Match[str]) -> str:
            named = {word: self._diets().without.get(word) for word in re.split(GAP, denial[1] or "gluten")}
            allergens.update(*named.values())
            return " ".join(word for word in named if not named[word]) if any(named.values()) else denial[0]

        for denial in DENIALS:
            text = denial.sub(rest, text)
        return text, allergens

    def _read_hours(self, days: Sequence[str]) -> Hours:
        return {Serving(*key): times for key, times in spans(self._hours.find(days)).items()}

    def _moment(self, words: set[str], named: str | None, time: str, now: str, hours: Hours) -> Moment:
        meals = {id_ for id_, name in self._snapshot.meals.items() if set() < stems(name) <= words}
        usual = bisect(USUAL, time) - 1 if time else _DINNER
        if not meals and (time or words & {"evening", "night"}):
            meals = {id_ for id_ in self._snapshot.meals if min(id_, _DINNER) == usual}
        coming = (each.date for each in hours if (not meals or each.meal in meals) and now < hours[each][-1][1])
        return Moment(now, named or max(now[:10], next(coming, "")), frozenset(meals), bool(named or meals), hours)

    def _without(self, allergens: set[str], dishes: Sequence[Entry], moment: Moment) -> list[Entry]:
        """Return the dishes known to be without allergens, of the date and the meals of the text or else of any."""
        facts = self._facts({dish.id for dish in dishes})
        known = [dish for dish in dishes if dish.id in facts and facts[dish.id].without >= allergens]
        meant = [dish for dish in known if not moment.is_named or any(map(moment.means, dish.servings))]
        return meant or known

    def _row(self, entry: Entry, moment: Moment, without: Sequence[str]) -> SearchRow:
        if entry.type == "building":
            return SearchRow(entry.type, entry.id, entry.name, entry.address)
        is_dish = entry.type == "dish"
        soonest = moment.soonest(entry.servings)
        detail = self._serving_detail(soonest, moment) if is_dish else self._hours_detail(entry, soonest, moment)
        note = f" (filter: without {', '.join(without)})" if without else ""
        is_dated = soonest and (is_dish or moment.is_named and moment.timing(soonest[0])[0] <= ON_THE_DAY)
        day, meal = soonest[0][:2] if is_dated else (None, None)
        return SearchRow(entry.type, entry.id, entry.name, detail + note, day, meal, without)

    def _hours_detail(self, location: Entry, soonest: Sequence[Serving], moment: Moment) -> str:
        """Return when a location is open on the day that is meant: "Now, until 2:00 PM. Today 11:30 AM–2:00 PM"."""
        day = relative_day(moment.date, moment.now[:10])
        now = [moment.coming(each)[0][1] for each in soonest if moment.timing(each)[0] == NOW]
        until = f"Now, until {format_time(now[0][11:])}. " if now else ""
        meant = [times for each in filter(moment.means, location.servings) for times in moment.hours.get(each, ())]
        if meant:
            periods = dict.fromkeys(format_period(opens[11:], closes[11:]) for opens, closes in meant)
            return f"{until}{capitalize(day)} {', '.join(periods)}"
        # Hours of a later date hold on that day, too.
        later = [each for each in location.servings if each in moment.hours and each.date > moment.date]
        is_closed = any(moment.means(each._replace(date=moment.date)) for each in later)
        return f"{until}{'Closed' if is_closed else 'No known hours'} {day}"

    def _serving_detail(self, soonest: Sequence[Serving], moment: Moment) -> str:
        """Return when and where a dish is served next: "Nov 24, dinner: Annenberg Hall, Quincy House"."""
        if not soonest:
            return "Not on the menus of the next two weeks"
        first, locations = soonest[0], self._snapshot.names(LOCATIONS)
        served = [locations[each.location] for each in soonest if each.location in locations]
        if moment.timing(first)[0] == NOW:
            more = f" and {len(served) - 1} more" if len(served) > 1 else ""
            return f"now, until {format_time(moment.coming(first)[0][1][11:])}: {served[0]}{more}"
        day = date.fromisoformat(first.date)
        return f"{day:%b} {day.day}, {meal_name(first.meal, self._snapshot.meals)}: {', '.join(served)}"

    def _index(self, days: Sequence[str], hours: Collection[Serving]) -> SearchIndex:
        """Return the index of all locations and dishes with their servings of these days, and of all buildings."""
        menus = self._snapshot.find(MENUS, {"_id": {"$in": days}}, ["items"], itemgetter("_id", "items"))
        served = [(Serving(day, item["meal"], item["location"]), item) for day, items in menus for item in items]
        servings = sorted({*hours, *(serving for serving, _ in served)})
        meals = stems("food open hours night").union(*map(stems, self._snapshot.meals.values()))
        return SearchIndex([*self._places(servings), *self._dishes(served)], meals)

    def _places(self, servings: Sequence[Serving]) -> Iterator[Entry]:
        names: dict[int | None, list[str]] = defaultdict(list)
        for id_, name, building, aliases in self._snapshot.find(LOCATIONS, {}, _LOCATION_FIELDS, _location_texts):
            names[building] += [name, *aliases]
            own = [each for each in servings if each.location == id_]
            meals = {each.meal for each in own} or self._snapshot.meals
            served = [meal_name(meal, self._snapshot.meals) for meal in meals]
            served += ["night"] if max(meals, default=0) == max(self._snapshot.meals, default=0) else []
            yield Entry("location", id_, name, aliases, servings=own, tags=" ".join(served))
        for id_, text, address, others, tags in self._snapshot.find(BUILDINGS, {}, _BUILDING_FIELDS, _building_texts):
            yield Entry("building", id_, text, (*names[id_], *others), address, tags=tags)

    def _dishes(self, served: Sequence[tuple[Serving, Document]]) -> Iterator[Entry]:
        """Yield each recipe, by its name and by those under which it is served."""
        servings: dict[tuple[int, str], dict[Serving, None]] = defaultdict(dict)
        categories: dict[int, set[int]] = defaultdict(set)
        for serving, item in served:
            servings[item["recipe"], item["name"]][serving] = None
            categories[item["recipe"]].add(item["category"])
        query = {"_id": {"$in": sorted(categories)}, "facts.labels": {"$ne": None}}
        labels = dict(self._snapshot.find(RECIPES, query, _LABEL_FIELDS, _label_texts))
        names = {id_: name for id_, name in self._snapshot.names(CATEGORIES).items() if not _SEVERAL.search(name)}
        for id_, name in {*self._snapshot.names(RECIPES).items(), *servings}:
            tags = [names[each] for each in sorted(categories.get(id_, ())) if each in names] + labels.get(id_, [])
            yield Entry("dish", id_, name, servings=[*servings.get((id_, name), ())], tags=" ".join(tags))


def _location_texts(document: Document) -> tuple[int, str, int | None, tuple[str, ...]]:
    return document["_id"], document["name"], document.get("building"), tuple(document.get("aliases", ()))


def _label_texts(document: Document) -> tuple[int, list[str]]:
    labels = [each for each in served_labels(decode_facts(document["facts"])) or () if not each.contradicted]
    return document["_id"], [text for each in labels for text in (each.code, each.name) if text]


def _building_texts(document: Document) -> tuple[int, str | None, str, list[str], str]:
    codes, aliases, tags = ((document.get(name) or "").split(";") for name in ("code", "aliases", "tags"))
    name = document.get("name")
    kinds = [KINDS.get(tag, tag) for tag in tags]
    # A library that is called so is also "library" itself.
    aliases += [kind for kind in kinds if kind and kind in (name or "").casefold()]
    return document["_id"], name, document.get("address", ""), [*codes, *aliases], " ".join(kinds)
