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


def test_a_field_name_is_split_into_words():
    for name, words in [
        ("BLDG_NAME", "bldg name"),
        ("Building_HU.Primary_Building_Name", "primary building name"),
        ("buildingName", "building name"),
        ("addr:housenumber", "addr housenumber"),
        ("HISTORIC_N", "historic name"),
        ("LONG_ADDRE", "long address"),
        ("PROPERTY_T", "property t"),
        ("PIN14", "pin 14"),
        ("...", ""),
    ]:
        assert split_words(name) == words, name


def test_texts_are_recognized_by_their_field_names_or_values():
    url = "https://example.edu/show?id=7"
    for field, value, names in [
        ("name", "Widener", ["NAME", "BLDG_NAME", "SITE_NAME", "HISTORIC_N", "sitename", "Title", "Gebäude"]),
        ("address", "Harvard Yard", ["Full Address", "STREET_ADDRESS", "FULL_ADDR", "addr:full", "street", "Adresse"]),
        ("address", "7 Waterhouse Street", ["where"]),
        ("city", "Cambridge", ["City", "addr:city", "TOWN", "Municipality", "city_name", "Ort"]),
        ("image", url, ["image"]),
        ("image", "https://example.edu/a.jpg", ["PICURL"]),
        ("image", "03281 W elev.png", ["PHOTO_FILE", "media"]),
    ]:
        for name in names:
            assert sources({name: value, "remark": "old"})[field] == name, name
    for field, value, names in [
        ("name", "A", ["STREET_NAME", "file_name", "OwnerName", "CITY_NAME", "alt_name", "Layer Name"]),
        ("name", 7, ["name"]),
        ("address", "7 Waterhouse Street", ["mailing"]),
        ("image", "yes", ["image"]),
        ("image", "https://example.edu/", ["website"]),
        ("image", 7, ["photo_date"]),
    ]:
        for name in names:
            assert field not in sources({name: value}), name


def test_one_of_several_fields_is_preferred():
    same = [{"NAME": "Main Campus", "BLDG_NAME": f"Hall {number}"} for number in range(3)]
    incomplete = [{"ref": number if number < 6 else None, "plan": 100 + number} for number in range(10)]
    for records, field, source in [
        ([{"hall_name": "A", "name": "B", "title": "C"}], "name", "name"),
        (same, "name", "BLDG_NAME"),
        (same[:2], "name", "NAME"),
        ([{"thumb": "a.jpg", "photo_url": "https://example.edu/a"}], "image", "photo_url"),
        ([{"OBJECTID": 1, "Root": "03281"}, {"OBJECTID": 2, "Root": "04425"}], "id", "Root"),
        (incomplete, "id", "plan"),
    ]:
        assert sources(*records)[field] == source, records


def test_a_full_name_is_preferred_to_a_nickname_or_code():
    for names in (
        ("nickname", "full_name"),
        ("BLDG_NICKNAME", "BLDG_NAME"),
        ("nick_name", "building"),
        ("building", "official name"),
        ("common_name", "LongName"),
        ("codename", "title"),
        ("abbr_name", "display_name"),
    ):
        assert sources(dict.fromkeys(names, "Widener"))["name"] == names[1], names
    assert sources({"nickname": "Widener"})["name"] == "nickname"


def test_fields_are_ids_by_their_names_and_values():
    for name in ("id", "ref", "Root", "BLDG_ID", "Building Number", "FAC_CODE", "bldgNo", "OBJECTID"):
        assert sources({"A": 1, name: 20}, {"A": 2, name: 10})["id"] == name, name
    for name, values, is_id in [
        ("plan", [1, "a", "a"], False),
        ("id", [1, 1, 1], False),
        ("plan", [1, 1, 2], True),
        ("PIN14", ["28273000050000"], True),
        ("id", ["a", "a", "a", "b", "b"], False),
        *((name, ["a", "b"], False) for name in ("house_number", "zip code", "layer id")),
        ("history", [f"Built for {number} students. " * 5 for number in range(3)], False),
    ]:
        assert ("id" in sources(*({name: value} for value in values))) is is_id, (name, values)
    shared = guess({"code": "a"}, {"code": "a"}, {"code": "b"})["id"]
    assert (shared.source, shared.warnings[-1]) == ("code", PARTS)


def test_an_address_in_two_fields_is_a_template():
    for street, source in [
        ("Elmwood Avenue", "{addr:housenumber} {addr:street}"),
        ("30 Elmwood Avenue", "addr:street"),
    ]:
        assert sources({"addr:street": street, "addr:housenumber": "30"})["address"] == source, street


def test_an_alias_counts_as_a_field_name():
    guessed = sources({"F1": "Widener", "F2": "04425"}, aliases={"F1": "Building Name", "F2": "Root", "F3": 7})

    assert guessed == {"id": "F2", "name": "F1"}


def test_measures_and_quantities_are_not_ids():
    for name in ("Year Built", "SHAPE_Area", "ZIP", "floors", "addr:housenumber"):
        assert sources({name: 1960}, {name: 1880}) == {}, name
    for name in ("GSF", "gross_area", "SQFT", "max_capacity"):
        assert "id" not in sources(*({name: 1200 + 17 * number} for number in range(9))), name


def test_integers_are_assigned_to_a_text_id():
    for name in ("@id", "id", "ref", "Root", "BLDG_CODE", "GlobalID", "Building Number"):
        guessed = guess({"stroke": "a", name: "way/7", "level": 1}, {"stroke": "b", name: "way/8", "level": 1})["id"]

        assert (guessed.source, guessed.is_assigned) == (name, True), name


def test_a_name_that_is_different_in_all_features_is_preferred_to_a_code_that_some_lack_or_share():
    codes = ["LIB", "GYM", None, "LIB"]
    records = [{"name": f"Hall {number}", "abbreviation": code} for number, code in enumerate(codes)]

    assert sources(*records)["id"] == "name"


def test_an_abbreviation_is_preferred_to_a_row_number_and_to_the_name():
    for name in ("abbr", "slug", "ABBREV", "Acronym", "code", "BldgAbbr", "short_name", "GlobalID"):
        records = [{"OBJECTID": number, "NAME": f"Hall {number}", name: f"H{number}"} for number in range(3)]

        assert sources(*records) == {"id": name, "name": "NAME"}, name


def test_without_an_id_the_name_is_the_id():
    guessed = guess({"Title": "Widener", "city": "Boston"}, {"Title": "Houghton", "city": "Boston"})

    assert (guessed["id"].source, guessed["id"].is_assigned, guessed["name"].source) == ("Title", True, "Title")


def test_a_name_is_preferred_to_an_integer_that_is_not_named_like_an_id_unless_buildings_share_it():
    integers = [1200 + 17 * number for number in range(9)]
    for name in ("Occupants", "PLZ", "Rooms"):
        records = ({"NAME": f"Hall {integer}", name: integer} for integer in integers)
        assert sources(*records)["id"] == "NAME", name
    shared = ({"NAME": f"Hall {index // 2}", "plan": integer} for index, integer in enumerate(integers))
    assert sources(*shared)["id"] == "plan"


def test_without_an_id_and_a_name_any_short_text_that_is_different_in_all_features_is_the_id():
    assert sources({"Haus": "A 1", "Flügel": "Nord"}, {"Haus": "A 2", "Flügel": "Nord"}) == {"id": "Haus"}


def test_integers_are_assigned_if_the_integers_of_the_export_are_not_all_different():
    guessed = guess(*({"ref": number // 2, "@id": f"way/{number}"} for number in range(10)))["id"]

    assert (guessed.source, guessed.is_assigned) == ("@id", True)


def test_features_without_the_text_id_are_a_warning():
    guessed = guess(*({"id": f"way-{number}" if number else None} for number in range(20)))["id"]

    assert guessed.warnings == (
        "No integer is different in all features: the database assigns integers to this text.",
        '1 feature has no "id" and cannot be loaded.',
    )


def test_missing_and_duplicate_ids_are_warnings():
    guesses = guess({"id": 5}, {"id": 6}, {"id": 6}, {"id": 9}, {"id": None})

    assert guesses["id"].warnings == ('1 feature has no integer in "id" and cannot be loaded.', PARTS)


def test_a_likely_row_number_is_a_warning():
    warning = "The id looks like a row number: check that it is the same in the next export."
    for name, values, warnings in [
        ("OBJECTID", [70, 12, 81], (warning,)),
        ("FID", [4, 9], (warning,)),
        ("id", [1, 2, 3], (warning,)),
        ("id", [0, 1, 2], (warning,)),
        ("id", [1, 2], ()),
        ("id", [2, 3, 4], ()),
        ("id", [1, 3, 4], ()),
    ]:
        assert guess(*({name: value} for value in values))["id"].warnings == warnings, (name, values)


def test_a_field_that_a_profile_cannot_name_is_not_guessed():
    for name in ("{id}", "i{d", " ", "id\ud800"):
        assert sources({name: 7}) == {}, name


def test_more_ids_than_can_be_counted_may_be_unique():
    field = FieldStats("id", distinct=BoundedSet(max_size=2))
    for number in (7, 8, 9, 11):
        field.add(number)

    guesses = guess_fields([field], {}, records=4)

    assert (guesses["id"].source, guesses["id"].warnings) == ("id", ())
