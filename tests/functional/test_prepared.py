"""The answers that are made before anybody asks."""

import pytest

from campus_api.canonical import MENUS, Asked
from tests.factories import TODAY, building, row, serving

TOMORROW = "2026-11-21"
LISTS = ["/dining/categories", "/dining/locations", "/dining/recipes", "/map/buildings"]
MENUS_OF = {date: Asked(MENUS, (("date", date),)) for date in (TODAY, TOMORROW)}


@pytest.mark.parametrize("asked", [*map(Asked, LISTS), *MENUS_OF.values()], ids=str)
def test_lists_and_menus_are_there_before_anybody_asks(service, asked):
    service.answers.prepare()

    assert service.answers.kept.get(asked).body == b"[]"


def test_after_a_load_they_are_made_anew(service):
    service.answers.prepare()
    service.serve_dining(serving(1, date=TOMORROW))
    service.serve_buildings(building(1))

    service.answers.prepare()

    answers = [service.answers.kept.get(asked) for asked in (MENUS_OF[TOMORROW], Asked("/map/buildings"))]
    assert [answer.body == b"[]" for answer in answers] == [False, False]
    assert service.app.get(f"/dining/menus?date={TOMORROW}").json == [row(1, date=TOMORROW)]


def test_while_nothing_changes_they_are_not_made_again(service):
    service.answers.prepare()
    before = service.answers.kept.get(Asked("/dining/recipes"))

    service.answers.prepare()

    assert service.answers.kept.get(Asked("/dining/recipes")) is before


def test_nothing_is_prepared_when_nothing_is_kept(start):
    service = start(**{"answers.memory_mb": "0"})

    service.answers.prepare()

    assert len(service.answers.kept) == 0
