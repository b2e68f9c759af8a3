"""The moment that a search is about, and how soon from there on something is open or served."""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple


class Serving(NamedTuple):
    """A meal that a location serves on a date (YYYY-MM-DD)."""

    date: str
    meal: int
    location: int


class Stage(IntEnum):
    """Whether something is open or served now, later on the day that is meant, on another one, or no more."""

    NOW = 0
    ON_THE_DAY = 1
    LATER = 2
    NEVER = 3


class Timing(NamedTuple):
    """How soon something is open or served, the least one first; `time` is when it opens unless that is now."""

    stage: Stage
    time: str = ""


class Moment(NamedTuple):
    """The minute of a search, and the date and the meals that its text means, no meals if any.

    `is_named` is whether it names them; `hours` are the times of opening and closing of yesterday and of the days
    ahead, in order. All times are YYYY-MM-DDTHH:MM.
    """

    now: str
    date: str
    meals: frozenset[int]
    is_named: bool
    hours: Mapping[Serving, Sequence[tuple[str, str]]]

    def means(self, meal: int, date: str) -> bool:
        """Return whether the text means a meal of a date."""
        return date == self.date and (not self.meals or meal in self.meals)

    def names(self, servings: Collection[Serving]) -> bool:
        """Return whether the text names the date or the meal of one of these servings."""
        return self.is_named and any(self.means(each.meal, each.date) for each in servings)

    def timing(self, serving: Serving) -> Timing:
        """Return how soon a serving is; one of unknown hours follows the others of its date."""
        today, coming = self.now[:10], self.coming(serving)
        if not coming and (serving in self.hours or serving.date < today):
            return Timing(Stage.NEVER)
        opens = coming[0][0] if coming else f"{serving.date}T~{serving.meal}"
        # What is open since yesterday is open today.
        if opens <= self.now and self.means(serving.meal, today):
            return Timing(Stage.NOW)
        return Timing(Stage.ON_THE_DAY if self.means(serving.meal, serving.date) else Stage.LATER, opens)

    def coming(self, serving: Serving) -> list[tuple[str, str]]:
        """Return the known times of a serving that are not over."""
        return [(opens, closes) for opens, closes in self.hours.get(serving, ()) if self.now < closes]

    def soonest(self, servings: Collection[Serving]) -> list[Serving]:
        """Return the servings of the meal and the stage of the soonest one, none if all are over."""
        timings = {each: self.timing(each) for each in servings}
        first = min(timings, key=timings.__getitem__, default=None)
        if first is None or timings[first].stage == Stage.NEVER:
            return []
        return [each for each in timings if (each[:2], timings[each].stage) == (first[:2], timings[first].stage)]
