from loaders.publishing.dining_plan import buildings_by_name
from tests.factories import building


def test_buildings_by_name_are_those_that_one_building_alone_has(database, load_buildings):
    assert buildings_by_name(database, ["Annenberg Hall"]) == {}

    names = ["ANNENBERG HALL", "Annenberg Hall Annex", "Dunster House", "Dunster House"]
    load_buildings(*(building(id_, name=name) for id_, name in enumerate(names)))

    assert buildings_by_name(database, ["Annenberg Hall", "Dunster House", "Quincy"]) == {"Annenberg Hall": 0}
    assert buildings_by_name(database, []) == {}
