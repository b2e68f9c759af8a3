"""Settings of a dining export that its values prove: the order of day and month, and the numbers of the meals."""

from collections.abc import Iterable
from datetime import date

from loaders.menu_formats.values import DAY_FIRST, MONTH_FIRST, match_date

# Substrings of meal names as they occur: "Dinnner", "LUNCH ENTREES".
_MEAL_KEYWORDS = {"breakf": 0, "lunch": 1, "din": 2, "supper": 2}


def meals_named(name: str) -> set[int]:
    """Return the meals whose keywords are in a name."""
    return {meal for keyword, meal in _MEAL_KEYWORDS.items() if keyword in name.casefold()}


def guess_date_format(values: Iterable[str]) -> str:
    """Return DAY_FIRST if all dates can be read so, and cannot or hardly be with the month first; "" if unsure.

    With the wrong order, the first days of a month would be spread over the year.
    """
    texts = [" ".join(value.split()) for value in values]
    day_first, month_first = ([match_date(text, each) for text in texts] for each in (DAY_FIRST, MONTH_FIRST))
    if None in day_first or None not in month_first:
        return ""
    return DAY_FIRST if _span(day_first) < _span(month_first) or not any(month_first) else ""


def guess_meals(values: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Return the meals by number if each number has the name of one meal, and each meal one number, or else {}."""
    meals: dict[str, int] = {}
    for number, name in values:
        named = meals_named(name)
        if len(named) != 1 or meals.setdefault(str(number), *named) not in named:
            return {}
    return meals if sorted(meals.values()) == [0, 1, 2] else {}


def _span(days: list[date | None]) -> int:
    ordinals = [day.toordinal() for day in days if day]
    return max(ordinals) - min(ordinals) if ordinals else 0
