"""Rows of a table that are no dishes: days on which a hall is closed, and when it serves."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from campus_api.domain.hours import check_expression
from campus_api.domain.models import LocationDetails, MealHours
from loaders.errors import DataWarning
from loaders.result import SourceLocation


class _Rule(NamedTuple):
    """A part of the hours of a location as a row has it: an opening_hours expression, and where the row is."""

    field: str
    expression: str
    row: SourceLocation


class Notices:
    """What an export says about locations, by their ids, besides the dishes that they serve."""

    def __init__(self) -> None:
        self._closed: defaultdict[int, set[str]] = defaultdict(set)
        self._rules: defaultdict[int, list[_Rule]] = defaultdict(list)
        self._meals: defaultdict[int, set[int]] = defaultdict(set)
        self._last_day = ""

    @property
    def closed_days(self) -> list[str]:
        """Return the days on which a location is closed."""
        return sorted(set().union(*self._closed.values()))

    def add_dish(self, location: int, day: str, meal: int) -> None:
        """Add a meal that a location serves."""
        self._meals[location].add(meal)
        self._last_day = max(day, self._last_day)

    def add_closed_day(self, location: int, day: str) -> None:
        """Add a day on which a location is closed."""
        self._closed[location].add(day)
        self._last_day = max(day, self._last_day)

    def add_hours(self, location: int, field: str, expression: str, row: SourceLocation) -> None:
        """Add a rule of the hours of a location."""
        self._rules[location].append(_Rule(field, expression, row))

    @property
    def halls(self) -> dict[int, LocationDetails]:
        """Return the hours of the only meal of each location, until the last day of the export."""
        halls = {}
        for location, rules in self._rules.items():
            valid = [rule.expression for rule in rules if not self._problem(location, rule)]
            closed = [f"{date.fromisoformat(day):%Y %b %d} off" for day in sorted(self._closed[location])]
            meals = self._meals[location] if valid else ()
            hours = tuple(MealHours(meal, "; ".join([*valid, *closed]), self._last_day) for meal in meals)
            halls[location] = LocationDetails(hours=hours)
        return {location: hall for location, hall in halls.items() if hall.hours}

    @property
    def warnings(self) -> Iterator[tuple[SourceLocation, DataWarning]]:
        """Yield a warning for each rule that cannot be read, or that is of several meals."""
        for location, rules in self._rules.items():
            for rule in rules:
                if problem := self._problem(location, rule):
                    yield rule.row, DataWarning(rule.field, rule.expression, problem)

    def _problem(self, location: int, rule: _Rule) -> str:
        """Return why a rule is left out, "" if it is not."""
        if len(self._meals[location]) > 1:
            return "is not of one meal: set its hours in [halls] of the profile"
        try:
            check_expression(rule.expression, None)
        except ValueError as error:
            return str(error)
        return ""
