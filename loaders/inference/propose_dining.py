"""An unknown export of menus -> a profile of dining that reads it, and what speaks for it."""

from collections.abc import Iterator, Mapping
from itertools import count

from campus_api import ids
from campus_api.models import Named
from loaders import profiles
from loaders.documents.serving import MenuRow
from loaders.errors import InvalidValue, UnreadableFileError
from loaders.inference.field_stats import Counts, Distinct, Unusable, counted
from loaders.inference.toml_text import aligned, comment, quoted
from loaders.profiles import DiningProfile
from loaders.readers.files import Export
from loaders.readers.foodpro import FoodPro
from loaders.readers.huds import Huds
from loaders.readers.near_duplicates import normalized_name
from loaders.readers.result import ProgressCallback, SourceLocation

_MEALS = ("breakfast", "lunch", "dinner")
_SHOWN = 40
# Above the numbers that providers give.
_FIRST_FREE = 1001


def propose_dining(export: Export, form: str, track: ProgressCallback) -> Iterator[str]:
    """Yield what the export is, and then the lines of a profile in TOML; UnreadableFileError when it has no rows."""
    yield from (_huds if form == "huds" else _foodpro)(export, track)


class _Found:
    """What was found in the rows of an export."""

    def __init__(self) -> None:
        self.rows = 0
        self.meals = Counts()
        self.locations = Counts()
        self.categories = Counts()
        self._dates = Counts()
        self._recipes = Distinct()
        self._unusable = Unusable("row")

    def add(self, serving: MenuRow, meal: object) -> None:
        """Look into a row, which has this meal."""
        self.rows += 1
        self.meals.add(meal)
        self.locations.add(serving.location)
        self.categories.add(serving.category)
        self._dates.add(serving.date)
        self._recipes.add(serving.recipe.id)

    def bad(self, place: SourceLocation, bad: InvalidValue) -> None:
        """Count a row that cannot be used."""
        self.rows += 1
        self._unusable.add(place, bad)

    def lines(self, kind: str, path: object) -> Iterator[str]:
        """Yield how much there is, and comments about the rows that cannot be used."""
        if not self.rows:
            raise UnreadableFileError(path, "has no rows: there is nothing to make a profile of")
        dates = counted(len(self._dates), "date")
        if self._dates:
            dates += f" from {min(self._dates)} to {max(self._dates)}"
        parts = [f"{kind}, {counted(self.rows, 'row')}", dates]
        parts.append(_counted(self.locations, _things(self.locations), "location", "locations"))
        parts.append(_counted(self.categories, _things(self.categories), "category", "categories"))
        parts.append(_counted(self._recipes, len(self._recipes), "recipe", "recipes"))
        yield ", ".join(parts)
        yield from map(comment, self._unusable.lines())


def _things(table: Counts) -> int:
    # Codes of HUDS have no ids yet.
    return len({named.id or named.name for named in table})


def _counted(counts: Counts | Distinct, number: int, one: str, many: str) -> str:
    return "over " * counts.is_over + counted(number, one, many)


def _foodpro(export: Export, track: ProgressCallback) -> Iterator[str]:
    form, found = FoodPro(DiningProfile("foodpro")), _Found()
    for place, row in track(form.rows(export)):
        try:
            serving, odd = form.parse_row(row)
            found.add(serving, (serving.meal, form.meal_name(row), odd.reason if odd else ""))
        except InvalidValue as bad:
            found.bad(place, bad)
    yield from found.lines("FoodPro", export.path)
    yield from _names_of_meals(found.meals)
    yield 'format = "foodpro"'
    yield from ("", "# Locations that share a kitchen can be given one id and one name here.", "# [locations]")
    yield from map(comment, _joint(found.locations))
    alike = _joint(found.categories, only_alike=True)
    if alike:
        yield from ("", "# Categories that look like others. Without these lines they stay apart.", "# [categories]")
        yield from map(comment, alike)


def _names_of_meals(meals: Mapping[tuple[int, str, str], int]) -> Iterator[str]:
    if meals:
        rows = [("Meal_Number", "Meal_Name", "rows", "")]
        for (meal, name, odd), number in sorted(meals.items(), key=lambda item: (item[0][0], -item[1]))[:_SHOWN]:
            rows.append((f"{meal + 1} ({_MEALS[meal]})", name, f"{number:,}", odd))
        yield from map(comment, aligned(rows, numbers=(2,)))


def _joint(table: Counts, *, only_alike: bool = False) -> list[str]:
    """Return a line for each id: what it stands for, which is another id when their names look alike."""
    usual = {named.id: named for named, _ in reversed(table.most_common())}
    first: dict[str, Named] = {}
    for named in sorted(usual.values(), key=lambda named: -table[named]):
        first.setdefault(normalized_name(named.name), named)
    joint = {named: first[normalized_name(named.name)] for _, named in sorted(usual.items())}
    # The same name under several numbers is no mistake of somebody who typed it.
    joint = {named: other if other.name != named.name else named for named, other in joint.items()}
    shown = [(named, other) for named, other in joint.items() if other != named or not only_alike]
    rows = [(_entry(str(one.id), other), comment(_about(one, other, table))) for one, other in shown[:_SHOWN]]
    return [*aligned(rows), *([f"and {len(shown) - _SHOWN:,} more"] * (len(shown) > _SHOWN))]


def _about(named: Named, joint: Named, table: Counts) -> str:
    names = [other.name for other, _ in table.most_common() if other.id == named.id and other != named]
    rows = counted(sum(number for other, number in table.items() if other.id == named.id), "row")
    also = f"; also called {', '.join(map(quoted, names[:3]))}" if names else ""
    return f"{rows}{also}" if joint == named else f"{rows}; {quoted(named.name)} looks like {joint.id}{also}"


class _EveryCode(dict[str, Named]):
    """A table in which every code stands for itself."""

    def __contains__(self, code: object) -> bool:
        return bool(code)

    def __missing__(self, code: str) -> Named:
        return Named(0, code)


def _huds(export: Export, track: ProgressCallback) -> Iterator[str]:
    form, found = Huds(DiningProfile("huds", _EveryCode(), _EveryCode())), _Found()
    for place, row in track(form.rows(export)):
        try:
            serving, _ = form.parse_row(row)
            found.add(serving, serving.meal)
        except InvalidValue as bad:
            found.bad(place, bad)
    known = profiles.load_dining_profile("huds")
    yield from found.lines("HUDS", export.path)
    yield comment(", ".join(f"{name} {counted(found.meals[meal], 'row')}" for meal, name in enumerate(_MEALS)))
    yield 'format = "huds"'
    yield from ("", "[locations]", *_meanings("Location", found.locations, known.locations))
    yield from ("", "[categories]", *_meanings("Category", found.categories, known.categories))


def _meanings(noun: str, table: Counts, known: Mapping[str, Named]) -> list[str]:
    """Return a line for each code: what the profile `huds` says of it, or else an id and a name to check."""
    codes = {code.name: number for code, number in table.items()}
    taken = {named.id for named in known.values()}
    rows = []
    for code in sorted(codes, key=lambda code: (len(code) * _is_number(code), code)):
        named = known.get(code) or _proposed(noun, code, taken)
        taken.add(named.id)
        check = "" if code in known else "proposed: check the id and the name; "
        rows.append((_entry(code, named), comment(check + counted(codes[code], "row"))))
    return aligned(rows)


def _proposed(noun: str, code: str, taken: set[int]) -> Named:
    """Return an id that nothing else has, the number itself if the code is one, and a name."""
    number = ids.from_path(code)
    if number is None or number in taken:
        number = next(free for free in count(_FIRST_FREE) if free not in taken)
    return Named(number, f"{noun} {code}" if _is_number(code) else code.title())


def _entry(code: str, named: Named) -> str:
    written = code.zfill(2) if _is_number(code) else code
    return f"{quoted(written)} = {{id = {named.id}, name = {quoted(named.name)}}}"


def _is_number(code: str) -> bool:
    return code.isascii() and code.isdigit()
