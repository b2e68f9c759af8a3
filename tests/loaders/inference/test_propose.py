from loaders.inference import propose
from tests.loaders.errors import error_of, message_of


def test_an_export_of_unknown_format_is_described(save):
    table = "it looks like CSV, but neither of a map nor of menus; its header has"
    for content, message in [
        ("", "it is empty"),
        *((text, "it has no records") for text in (" []\n", '{"data": {"menus": [ ]}}', '<a b="c"><d e="1">5</d></a>')),
        ("hello world", "it begins with 'hello world'"),
        ("Map\n\nid,name , city\n", f"{table} 3 columns: 'id', 'name', 'city'; buildings need "),
        (",".join(map(str, range(50))), f"{table} 50 columns: {str([*map(str, range(40))])[1:-1]}; buildings need"),
        ('[{"id": 3,\n"name": "Cabot"}]', "it looks like JSON, but neither of a map nor of menus; "),
        ('[{"date": 1, "meal": 2, "formal": "x"}]', "it has a date and a meal, but no column of a dish by a common"),
        ("<?xml version='1.0'?><!-- x --><gml:Map xmlns:gml='x'/>", "it is XML with the root element <gml:Map>"),
        ('{"error": {"code": 499, "message": "Token"}}', 'it is the error of a server: \'{"code": 499, '),
        *(
            (text, f"it is the error of a server: {text!r}")
            for text in ('{"detail": "No"}', '{"a": 1, "status": 404}', '{"status": "error"}', '{"ok": false}')
        ),
        ('{"status": 401, "errors": [{"title": "Key"}]}', 'it is the error of a server: \'[{"title": "Key"}]}\''),
        ("<?xml version='1.0'?><ExceptionReport>No</ExceptionReport>", "it is the error of a server: 'No</"),
        ('{"success": false, "a": []}', "it is the error of a server: '{\"success"),
        ("<Envelope><Body><Fault>No</Fault></Body></Envelope>", "it is the error of a server: 'No</"),
        ("Datum,Gericht,Preis\n", "it has a date and a dish, but no column of a meal, a hall or a category by a"),
        ("Hall,Meal,Dish,$sheet\n", "it has a meal and a dish, but no column of a date by a common name, which a"),
        ("x" * 99, f"it begins with '{'x' * 60}…'"),
    ]:
        description = message_of(propose.profile, save(content))
        assert description.startswith(f"is not in a known format: {message}"), content


def test_an_unknown_table_in_another_encoding_is_an_error_that_names_it_and_a_known_one_has_it(save):
    headers = {"gbk": "日期,食堂,菜品", "cp1251": "дата,столовая,блюдо", "cp1253": "ημερομηνία,εστιατόριο"}
    for encoding, header in headers.items():
        reason = str(error_of(propose.profile, save(f"{header}\n1,2,3\n".encode(encoding))))
        assert reason.endswith(f'looks like {encoding}: the profile needs encoding = "{encoding}"'), encoding
    for encoding, table in [
        ("big5", "date,meal,hall,dish\n2026-11-30,lunch,North,紅燒肉\n"),
        ("big5", "code,name,lat,lon\nA,行政大樓 體育館,25.1,121.5\n"),
        ("cp1252", "date,meal,hall,dish,price\n2026-11-30,lunch,Nord,Bœuf en gelée,4 €\n"),
    ]:
        assert f'encoding = "{encoding}"\n' in propose.profile(save(table.encode(encoding), "table.csv")), table


def test_a_broken_export_is_an_error(save):
    for content, message in [
        ('{"type": "FeatureCollection", "features": [\n{]}', "line 2 is not JSON: "),
        ('{"type": "Feature", "properties": {}}', "is not a GeoJSON FeatureCollection"),
        ('{"type": "FeatureCollection", "features": []}', "has no features with fields"),
        ("Serve_Date,Recipe_Name\n", "has no records"),
        ('[{"meal": "Lunch", "menu": {"date": "2026-11-23", "dish": "Soup"}}]', "has no rows with a date and a dish"),
        ('Serve_Date,Recipe_Name\n"a', "line 2 is not CSV: "),
        ("<openmensa><canteen><name>Nord</name></canteen></openmensa>", "has no records"),
        ("<openmensa><canteen>", "is not XML: no element found: line 1, column 20"),
        (b"\x1f\x8bxx", "cannot be decompressed"),
    ]:
        assert message in str(error_of(propose.profile, save(content))), content
