import pytest

from loaders.inference.field_guesser import guesses, label_of
from loaders.inference.field_stats import Tallies


def guess(*records, aliases=None):
    tallies = Tallies()
    for record in records:
        tallies.add(record)
    return guesses(tallies, aliases or {}, len(records))


def sources(*records, aliases=None):
    return {field: guessed.source for field, guessed in guess(*records, aliases=aliases).items()}


@pytest.mark.parametrize(
    ("name", "label"),
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
def test_a_label_has_the_words_of_a_field(name, label):
    assert label_of(name) == label


@pytest.mark.parametrize("name", ["name", "NAME", "Name", "BLDG_NAME", "SITE_NAME", "HISTORIC_N", "sitename", "Title"])
def test_the_name_is_found_by_the_name_of_its_field(name):
    assert sources({name: "Widener Library", "remark": "old"})["name"] == name


@pytest.mark.parametrize("name", ["STREET_NAME", "file_name", "OwnerName", "CITY_NAME", "alt_name", "Layer Name"])
def test_names_of_something_else_are_no_names(name):
    assert "name" not in sources({name: "Massachusetts"})


def test_the_plainest_sign_of_a_name_wins():
    assert sources({"hall_name": "A", "name": "B", "title": "C"})["name"] == "name"


def test_numbers_are_no_names():
    assert "name" not in sources({"name": 7})


@pytest.mark.parametrize("name", ["ADDRESS", "Full Address", "STREET_ADDRESS", "FULL_ADDR", "addr:full", "street"])
def test_the_address_is_found_by_the_name_of_its_field(name):
    assert sources({name: "Harvard Yard"})["address"] == name


def test_the_address_is_found_by_its_values():
    assert sources({"where": "7 Waterhouse Street"}, {"where": "30 Elmwood Avenue"})["address"] == "where"


def test_an_address_of_something_else_is_no_address():
    assert "address" not in sources({"mailing": "7 Waterhouse Street"})


def test_an_address_in_two_fields_is_a_template():
    given = {"addr:street": "Elmwood Avenue", "addr:housenumber": "30"}

    assert sources(given)["address"] == "{addr:housenumber} {addr:street}"


def test_an_address_that_has_its_number_needs_no_other_field():
    assert sources({"addr:street": "30 Elmwood Avenue", "addr:housenumber": "30"})["address"] == "addr:street"


@pytest.mark.parametrize("name", ["City", "addr:city", "TOWN", "Municipality", "city_name"])
def test_the_city_is_found_by_the_name_of_its_field(name):
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
def test_the_image_is_found_by_its_values(name, value):
    assert sources({name: value})["image"] == name


@pytest.mark.parametrize(("name", "value"), [("image", "yes"), ("website", "https://example.edu/"), ("photo_date", 7)])
def test_what_shows_no_image_is_no_image(name, value):
    assert "image" not in sources({name: value})


def test_a_photo_is_a_better_image_than_its_thumbnail():
    assert sources({"thumb": "a.jpg", "photo_url": "https://example.edu/a"})["image"] == "photo_url"


def test_an_alias_is_as_good_as_the_name_of_a_field():
    found = sources({"F1": "Widener", "F2": "04425"}, aliases={"F1": "Building Name", "F2": "Root", "F3": 7})

    assert found == {"id": "F2", "name": "F1"}


@pytest.mark.parametrize("name", ["id", "ref", "Root", "BLDG_ID", "Building Number", "FAC_CODE", "bldgNo", "OBJECTID"])
def test_the_id_is_found_by_the_name_of_its_field(name):
    assert sources({"A": 1, name: 20}, {"A": 2, name: 10})["id"] == name


def test_an_id_is_better_than_a_row_number():
    assert sources({"OBJECTID": 1, "Root": "03281"}, {"OBJECTID": 2, "Root": "04425"})["id"] == "Root"


def test_integers_that_nobody_knows_may_be_ids():
    assert sources({"PIN14": "28273000050000"})["id"] == "PIN14"


@pytest.mark.parametrize("name", ["Year Built", "SHAPE_Area", "ZIP", "floors", "addr:housenumber"])
def test_measures_are_no_ids(name):
    assert sources({name: 1960}, {name: 1880}) == {}


def test_a_complete_field_is_a_better_id_than_one_with_gaps():
    records = [{"ref": number if number < 6 else None, "plan": 100 + number} for number in range(10)]

    assert sources(*records)["id"] == "plan"


def test_integers_of_less_than_half_of_the_features_are_no_ids():
    assert sources({"id": 1}, {"id": "a"}, {"id": "b"}) == {}


def test_the_same_integer_everywhere_is_no_id():
    assert sources({"id": 1}, {"id": 1}, {"id": 1}) == {}


def test_what_speaks_against_an_id_is_said():
    found = guess({"id": 5}, {"id": 6}, {"id": 6}, {"id": 9}, {"id": None})

    assert found["id"].doubts == (
        '1 feature has no integer in "id" and cannot be loaded.',
        "Some features have the same id: they cannot be loaded, unless they are equal.",
    )


@pytest.mark.parametrize(
    ("name", "values"), [("OBJECTID", [70, 12, 81]), ("FID", [4, 9]), ("id", [1, 2, 3]), ("id", [0, 1, 2])]
)
def test_what_looks_like_a_row_number_is_said(name, values):
    found = guess(*({name: value} for value in values))

    assert found["id"].doubts == ("The id looks like a row number: is it the same in the next export?",)


@pytest.mark.parametrize("values", [[1, 2], [2, 3, 4], [1, 3, 4]])
def test_ids_that_do_not_count_the_features_are_no_row_numbers(values):
    assert guess(*({"id": value} for value in values))["id"].doubts == ()


@pytest.mark.parametrize("name", ["{id}", "i{d", " ", "id\ud800"])
def test_a_field_that_a_profile_cannot_name_is_left_out(name):
    assert sources({name: 7}) == {}


def test_more_ids_than_can_be_counted_may_be_all_different(monkeypatch):
    monkeypatch.setattr("loaders.inference.field_stats._MOST_VALUES", 2)

    found = guess(*({"id": value} for value in (7, 8, 9, 11)))

    assert (found["id"].source, found["id"].doubts) == ("id", ())
