"""Loads that go on after another one has published, as if they had slept just before a write."""

from itertools import count

import pytest

from loaders.publishing.plan import plan_dining
from loaders.publishing.publish import Overtaken, publish
from tests.factories import TODAY, serving


def test_a_date_that_another_load_has_written_meanwhile_is_left_alone(database):
    publish(database, plan_dining(database, [serving(1)]), [])
    plan = plan_dining(database, [serving(2)])
    digests = count()

    def sleep_while_another_load_writes():
        database.menus.replace_one({"_id": TODAY}, {"_id": TODAY, "items": [], "digest": next(digests)})

    with pytest.raises(Overtaken, match="another load of dining was published in the meantime"):
        publish(database, plan, [], confirm=sleep_while_another_load_writes)

    assert database.menus.find_one()["items"] == []


def test_a_name_that_another_load_has_written_meanwhile_is_left_alone(database):
    publish(database, plan_dining(database, [serving(1, "Rice")]), [])
    plan = plan_dining(database, [serving(1, "Soup")])
    names = (f"Stew {number}" for number in count())

    def sleep_while_another_load_writes():
        database.recipes.replace_one({"_id": 1}, {"_id": 1, "name": next(names)})

    with pytest.raises(Overtaken):
        publish(database, plan, [], confirm=sleep_while_another_load_writes)

    assert database.recipes.find_one()["name"].startswith("Stew ")


def test_a_name_that_is_gone_meanwhile_is_not_written_again(database):
    publish(database, plan_dining(database, [serving(1, "Rice")]), [])
    plan = plan_dining(database, [serving(1, "Soup")])

    with pytest.raises(Overtaken):
        publish(database, plan, [], confirm=lambda: database.recipes.delete_many({}))

    assert database.recipes.find_one() is None
