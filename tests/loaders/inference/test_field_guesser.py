import pytest

from loaders.inference.field_guesser import guess_fields
from loaders.inference.field_names import split_words
from loaders.inference.field_stats import BoundedSet, FieldStats

PARTS = "Some features have the same id: with `merge`, footprints of one name and address are one building."


def guess(*records, aliases=None):
    fields = {name: FieldStats(name) for record in records for name in record}
    for record in records:
        for name, value in record.items():
            fields[name].add(value)
    return guess_fields(fields.values(), aliases or {}, len(records))


def sources(*records, aliases=None):
    return {field: best.source for field, best in guess(*records, aliases=aliases).items()}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("BLDG_NAME", "bldg name"),
        ("Building_HU.Primary_Building_Name", "primary building name"),
        ("buildingName", "building name"),
        ("addr:housenumber", "addr housenumber"),
        ("HISTORIC_N", "historic name"),
        ("LONG_ADDRE", "long address"),
        ("PROPERTY_T", "property t"),
        ("PIN14", "pin 14"),
        ("...", ""),
    ],
)
def test_a_field_name_is_split_into_words(name, words):
    assert split_words(name) == words


@pytest.mark.parametrize(
    "name", ["name", "NAME", "Name", "BLDG_NAME", "SITE_NAME", "HISTORIC_N", "sitename", "Title", "Gebäude"]
)
def test_the_name_is_recognized_by_its_field_name(name):
    assert sources({name: "Widener Library", "remark": "old"})["name"] == name


@pytest.mark.parametrize("name", ["STREET_NAME", "file_name", "OwnerName", "CITY_NAME", "alt_name", "Layer Name"])
def test_names_of_other_things_are_not_the_name(name):
    assert "name" not in sources({name: "Massachusetts"})


def test_the_plainest_field_name_wins():
    assert sources({"hall_name": "A", "name": "B", "title": "C"})["name"] == "name"


def test_a_text_that_is_the_same_in_all_features_is_not_the_name():
    records = [{"NAME": "Main Campus", "BLDG_NAME": f"Hall {number}"} for number in range(3)]

    assert sources(*records)["name"] == "BLDG_NAME"
    assert sources(*records[:2])["name"] == "NAME"


def test_numbers_are_not_names():
    assert "name" not in sources({"name": 7})


@pytest.mark.parametrize(
    "name", ["ADDRESS", "Full Address", "STREET_ADDRESS", "FULL_ADDR", "addr:full", "street", "Adresse"]
)
def test_the_address_is_recognized_by_its_field_name(name):
    assert sources({name: "Harvard Yard"})["address"] == name


def test_the_address_is_recognized_by_its_values():
    assert sources({"where": "7 Waterhouse Street"}, {"where": "30 Elmwood Avenue"})["address"] == "where"


def test_an_address_of_another_kind_is_not_the_address():
    assert "address" not in sources({"mailing": "7 Waterhouse Street"})


def test_an_address_in_two_fields_is_a_template():
    record = {"addr:street": "Elmwood Avenue", "addr:housenumber": "30"}

    assert sources(record)["address"] == "{addr:housenumber} {addr:street}"


def test_an_address_with_a_house_number_needs_no_template():
    assert sources({"addr:street": "30 Elmwood Avenue", "addr:housenumber": "30"})["address"] == "addr:street"


@pytest.mark.parametrize("name", ["City", "addr:city", "TOWN", "Municipality", "city_name", "Ort"])
def test_the_city_is_recognized_by_its_field_name(name):
    assert sources({name: "Cambridge"})["city"] == name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("image", "https://example.edu/show?id=7"),
        ("PICURL", "https://example.edu/a.jpg"),
        ("PHOTO_FILE", "03281 W elev.png"),
        ("media", "a.jpg"),
    ],
)
def test_the_image_is_recognized_by_its_values(name, value):
    assert sources({name: value})["image"] == name


@pytest.mark.parametrize(("name", "value"), [("image", "yes"), ("website", "https://example.edu/"), ("photo_date", 7)])
def test_other_values_are_not_images(name, value):
    assert "image" not in sources({name: value})


def test_a_photo_is_preferred_to_a_thumbnail():
    assert sources({"thumb": "a.jpg", "photo_url": "https://example.edu/a"})["image"] == "photo_url"


def test_an_alias_counts_as_a_field_name():
    guessed = sources({"F1": "Widener", "F2": "04425"}, aliases={"F1": "Building Name", "F2": "Root", "F3": 7})

    assert guessed == {"id": "F2", "name": "F1"}


@pytest.mark.parametrize("name", ["id", "ref", "Root", "BLDG_ID", "Building Number", "FAC_CODE", "bldgNo", "OBJECTID"])
def test_the_id_is_recognized_by_its_field_name(name):
    assert sources({"A": 1, name: 20}, {"A": 2, name: 10})["id"] == name


def test_an_id_is_preferred_to_a_row_number():
    assert sources({"OBJECTID": 1, "Root": "03281"}, {"OBJECTID": 2, "Root": "04425"})["id"] == "Root"


def test_distinct_integers_of_any_name_may_be_ids():
    assert sources({"PIN14": "28273000050000"})["id"] == "PIN14"


@pytest.mark.parametrize("name", ["Year Built", "SHAPE_Area", "ZIP", "floors", "addr:housenumber"])
def test_measures_are_not_ids(name):
    assert sources({name: 1960}, {name: 1880}) == {}


def test_a_complete_field_is_preferred_as_the_id():
    records = [{"ref": number if number < 6 else None, "plan": 100 + number} for number in range(10)]

    assert sources(*records)["id"] == "plan"


def test_integers_of_less_than_half_of_the_features_are_not_ids():
    assert sources({"plan": 1}, {"plan": "a"}, {"plan": "a"}) == {}


@pytest.mark.parametrize("name", ["@id", "id", "ref", "Root", "BLDG_CODE", "GlobalID", "Building Number"])
def test_integers_are_assigned_to_a_text_id(name):
    guessed = guess({"stroke": "a", name: "way/7", "level": 1}, {"stroke": "b", name: "way/8", "level": 1})["id"]

    assert (guessed.source, guessed.is_assigned) == (name, True)


@pytest.mark.parametrize("name", ["house_number", "zip code", "layer id"])
def test_a_text_of_another_name_is_no_id(name):
    assert "id" not in guess({name: "a"}, {name: "b"})


def test_a_text_that_is_the_same_in_most_features_is_no_id():
    assert "id" not in guess({"id": "a"}, {"id": "a"}, {"id": "a"}, {"id": "b"}, {"id": "b"})


def test_a_text_that_parts_of_buildings_share_is_an_id():
    guessed = guess({"code": "a"}, {"code": "a"}, {"code": "b"})["id"]

    assert (guessed.source, guessed.warnings[-1]) == ("code", PARTS)


def test_a_name_that_is_different_in_all_features_is_preferred_to_a_code_that_some_lack_or_share():
    codes = ["LIB", "GYM", None, "LIB"]
    records = [{"name": f"Hall {number}", "abbreviation": code} for number, code in enumerate(codes)]

    assert sources(*records)["id"] == "name"


@pytest.mark.parametrize("name", ["abbr", "slug", "ABBREV", "Acronym", "code", "BldgAbbr", "short_name", "GlobalID"])
def test_an_abbreviation_is_preferred_to_a_row_number_and_to_the_name(name):
    records = [{"OBJECTID": number, "NAME": f"Hall {number}", name: f"H{number}"} for number in range(3)]

    assert sources(*records) == {"id": name, "name": "NAME"}


def test_without_an_id_the_name_is_the_id():
    guessed = guess({"Title": "Widener", "city": "Boston"}, {"Title": "Houghton", "city": "Boston"})

    assert (guessed["id"].source, guessed["id"].is_assigned, guessed["name"].source) == ("Title", True, "Title")


@pytest.mark.parametrize("name", ["Occupants", "PLZ", "Rooms"])
def test_a_name_is_preferred_to_an_integer_that_is_not_named_like_an_id(name):
    assert sources(*({"NAME": f"Hall {number}", name: 1200 + 17 * number} for number in range(9)))["id"] == "NAME"


def test_an_integer_of_any_name_is_preferred_to_a_name_that_buildings_share():
    assert (
        sources(*({"NAME": f"Hall {number // 2}", "plan": 1200 + 17 * number} for number in range(9)))["id"] == "plan"
    )


def test_without_an_id_and_a_name_any_short_text_that_is_different_in_all_features_is_the_id():
    assert sources({"Haus": "A 1", "Flügel": "Nord"}, {"Haus": "A 2", "Flügel": "Nord"}) == {"id": "Haus"}


def test_a_long_text_is_no_id():
    assert sources(*({"history": f"Built for {number} students. " * 5} for number in range(3))) == {}


@pytest.mark.parametrize("name", ["GSF", "gross_area", "SQFT", "max_capacity"])
def test_a_quantity_is_no_id(name):
    assert "id" not in sources(*({name: 1200 + 17 * number} for number in range(9)))


def test_integers_are_assigned_if_the_integers_of_the_export_are_not_all_different():
    guessed = guess(*({"ref": number // 2, "@id": f"way/{number}"} for number in range(10)))["id"]

    assert (guessed.source, guessed.is_assigned) == ("@id", True)


def test_features_without_the_text_id_are_a_warning():
    guessed = guess(*({"id": f"way-{number}" if number else None} for number in range(20)))["id"]

    assert guessed.warnings == (
        "No integer is different in all features: the database assigns integers to this text.",
        '1 feature has no "id" and cannot be loaded.',
    )


def test_a_constant_integer_is_not_an_id():
    assert sources({"id": 1}, {"id": 1}, {"id": 1}) == {}


def test_missing_and_duplicate_ids_are_warnings():
    guesses = guess({"id": 5}, {"id": 6}, {"id": 6}, {"id": 9}, {"id": None})

    assert guesses["id"].warnings == (
        '1 feature has no integer in "id" and cannot be loaded.',
        PARTS,
    )


@pytest.mark.parametrize(
    ("name", "values"), [("OBJECTID", [70, 12, 81]), ("FID", [4, 9]), ("id", [1, 2, 3]), ("id", [0, 1, 2])]
)
def test_a_likely_row_number_is_a_warning(name, values):
    guesses = guess(*({name: value} for value in values))

    assert guesses["id"].warnings == ("The id looks like a row number: check that it is the same in the next export.",)


@pytest.mark.parametrize("values", [[1, 2], [2, 3, 4], [1, 3, 4]])
def test_other_ids_are_not_row_numbers(values):
    assert guess(*({"id": value} for value in values))["id"].warnings == ()


@pytest.mark.parametrize("name", ["{id}", "i{d", " ", "id\ud800"])
def test_a_field_that_a_profile_cannot_name_is_not_guessed(name):
    assert sources({name: 7}) == {}


def test_more_ids_than_can_be_counted_may_be_unique():
    field = FieldStats("id", distinct=BoundedSet(max_size=2))
    for number in (7, 8, 9, 11):
        field.add(number)

    guesses = guess_fields([field], {}, records=4)

    assert (guesses["id"].source, guesses["id"].warnings) == ("id", ())
