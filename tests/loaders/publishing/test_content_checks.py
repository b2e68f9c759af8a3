from dataclasses import replace

from loaders.profiles.thresholds import Thresholds
from loaders.publishing.dining_plan import plan_dining
from loaders.publishing.load import PublishOptions, load_buildings
from loaders.publishing.plan import plan_buildings
from loaders.result import BuildingRead, SourceLocation
from tests.factories import RING, building, foodpro_row, serving

PHOTO = "https://example.edu/{}.jpg"
NAMES = ["Adams House", "Boylston Hall", "Cabot Library", "Dudley House", "Emerson Hall", "Fay House"]
STREETS = ["1 Plympton St", "2 Garden St", "3 Oxford St", "4 Church St", "5 Quincy St", "6 Brattle St"]
DISHES = ["Bacon", "Caprese Panini", "Lentil Soup", "Rice Pudding", "Kashi Pilaf", "Green Salad"]


def campus(names=NAMES, streets=STREETS, shift=0):
    return [
        building(id_, name=name, address=street, image=PHOTO.format(id_), point=(42.3 + shift + id_ / 1000, -71.1))
        for id_, (name, street) in enumerate(zip(names, streets, strict=True))
    ]


def shifted(values):
    return [*values[1:], values[0]]


def square(north=0.0, east=0.0, side=0.0002):
    """Return a ring of some 20 meters, at most a street away from the others of a building."""
    south, west = 42.3 + north, -71.1 + east
    return ((south, west), (south, west + side), (south + side, west + side), (south + side, west), (south, west))


PARTS = (square(), square(east=0.0002), square(north=0.0002), square(0.0002, 0.0002))


def with_footprint(*rings):
    return [replace(each, polygons=rings) for each in campus()]


def guards(plan):
    return [violation.guard for violation in plan.check_changes(Thresholds())]


def menu(dishes=DISHES, **fields):
    return [serving(id_, dish, **fields) for id_, dish in enumerate(dishes)]


ACCIDENTS = {
    "renumbered": (campus(shifted(NAMES), shifted(STREETS), 0.001), "name"),
    "cut": (campus([name[:10] for name in NAMES]), "name"),
    "no names": (campus([None] * 6), "name"),
    "no addresses": (campus(streets=[""] * 6), "address"),
    "N/A": (campus(streets=["N/A"] * 6), "address"),
    "cities": ([replace(each, city="0") for each in campus()], "city"),
    "other photos": ([replace(each, image=PHOTO.format(each.id + 1)) for each in campus()], "image"),
    "no photos": ([replace(each, image=None) for each in campus()], "image"),
    "no footprints": ([replace(each, polygons=()) for each in campus()], "footprint"),
    "900 m north": (campus(shift=0.0081), "position"),
    "900 m east": ([replace(each, point=(each.point[0], each.point[1] + 0.011)) for each in campus()], "position"),
    "one point": ([replace(each, point=(42.303, -71.1)) for each in campus()], "position"),
}


def test_a_field_that_most_buildings_change_is_refused(database, load_buildings):
    load_buildings(*campus(), building(50, name=None, address="", city="", image=None, polygons=()))

    for accident, (changed, field) in ACCIDENTS.items():
        violations = plan_buildings(database, [*changed, building(51), building(52)]).check_changes(Thresholds())

        assert {violation.guard for violation in violations} == {"changed-values"}, accident
        assert f" buildings would change their {field}" in violations[0].reason, accident


def test_parts_of_footprints_that_most_buildings_lose_or_gain_are_refused_and_other_outlines_pass(
    database, load_buildings
):
    far = ((0.0, 0.0), (0.0, 0.1), (0.1, 0.1), (0.0, 0.0))
    load_buildings(*with_footprint(*PARTS))

    for rings in (PARTS[:1], (*PARTS, square(north=0.002)), (*PARTS, far)):
        [violation] = plan_buildings(database, with_footprint(*rings)).check_changes(Thresholds())

        assert violation.reason.startswith("6 of 6 buildings would change their footprint, "), rings
    for rings in (PARTS[::-1], PARTS[:3], (square(side=0.0004),), (square(0.0003, 0.0003, 0.0003),)):
        assert guards(plan_buildings(database, with_footprint(*rings))) == [], rings


def test_the_reason_says_how_a_field_changes(database, load_buildings):
    load_buildings(*campus())

    for changed, reasons in [
        (campus(STREETS, NAMES), ["name, 6 to their address", "address, 6 to their name"]),
        (campus(["TEST"] * 6), ["name, 6 to 'TEST'"]),
        (campus([None] * 6), ["name, 6 to nothing"]),
        (campus([f"<b>{name}</b>" for name in NAMES]), ["name"]),
    ]:
        violations = plan_buildings(database, changed).check_changes(Thresholds())

        starts = [each.reason.split(":")[0] for each in violations]
        assert starts == [f"6 of 6 buildings would change their {reason}" for reason in reasons], changed


def test_at_most_30_percent_of_all_live_values_or_two_may_change(database, load_buildings, empty):
    for live, changed, is_refused in [(9, 3, True), (10, 3, False), (10, 4, True), (5, 2, False)]:
        empty()
        load_buildings(*map(building, range(live)), *(building(id_, city="") for id_ in range(10, 20)))

        moved = [building(id_, city="Boston" if id_ < changed else "Cambridge") for id_ in range(live)]
        violations = plan_buildings(database, moved).check_changes(Thresholds(lost_documents=1))

        examples = "; ".join(f"{id_} Widener Library: 'Cambridge' -> 'Boston'" for id_ in range(3))
        reason = f"{changed} of {live} buildings would change their city, {changed} to 'Boston': {examples}"
        assert [violation.reason for violation in violations] == [reason] * is_refused, (live, changed)


USUAL = {
    "two renamed, one new": [*campus([*NAMES[:4], "Lamont", "Pusey"]), building(99)],
    "two without a name": campus([*NAMES[:4], None, None]),
    "surveyed": campus(shift=0.0005),
    "two moved": [*campus()[:4], *campus(shift=0.5)[4:]],
    "another letter case": campus([name.upper() for name in NAMES], [street.upper() for street in STREETS]),
    "on another server": [replace(each, image=f"https://cdn.example.edu/{each.id}.jpg?sig=2") for each in campus()],
    "other footprints": [replace(each, polygons=(RING[::-1],)) for each in campus()],
}


def test_usual_changes_of_buildings_pass(database, load_buildings):
    load_buildings(*campus())

    for change, changed in USUAL.items():
        assert guards(plan_buildings(database, changed)) == [], change


def test_values_where_there_were_none_pass(database, load_buildings):
    load_buildings(*(building(id_, address="", city="", image=None, polygons=()) for id_ in range(6)))

    changed = [building(id_, city="Cambridge", image=PHOTO.format(id_)) for id_ in range(6)]

    assert guards(plan_buildings(database, changed)) == []


def test_renumbered_recipes_are_refused_and_two_corrected_names_pass(database, load_dining):
    load_dining(*menu())

    [violation] = plan_dining(database, menu(shifted(DISHES))).check_changes(Thresholds())

    change = "6 of 6 recipes would change their name, 6 to the name of another one"
    assert violation.guard == "changed-values"
    assert violation.reason.startswith(f"{change}: 0 Caprese Panini: 'Bacon' -> 'Caprese")
    assert guards(plan_dining(database, menu(["Turkey Bacon", "Panini", *DISHES[2:]]))) == []


def test_swapped_numbers_of_recipes_and_categories_are_refused(database, load_dining):
    load_dining(*(serving(1000 + id_, dish, category=id_) for id_, dish in enumerate(DISHES)))

    swapped = [serving(id_, dish, category=1000 + id_) for id_, dish in enumerate(DISHES)]

    *_, violation = plan_dining(database, swapped).check_changes(Thresholds())
    examples = "; ".join(f"added {id_} Category {id_}" for id_ in (1000, 1001, 1002))
    assert (violation.guard, violation.reason) == ("new-ids", f"6 of 6 categories would be new: {examples}")


def test_new_categories_pass_if_half_of_the_live_ones_or_of_those_of_the_export_are_live(database, load_dining):
    load_dining(*(serving(id_, category=id_ % 10) for id_ in range(20)))

    for live, new in ((5, 10), (10, 10), (3, 3)):
        categories = [*range(live), *range(10, 10 + new)]
        menus = [serving(id_, category=categories[id_ % len(categories)]) for id_ in range(20)]

        assert guards(plan_dining(database, menus)) == [], (live, new)


def test_a_first_load_warns_of_buildings_far_from_the_others_unless_the_profile_has_the_area(database):
    message = "campus.geojson, line 10: geometry is over 0.5 degrees from most buildings"
    area = (42, -73, 44, -71)
    for write, limits, expected in ((False, {"area": area}, []), (False, {}, [message]), (True, {}, [message])):
        records = [*campus(), building(9, point=(43.7, -72.3))]
        locations = {record.id: ("campus.geojson", SourceLocation(record.id + 1)) for record in records}
        reading = BuildingRead(records=records, locations=locations)

        result = load_buildings(database, reading, Thresholds(**limits), PublishOptions(write=write))

        assert result.violations == [], (write, limits)
        assert result.state == ("published" if write else "dry-run"), (write, limits)
        assert list(map(str, reading.warnings.values())) == expected, (write, limits)


def test_meals_whose_numbers_mostly_contradict_their_names_are_refused(campus_load, save_rows):
    wrong = [foodpro_row(Recipe_Number=number, Meal_Number=1, Meal_Name="Dinner") for number in range(20)]
    right = [foodpro_row(Recipe_Number=number, Meal_Number=3, Meal_Name="Dinner") for number in range(15)]
    reason = "20 of 30 rows have another meal's name: Meal_Name 'Dinner' contradicts "

    result = campus_load("dining", save_rows(*wrong, *right[:10]))

    assert (result.exit_code, f"refused by contradicting-meals: {reason}" in result.stderr) == (3, True)
    assert campus_load("dining", save_rows(*wrong, *right, *right[:5])).exit_code == 0
