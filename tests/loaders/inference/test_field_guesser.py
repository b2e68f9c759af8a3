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


def test_the_name_is_recognized_by_its_field_name():
    for name in ("name", "NAME", "Name", "BLDG_NAME", "SITE_NAME", "HISTORIC_N", "sitename", "Title", "Gebäude"):
        assert sources({name: "Widener Library", "remark": "old"})["name"] == name, name


def test_names_of_other_things_and_numbers_are_not_the_name():
    for name in ("STREET_NAME", "file_name", "OwnerName", "CITY_NAME", "alt_name", "Layer Name"):
        assert "name" not in sources({name: "Massachusetts"}), name
    assert "name" not in sources({"name": 7})


def test_the_plainest_field_name_wins():
    assert sources({"hall_name": "A", "name": "B", "title": "C"})["name"] == "name"


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


def test_a_text_that_is_the_same_in_all_features_is_not_the_name():
    records = [{"NAME": "Main Campus", "BLDG_NAME": f"Hall {number}"} for number in range(3)]

    assert sources(*records)["name"] == "BLDG_NAME"
    assert sources(*records[:2])["name"] == "NAME"


def test_the_address_is_recognized_by_its_field_name():
    for name in ("ADDRESS", "Full Address", "STREET_ADDRESS", "FULL_ADDR", "addr:full", "street", "Adresse"):
        assert sources({name: "Harvard Yard"})["address"] == name, name


def test_the_address_is_recognized_by_its_values_but_not_an_address_of_another_kind():
    assert sources({"where": "7 Waterhouse Street"}, {"where": "30 Elmwood Avenue"})["address"] == "where"
    assert "address" not in sources({"mailing": "7 Waterhouse Street"})


def test_an_address_in_two_fields_is_a_template():
    for street, source in [
        ("Elmwood Avenue", "{addr:housenumber} {addr:street}"),
        ("30 Elmwood Avenue", "addr:street"),
    ]:
        assert sources({"addr:street": street, "addr:housenumber": "30"})["address"] == source, street


def test_the_city_is_recognized_by_its_field_name():
    for name in ("City", "addr:city", "TOWN", "Municipality", "city_name", "Ort"):
        assert sources({name: "Cambridge"})["city"] == name, name


def test_the_image_is_recognized_by_its_values():
    for name, value in [
        ("image", "https://example.edu/show?id=7"),
        ("PICURL", "https://example.edu/a.jpg"),
        ("PHOTO_FILE", "03281 W elev.png"),
        ("media", "a.jpg"),
    ]:
        assert sources({name: value})["image"] == name, name


def test_other_values_are_not_images():
    for name, value in [("image", "yes"), ("website", "https://example.edu/"), ("photo_date", 7)]:
        assert "image" not in sources({name: value}), name


def test_a_photo_is_preferred_to_a_thumbnail():
    assert sources({"thumb": "a.jpg", "photo_url": "https://example.edu/a"})["image"] == "photo_url"


def test_an_alias_counts_as_a_field_name():
    guessed = sources({"F1": "Widener", "F2": "04425"}, aliases={"F1": "Building Name", "F2": "Root", "F3": 7})

    assert guessed == {"id": "F2", "name": "F1"}


def test_the_id_is_recognized_by_its_field_name():
    for name in ("id", "ref", "Root", "BLDG_ID", "Building Number", "FAC_CODE", "bldgNo", "OBJECTID"):
        assert sources({"A": 1, name: 20}, {"A": 2, name: 10})["id"] == name, name


def test_an_id_is_preferred_to_a_row_number():
    assert sources({"OBJECTID": 1, "Root": "03281"}, {"OBJECTID": 2, "Root": "04425"})["id"] == "Root"


def test_distinct_integers_of_any_name_may_be_ids():
    assert sources({"PIN14": "28273000050000"})["id"] == "PIN14"


def test_measures_and_quantities_are_not_ids():
    for name in ("Year Built", "SHAPE_Area", "ZIP", "floors", "addr:housenumber"):
        assert sources({name: 1960}, {name: 1880}) == {}, name
    for name in ("GSF", "gross_area", "SQFT", "max_capacity"):
        assert "id" not in sources(*({name: 1200 + 17 * number} for number in range(9))), name


def test_a_complete_field_is_preferred_as_the_id():
    records = [{"ref": number if number < 6 else None, "plan": 100 + number} for number in range(10)]

    assert sources(*records)["id"] == "plan"


def test_integers_of_less_than_half_of_the_features_or_all_the_same_are_not_ids():
    assert sources({"plan": 1}, {"plan": "a"}, {"plan": "a"}) == {}
    assert sources({"id": 1}, {"id": 1}, {"id": 1}) == {}
    assert sources({"plan": 1}, {"plan": 1}, {"plan": 2}) == {"id": "plan"}


def test_integers_are_assigned_to_a_text_id():
    for name in ("@id", "id", "ref", "Root", "BLDG_CODE", "GlobalID", "Building Number"):
        guessed = guess({"stroke": "a", name: "way/7", "level": 1}, {"stroke": "b", name: "way/8", "level": 1})["id"]

        assert (guessed.source, guessed.is_assigned) == (name, True), name


def test_a_text_of_another_name_or_that_most_features_share_is_no_id():
    for name in ("house_number", "zip code", "layer id"):
        assert "id" not in guess({name: "a"}, {name: "b"}), name
    assert "id" not in guess({"id": "a"}, {"id": "a"}, {"id": "a"}, {"id": "b"}, {"id": "b"})


def test_a_text_that_parts_of_buildings_share_is_an_id():
    guessed = guess({"code": "a"}, {"code": "a"}, {"code": "b"})["id"]

    assert (guessed.source, guessed.warnings[-1]) == ("code", PARTS)


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


def test_a_long_text_is_no_id():
    assert sources(*({"history": f"Built for {number} students. " * 5} for number in range(3))) == {}


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
