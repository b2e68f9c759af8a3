"""The search over the buildings, locations and dishes of a snapshot, indexed once per revision and date."""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, islice
from operator import itemgetter

from campus_api.db.connection import BUILDINGS, CATEGORIES, LOCATIONS, MENUS, RECIPES
from campus_api.db.hours import HoursStore
from campus_api.db.rows import EncodedFacts
from campus_api.db.snapshot import Document, Snapshot
from campus_api.domain.allergens.vocabulary import DietVocabulary, served_labels
from campus_api.domain.clock import dates
from campus_api.domain.hours import Serving, format_period, format_time, spans
from campus_api.domain.models import decode_facts, meal_name
from campus_api.domain.search.index import MAX_RESULTS, Entry, SearchIndex
from campus_api.domain.search.moment import Hours, Moment, Timing
from campus_api.domain.search.words import DENIALS, GAP, KINDS, NEAR, named_date, named_time, stems
from campus_api.domain.servings import USUAL, relative_day
from campus_api.domain.text import capitalize

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
        index, hours = self._snapshot.memoize("search", lambda: self._read(today), today)
        text, allergens = self.denied(text)
        day, is_evening, text = named_date(text, today, index.names)
        time, text = named_time(text, now[11:] if day in ("", today) else "06:59")
        is_meal = day or time or is_evening or " " in text.strip()
        words = stems(text) or ({"food"} if is_meal else set())
        moment = self._moment(words | {"evening"} if is_evening else words, day, time, now, hours)
        timings = self._timings(index, moment, time)
        names = (*self._snapshot.meals.values(), "food")
        meal = next((name for name in names if stems(name) == words), "")
        thing = NEAR.split(text)[0]
        entries: Iterable[Entry] = index.search(meal or text, timings, types)
        if allergens:
            query = f"{text} recipe"
            dishes = list(index.search(query, timings, {"dish"} & {*types}))
            entries = self._without(allergens, dishes, moment)
        elif meal:
            entries = sorted(entries, key=lambda entry: entry.type != "location")
        elif set() < stems(thing) < words:
            near = {id(entry) for entry in index.search(thing, timings, types)}
            entries = sorted(entries, key=lambda entry: id(entry) not in near)
        without = sorted(allergens)
        return [self._row(entry, moment, without) for entry in islice(entries, MAX_RESULTS)]

    def denied(self, text: str) -> tuple[str, set[str]]:
        """Return a text without what denies allergens, and these."""
        allergens: set[str] = set()

        def rest(denial: re.Match[str]) -> str:
            words = re.split(GAP, denial[1] or "gluten")
            named = {word: self._diets().without.get(word) for word in words}
            if not any(named.values()):
                return denial[0]
            allergens.update(*named.values())
            return " ".join(word for word in named if not named[word])

        for denial in DENIALS:
            text = denial.sub(rest, text)
        return text, allergens

    def _moment(self, words: set[str], named: str, time: str, now: str, hours: Hours) -> Moment:
        meals = {id_ for id_, name in self._snapshot.meals.items() if set() < stems(name) <= words}
        usual = bisect(USUAL, time) - 1 if time else _DINNER
        if not meals and (time or words & {"evening", "night"}):
            meals = {id_ for id_ in self._snapshot.meals if min(id_, _DINNER) == usual}
        of_meals = [each for each in hours if not meals or each.meal in meals]
        coming = (each.date for each in of_meals if now < hours[each][-1][1])
        day = named or max(now[:10], next(coming, ""))
        return Moment(now, day, frozenset(meals), bool(named or meals), hours)

    def _timings(self, index: SearchIndex, moment: Moment, time: str) -> list[Timing]:
        meant = moment._replace(now=f"{moment.date}T{time}") if time else moment
        # By the day of the month, because of each name only the last date is memoized.
        of_moment = f"search timings {moment.date[8:]} {bool(time)} {sorted(moment.meals)}"
        return self._snapshot.memoize(of_moment, lambda: index.timings(meant), meant.now)

    def _without(self, allergens: set[str], dishes: Sequence[Entry], moment: Moment) -> list[Entry]:
        """Return the dishes known to be without allergens, of the date and the meals of the text or else of any."""
        facts = self._facts({dish.id for dish in dishes})
        lacking = {id_ for id_, each in facts.items() if each.without >= allergens}
        known = [dish for dish in dishes if dish.id in lacking]
        meant = [dish for dish in known if not moment.is_named or any(map(moment.means, dish.servings))]
        return meant or known

    def _row(self, entry: Entry, moment: Moment, without: Sequence[str]) -> SearchRow:
        if entry.type == "building":
            return SearchRow(entry.type, entry.id, entry.name, entry.address)
        soonest, closes = moment.soonest(entry.servings)
        until = f"now, until {format_time(closes[11:])}" if closes else ""
        if entry.type == "dish":
            detail = self._serving_detail(soonest, until)
            is_dated = bool(soonest)
        else:
            hours = _hours_detail(entry.servings, moment)
            detail = f"{capitalize(until)}. {hours}" if until else hours
            is_dated = moment.is_named and (bool(closes) or any(map(moment.means, soonest)))
        if without:
            detail += f" (filter: without {', '.join(without)})"
        day, meal = (soonest[0].date, soonest[0].meal) if is_dated else (None, None)
        return SearchRow(entry.type, entry.id, entry.name, detail, day, meal, without)

    def _serving_detail(self, soonest: Sequence[Serving], until: str) -> str:
        """Return when and where a dish is served next: "Nov 24, dinner: Annenberg Hall, Quincy House"."""
        if not soonest:
            return "Not on the menus of the next two weeks"
        names = self._snapshot.names(LOCATIONS)
        locations = [names[each.location] for each in soonest if each.location in names]
        if until:
            more = f" and {len(locations) - 1} more" if len(locations) > 1 else ""
            return f"{until}: {locations[0]}{more}"
        day = date.fromisoformat(soonest[0].date)
        meal = meal_name(soonest[0].meal, self._snapshot.meals)
        return f"{day:%b} {day.day}, {meal}: {', '.join(locations)}"

    def _read(self, today: str) -> tuple[SearchIndex, Hours]:
        """Return the index of all locations and dishes, with their servings, and of all buildings, and the hours."""
        days = dates(f"{date.fromisoformat(today) - timedelta(days=1)}", _DAYS)
        hours = spans(self._hours.find(days))
        query = {"_id": {"$in": days}}
        served: list[tuple[Serving, Document]] = []
        for day, items in self._snapshot.find(MENUS, query, ["items"], itemgetter("_id", "items")):
            served += [(Serving(day, item["meal"], item["location"]), item) for item in items]
        servings = sorted({*hours, *(serving for serving, _ in served)})
        meals = stems("food open hours night").union(*map(stems, self._snapshot.meals.values()))
        return SearchIndex([*self._places(servings), *self._dishes(served)], meals), hours

    def _places(self, servings: Sequence[Serving]) -> Iterator[Entry]:
        names: dict[int | None, list[str]] = defaultdict(list)
        all_meals = self._snapshot.meals
        for building, location in self._snapshot.find(LOCATIONS, {}, _LOCATION_FIELDS, _location):
            names[building] += filter(None, (location.name, *location.aliases))
            own = [each for each in servings if each.location == location.id]
            meals = {each.meal for each in own} or all_meals
            tags = [meal_name(meal, all_meals) for meal in meals]
            if max(meals) == max(all_meals):
                tags.append("night")
            yield location._replace(servings=own, tags=" ".join(tags))
        for entry in self._snapshot.find(BUILDINGS, {}, _BUILDING_FIELDS, _building):
            yield entry._replace(aliases=(*names[entry.id], *entry.aliases))

    def _dishes(self, served: Sequence[tuple[Serving, Document]]) -> Iterator[Entry]:
        """Yield each recipe, by its name and by those under which it is served."""
        servings: dict[tuple[int, str], dict[Serving, None]] = defaultdict(dict)
        categories: dict[int, set[int]] = defaultdict(set)
        for serving, item in served:
            servings[item["recipe"], item["name"]][serving] = None
            categories[item["recipe"]].add(item["category"])
        query = {"_id": {"$in": sorted(categories)}, "facts.labels": {"$ne": None}}
        labels = dict(self._snapshot.find(RECIPES, query, _LABEL_FIELDS, _label_texts))
        names = self._snapshot.names(CATEGORIES)
        kinds = {id_: name for id_, name in names.items() if not _SEVERAL.search(name)}
        for id_, name in {*self._snapshot.names(RECIPES).items(), *servings}:
            own = [kinds[each] for each in sorted(categories.get(id_, ())) if each in kinds]
            tags = own + labels.get(id_, [])
            served_as = [*servings.get((id_, name), ())]
            yield Entry("dish", id_, name, servings=served_as, tags=" ".join(tags))


def _hours_detail(servings: Collection[Serving], moment: Moment) -> str:
    """Return when a location is open on the day that is meant: "Today 11:30 AM–2:00 PM, 5:00 PM–7:30 PM"."""
    day = relative_day(moment.date, moment.now[:10])
    meant = filter(moment.means, servings)
    times = chain.from_iterable(moment.hours.get(each, ()) for each in meant)
    periods = dict.fromkeys(format_period(opens[11:], closes[11:]) for opens, closes in times)
    if periods:
        return f"{capitalize(day)} {', '.join(periods)}"
    # Hours of a later date hold on that day, too.
    later = [each for each in servings if each in moment.hours and each.date > moment.date]
    is_closed = any(moment.means(each._replace(date=moment.date)) for each in later)
    return f"{'Closed' if is_closed else 'No known hours'} {day}"


def _location(document: Document) -> tuple[int | None, Entry]:
    """Return the building of a location, and its entry, but for servings and meals."""
    aliases = tuple(document.get("aliases", ()))
    return document.get("building"), Entry("location", document["_id"], document["name"], aliases)


def _label_texts(document: Document) -> tuple[int, list[str]]:
    labels = served_labels(decode_facts(document["facts"])) or ()
    valid = (each for each in labels if not each.contradicted)
    texts = chain.from_iterable((each.code, each.name) for each in valid)
    return document["_id"], list(filter(None, texts))


def _building(document: Document) -> Entry:
    """Return the entry of a building, but for the names of its locations."""
    lists = ((document.get(name) or "").split(";") for name in ("code", "aliases", "tags"))
    codes, aliases, tags = lists
    name = document.get("name")
    kinds = [KINDS.get(tag, tag) for tag in tags]
    # A library that is called so is also "library" itself.
    aliases += [kind for kind in kinds if kind and kind in (name or "").casefold()]
    address = document.get("address", "")
    return Entry("building", document["_id"], name, (*codes, *aliases), address, tags=" ".join(kinds))
