import json
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from loaders.result import ReadResult
from loaders.sources.files import open_export
from loaders.syntax.json_stream import JsonRecordReader, read_array
from tests.loaders.errors import error_of, message_of

KEYS = st.text(max_size=3)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def records_in(path, lists=("features",)):
    with open_export(path, ReadResult()) as export:
        reader = JsonRecordReader(export, lists)
        return list(reader), reader


@given(
    records=st.lists(VALUES, max_size=5),
    head=st.dictionaries(KEYS, VALUES, max_size=3),
    indent=st.sampled_from([None, 1]),
)
def test_records_and_members_equal_those_of_the_parsed_text(tmp_path_factory, records, head, indent):
    path = tmp_path_factory.mktemp("json") / "export.json"
    path.write_text(json.dumps({**head, "features": records, "last": head}, indent=indent))

    located, reader = records_in(path)

    assert [value for _, value in located] == records
    assert reader.members == {**head, "features": [], "last": head}
    assert reader.list_name == "features"


def test_a_number_at_a_chunk_boundary_is_read_whole(save):
    for number, length in product((123456789, 12345.6789, 1.5e-7, 2.5e300), range(262_120, 262_150)):
        [[_, text], [_, read]], _ = records_in(save(json.dumps(["x" * length, number])))

        assert (len(text), read) == (length, number), number


def test_a_record_has_its_first_line_and_its_index(save):
    for text, locations in [
        ('{"type": "x",\n"features": [\n{"a":\n1},\n\n{}, {}]}', [(3, 1), (6, 2), (6, 3)]),
        ('{"a": 1}\n{"a": 2}\n\n{"a":\n3}\n{"a": 4}', [(1, 1), (2, 2), (4, 3), (6, 4)]),
    ]:
        records, _ = records_in(save(text))

        assert [location for location, _ in records] == locations, text


def test_other_values_are_members(save):
    for value, members in [({"rows": [1, 2]}, {"rows": [1, 2]}), (7, {"": 7})]:
        records, reader = records_in(save(json.dumps(value)))

        assert (records, reader.list_name, reader.members) == ([], None, members), value
    [record], reader = records_in(save('{"features": [{"id": 1}], "fields": [{"name": "x"}]}'))
    assert (record[1], reader.members["fields"]) == ({"id": 1}, [{"name": "x"}])


def test_keys_may_be_repeated_outside_of_records(save):
    for members in ('"a": 1, "a": {"b": 1}', '"a": {"b": 1}, "a": {"b": 1}', '"a": [{"b": 2, "b": 1}]'):
        records, reader = records_in(save(f'{{"features": [7], {members}}}'))

        assert [value for _, value in records] == [7], members
        assert reader.members["a"] in ({"b": 1}, [{"b": 1}]), members


def test_a_sequence_has_its_values_as_records(save):
    first, second = '{"a": 1}', '{"a":\n2}'
    for separator, start in [("\n", ""), ("\r\n\n ", ""), ("\n\x1e", "\x1e"), ("\x1e", "\x1e")]:
        text = f"{start}{first}{separator}{second}\n"

        records, reader = records_in(save(text))

        assert [value for _, value in records] == [{"a": 1}, {"a": 2}], text
        assert (reader.list_name, reader.members) == (None, {}), text


def test_invalid_json_is_reported_with_its_line(save):
    for text, message in [
        ("", "line 1 is not JSON: "),
        ('{\n"a": 1,\n"b": }', "line 3 is not JSON: "),
        ("[\n1,\n2\n", "line 4 is not JSON: expected ','"),
        ("[1,\n]", "line 2 is not JSON: "),
        ("{1: 2}", "line 1 is not JSON: expected a key in double quotes"),
        ('{"a" 2}', "line 1 is not JSON: expected ':'"),
        ('["cut off', "line 1 is not JSON: Unterminated string"),
        ('["a\nb"]', "line 2 is not JSON: Invalid control character"),
        ("[1]\n[2]", "line 2 has data after the end of its JSON value"),
        ("[\nNaN]", "line 2 has NaN, which is not a JSON number"),
        ('[\n1,\n{"a": -Infinity}]', "line 3 has -Infinity, which is not a JSON number"),
        ('{"features": [],\n"features": []}', "line 2 has another list of records 'features'"),
        ('{"a": {"features": []},\n"features": []}', "line 2 has another list of records 'features'"),
        ('{"a": 1}\n{"a": 1,', "line 2 is not JSON: "),
        ("[\n" + "[" * 100_000, "line 2 is nested too deeply"),
        ("[" + "1" * 5000 + "]", "line 1 has a number with too many digits"),
        (
            '{"a": {"features": [{"id": 1}]}, "b": {"features": [{"id": 1}]}}',
            "has two lists of records, a.features and b.features: save those that you need in separate files",
        ),
    ]:
        assert message_of(records_in, save(text)).startswith(message), text[:99]


def test_what_is_held_in_memory_has_at_most_16_million_characters(save):
    long = "0," * 8_400_000
    for opening in ('[1,\n"', '{"a": 1,\n"b": "'):
        message = message_of(records_in, save(opening + long))
        assert message == "line 2 has a JSON value of more than 16,777,216 characters", opening
    members = ",\n".join(f'"{number}": "{"x" * 9_000_000}"' for number in range(2))
    message = message_of(records_in, save(f"{{{members}}}"))
    assert message == "line 2 has more than 16,777,216 characters outside of its records"


def test_a_record_with_a_duplicate_key_is_invalid(save):
    for text in ('[1,\n{"a": {"c": 2, "c": 3}}]', '{"r": [1,\n{"c": 3, "c": 3}]}', '{}\n{"c": 1, "c": 2}'):
        records, _ = records_in(save(text), ["r"])

        [_, (location, invalid)] = records
        assert (location, invalid.field, invalid.reason) == ((2, 2), "c", "is a duplicate key"), text


def read_only_list(path):
    with open_export(path, ReadResult()) as export:
        return [value for _, value in read_array(export, "rows")]


def test_records_in_another_list_are_an_error(save):
    for value, names in [
        ({"breakfast": [{"dish": "Waffles"}], "lunch": [{"dish": "Soup"}]}, "breakfast and lunch"),
        ({"columns": [{"name": "dish"}], "rows": [{"dish": "Soup"}]}, "columns and rows"),
        ({"days": {"a": {"menu": [{"a": 1}]}, "b": {"others": [None, {"a": 2}]}}}, "days.a.menu and days.b.others"),
    ]:
        path = save(json.dumps(value))

        error = error_of(read_only_list, path)

        reason = f"has two lists of records, {names}: choose or join them in the rows of a profile (docs/data.md)"
        assert str(error) == f"{path}: {reason}", value


def test_other_lists_without_records_are_ignored(save):
    for other in (
        {"dates": ["2026-11-23"]},
        {"others": []},
        {"links": [{"rel": "self", "href": "https://example.edu/menus"}]},
        {"fields": [{"id": "dish", "type": "text"}, {"id": "kcal", "type": "numeric"}]},
    ):
        rows = [{"dish": "Soup"}, {"dish": "Pie", "kcal": 90}]

        assert read_only_list(save(json.dumps({"rows": rows, **other}))) == rows, other
    before = {"links": [{"rel": "self", "href": "https://example.edu/menus"}], "rows": [{"dish": "Soup"}]}
    assert read_only_list(save(json.dumps(before))) == [{"dish": "Soup"}]


def test_a_page_of_several_is_an_error(save):
    nested = json.loads('{"meta":' * 900 + "1" + "}" * 900)
    for members, next_member, total in [
        ({"count": 120, "next": "https://example.edu/buildings?page=2"}, "next", 120),
        ({"links": [{"rel": "self", "href": "a"}, {"rel": "next", "href": "b"}]}, "links", 0),
        ({"meta": {"pagination": {"next_page": 2}}}, "meta.pagination.next_page", 0),
        ({"@odata.nextLink": "b"}, "@odata.nextLink", 0),
        ({"hasMore": True}, "hasMore", 0),
        ({"properties": {"exceededTransferLimit": True}}, "properties.exceededTransferLimit", 0),
        ({"numberMatched": 500, "numberReturned": 1}, None, 500),
        ({"page": 1, "pages": 250, "total": 250}, None, 250),
        ({"_links": {"next": {"href": "b"}}, "page": {"size": 1, "totalElements": 250}}, None, 250),
        ({"count": 1, "next": None}, None, 1),
        ({"_links": {"next": "/api/3/action/datastore_search?offset=100"}}, None, 0),
        ({"totalFeatures": "unknown", "numberMatched": 0}, None, 0),
        ({"count": 1, "total": 1, "page": {"totalElements": 1, "number": 7}}, None, 1),
        ({"total": 0, "count": None, "totalItems": "250", "total_area": 250, "meta": {"total_hits": True}}, None, 0),
        (nested, None, 0),
    ]:
        for value in ({**members, "rows": [{}]}, {"rows": [{}], **members}, {**members, "_embedded": {"rows": [{}]}}):
            path = save(json.dumps(value))

            part = f"a next page, by its {next_member}" if next_member else f"only 1 of {total} rows"
            error = f"{path}: has {part}: save the rows of all pages in one list"
            expected = error if next_member or total > 1 else "None"
            assert str(error_of(read_only_list, path)) == expected, str(members)[:99]
