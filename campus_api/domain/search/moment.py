"""The moment that a search is about, and how soon from there on something is open or served."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from campus_api.domain.hours import Serving

# How soon it is, now, later on the day that is meant, on another one or no more, and when it opens unless it is open.
Timing = tuple[int, str]
NOW, ON_THE_DAY, LATER, NEVER = range(4)
# When meals begin and end.
Hours = Mapping[Serving, Sequence[tuple[str, str]]]


class Moment(NamedTuple):
    """The minute of a search, the date and the meals that it means, any if none, and whether its text names them.

    `hours` are those from yesterday on, in order. All times are YYYY-MM-DDTHH:MM.
    """

    now: str
    date: str
    meals: frozenset[int]
    is_named: bool
    hours: Hours

    def means(self, serving: Serving) -> bool:
        """Return whether the text means a serving."""
        return serving.date == self.date and (not self.meals or serving.meal in self.meals)

    def timing(self, serving: Serving) -> Timing:
        """Return how soon a serving is; one of unknown hours follows the others of its date."""
        today, coming = self.now[:10], self.coming(serving)
        if not coming and (serving in self.hours or serving.date < today):
            return NEVER, ""
        opens = coming[0][0] if coming else f"{serving.date}T~{serving.meal}"
        # What is open since yesterday is open today.
        if opens <= self.now and self.means(serving._replace(date=today)):
            return NOW, ""
        return ON_THE_DAY if self.means(serving) else LATER, opens

    def coming(self, serving: Serving) -> list[tuple[str, str]]:
        """Return the known times of a serving that are not over."""
        return [(opens, closes) for opens, closes in self.hours.get(serving, ()) if self.now < closes]

    def soonest(self, servings: Collection[Serving]) -> tuple[list[Serving], str]:
        """Return the servings of the meal and stage of the soonest one, if any, and when it closes if it is open."""
        timings = {each: self.timing(each) for each in servings}
        first = min(timings, key=timings.__getitem__, default=None)
        if first is None or timings[first][0] == NEVER:
            return [], ""
        stage, _ = timings[first]
        closes = self.coming(first)[0][1] if stage == NOW else ""
        return [each for each in timings if each[:2] == first[:2] and timings[each][0] == stage], closes
