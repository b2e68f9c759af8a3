from loaders.inference.field_guesser import guess_fields
from loaders.inference.field_stats import FieldStats

PARTS = "Some features have the same id: with `merge`, footprints of one name and address are one building."


def guess(*records, aliases=None):
    fields = {name: FieldStats(name, (aliases or {}).get(name)) for record in records for name in record}
    for record in records:
        for name, value in record.items():
            fields[name].add(value)
    return guess_fields(fields.values(), len(records))


def expressions(*records, aliases=None):
    return {field: best.expressions for field, best in guess(*records, aliases=aliases).items()}


def test_texts_are_recognized_by_their_field_names_or_values():
    url = "https://example.edu/show?id=7"
    for field, value, names in [
        ("name", "Widener", ["NAME", "BLDG_NAME", "SITE_NAME", "HISTORIC_N", "sitename", "Title", "Gebäude"]),
        ("name", "Widener", ["Building_HU.Title"]),
        ("address", "Harvard Yard", ["Full Address", "STREET_ADDRESS", "FULL_ADDR", "addr:full", "street", "Adresse"]),
        ("address", "Harvard Yard", ["LONG_ADDRE"]),
        ("address", "7 Waterhouse Street", ["where"]),
        ("city", "Cambridge", ["City", "addr:city", "TOWN", "Municipality", "city_name", "Ort"]),
        ("image", url, ["image"]),
        ("image", "https://example.edu/a.jpg", ["PICURL"]),
        ("image", "03281 W elev.png", ["PHOTO_FILE", "media"]),
    ]:
        for name in names:
            assert expressions({name: value, "remark": "old"})[field] == name, name
    for field, value, names in [
        ("name", "A", ["STREET_NAME", "file_name", "OwnerName", "CITY_NAME", "alt_name", "Layer Name"]),
        ("name", 7, ["name"]),
        ("address", "7 Waterhouse Street", ["mailing"]),
        ("address", "30 mph", ["maxspeed"]),
        ("image", "yes", ["image"]),
        ("image", "https://example.edu/", ["website"]),
        ("image", 7, ["photo_date"]),
    ]:
        for name in names:
            assert field not in expressions({name: value}), name


def test_most_values_of_a_name_are_texts():
    for values, is_name in [(["a", 1], True), (["a", 1, 2], False)]:
        assert ("name" in expressions(*({"NAME": value} for value in values))) is is_name, values


def test_one_of_several_fields_is_preferred():
    same = [{"NAME": "Main Campus", "BLDG_NAME": f"Hall {number}"} for number in range(3)]
    incomplete = [{"ref": number if number < 6 else None, "plan": 100 + number} for number in range(10)]
    codes = [{"name": f"Hall {number}", "abbr": code} for number, code in enumerate(["LIB", "GYM", None, "LIB"])]
    plans = [(index, 1200 + 17 * index) for index in range(9)]
    # A name is preferred to an integer that is not named like an id unless buildings share it.
    named = [[{"NAME": f"Hall {plan}", name: plan} for _, plan in plans] for name in ("Occupants", "PLZ", "Rooms")]
    for records, field, name in [
        ([{"hall_name": "A", "name": "B", "title": "C"}], "name", "name"),
        (same, "name", "BLDG_NAME"),
        (same[:2], "name", "NAME"),
        ([{"thumb": "a.jpg", "photo_url": "https://example.edu/a"}], "image", "photo_url"),
        ([{"OBJECTID": 1, "Root": "03281"}, {"OBJECTID": 2, "Root": "04425"}], "id", "Root"),
        ([{"OBJECTID": row, "id": row, "BldgNo": row + 11} for row in (1, 2, 5)], "id", "BldgNo"),
        ([{"_id": row, "BuildingID": row + 11} for row in (1, 2, 3)], "id", "BuildingID"),
        (incomplete, "id", "plan"),
        (codes, "id", "name"),
        *((records, "id", "NAME") for records in named),
        ([{"NAME": f"Hall {index // 2}", "plan": plan} for index, plan in plans], "id", "plan"),
        ([{"Title": "Widener", "city": "Boston"}, {"Title": "Houghton", "city": "Boston"}], "id", "Title"),
        ([{"Haus": "A 1", "Flügel": "Nord"}, {"Haus": "A 2", "Flügel": "Nord"}], "id", "Haus"),
        ([{"ref": number // 2, "@id": f"way/{number}"} for number in range(10)], "id", "@id"),
    ]:
        best = guess(*records)[field]
        is_text = any(isinstance(record[name], str) and not record[name].isdigit() for record in records)
        assert (best.expressions, best.is_assigned) == (name, field == "id" and is_text), records


def test_a_full_name_is_preferred_to_a_nickname_or_code():
    others = {"nickname": "full_name", "BLDG_NICKNAME": "BLDG_NAME", "nick_name": "building", "codename": "title"}
    names = {"building": "official name", "common_name": "LongName", "abbr_name": "display_name"}
    languages = {"name:fr": "name:en", "label.de": "label.en"}
    for other, name in {**others, **names, **languages}.items():
        assert expressions({other: "Widener", name: "Widener"})["name"] == name, other
    assert expressions({"nickname": "Widener"})["name"] == "nickname"


def test_fields_are_ids_by_their_names_and_values():
    names = ["id", "ref", "Root", "BLDG_ID", "Building Number", "FAC_CODE", "bldgNo", "No.", "Número", "OBJECTID"]
    for name in (*names, "Bldg #", "Building#", "Gebäudenummer", "gebouwnummer"):
        assert expressions({"A": 1, name: 20}, {"A": 2, name: 10})["id"] == name, name
    for name, values, is_id in [
        ("plan", [1, "a", "a"], False),
        ("id", [1, 1, 1], False),
        *((name, [1, 1, 2], False) for name in ("plan", "total_students", "room no")),
        ("PIN14", ["28273000050000"], True),
        ("id", ["a", "a", "a", "b", "b"], False),
        *((name, ["a", "b"], False) for name in ("house_number", "zip code", "layer id")),
        ("history", [f"Built for {number} students. " * 5 for number in range(3)], False),
    ]:
        assert ("id" in expressions(*({name: value} for value in values))) is is_id, (name, values)
    shared = guess({"code": "a"}, {"code": "a"}, {"code": "b"})["id"]
    assert (shared.expressions, shared.warnings[-1]) == ("code", PARTS)


def test_the_address_is_the_id_of_features_without_an_id_or_a_name():
    records = [{"students": 20 * (index // 2), "place": f"{index} College Road"} for index in range(9)]

    best = guess(*records)
    assert (best["id"].expressions, best["id"].is_assigned, best["address"].expressions) == ("place", True, "place")


def test_a_distinct_text_that_is_no_address_code_kind_or_url_is_the_name():
    halls = ["Alpha Haus", "Главный корпус", "图书馆"]
    for name in ("Наименование", "名称", "denominazione", "bâtiment"):
        codes = {"kod": ["A1", "B2", "C3"], "adresa": ["Hlavní 5", "Dlouhá 12", "Nová 7a"], "druh": ["škola"] * 3}
        others = codes | {"web": ["http://a.cz", "http://b.cz", "http://c.cz"], "kurz": ["LIB", "GYM", "LAB"]}
        others |= {"kontakt": ["a@x.cz", "b@x.cz", "c@x.cz"], "typ": ["hall", "lab", "gym"], "bldg": ["B1", "B2", "B3"]}
        records = [{key: values[index] for key, values in {**others, name: halls}.items()} for index in range(3)]

        assert expressions(*records)["name"] == name, name
        for record in records:
            del record["kod"], record[name]
        assert "name" not in expressions(*records), name


def test_an_address_in_two_fields_is_a_template():
    template = "{addr:housenumber} {addr:street}"
    for street, expression in [("Elmwood Avenue", template), ("30 Elmwood Avenue", "addr:street")]:
        assert expressions({"addr:street": street, "addr:housenumber": "30"})["address"] == expression, street


def test_an_alias_counts_as_a_field_name():
    guessed = expressions({"F1": "Widener", "F2": "04425"}, aliases={"F1": "Building Name", "F2": "Root", "F3": 7})

    assert guessed == {"id": "F2", "name": "F1"}


def test_measures_and_quantities_are_not_ids():
    for name in ("Year Built", "SHAPE_Area", "ZIP", "floors", "addr:housenumber"):
        assert expressions({name: 1960}, {name: 1880}) == {}, name
    for name in ("GSF", "gross_area", "SQFT", "max_capacity"):
        assert "id" not in expressions(*({name: 1200 + 17 * number} for number in range(9))), name


def test_an_abbreviation_is_preferred_to_a_row_number_and_to_the_name():
    for name in ("abbr", "slug", "ABBREV", "Acronym", "code", "BldgAbbr", "short_name", "GlobalID"):
        records = [{"OBJECTID": number, "NAME": f"Hall {number}", name: f"H{number}"} for number in range(3)]

        assert expressions(*records) == {"id": name, "name": "NAME"}, name


def test_features_without_the_id_and_duplicate_ids_are_warnings():
    texts = guess(*({"id": f"way-{number}" if number else None} for number in range(20)))["id"]
    integers = guess({"id": 5}, {"id": 6}, {"id": 6}, {"id": 9}, {"id": None})["id"]

    assigned = "No integer is known to be an ID: the database assigns integers to this text."
    assert texts.warnings == (assigned, '1 feature has no "id" and cannot be loaded.')
    assert integers.warnings == ('1 feature has no integer in "id" and cannot be loaded.', PARTS)


def test_a_likely_row_number_is_a_warning():
    warning = "The id looks like a row number: check that it is the same in the next export."
    for name, values, is_likely in [
        *((name, [4, 9], True) for name in ("OBJECTID", "FID")),
        *(("id", values, True) for values in ([1, 2, 3], [0, 1, 2])),
        *(("id", values, False) for values in ([1, 2], [2, 3, 4], [1, 3, 4])),
    ]:
        expected = (warning,) if is_likely else ()
        assert guess(*({name: value} for value in values))["id"].warnings == expected, (name, values)


def test_a_field_that_a_profile_cannot_name_is_not_guessed():
    for name in ("{id}", "i{d", " ", "id\ud800"):
        assert expressions({name: 7}) == {}, name
