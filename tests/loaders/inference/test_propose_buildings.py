import json
import tomllib

from campus_api.domain.building_fields import TEXT_FIELDS
from loaders import profiles
from loaders.inference import propose
from loaders.readers import buildings
from tests.factories import feature

OSM = profiles.load_building_profile("openstreetmap")
OSM_FILTER = {"building": {"pattern": OSM.filter[0].pattern}}
METRES = {"type": "Point", "coordinates": [-7916000.5, 5200000.1]}
SQUARE = [[759750, 2959897], [759725, 2959825], [759682, 2959840], [759707, 2959912], [759750, 2959897]]


def fields(text):
    return tomllib.loads(text)["fields"]


def test_a_proposed_building_profile_has_field_statistics(save_features):
    path = save_features(
        feature(70, NAME="Widener", ADDRESS="7 Elm Street", note=None),
        feature(12, NAME="Houghton", ADDRESS="9 Elm Street", geometry={"type": "Point", "coordinates": [-71.1, 42.4]}),
    )

    assert propose.profile(path).splitlines() == [
        "# buildings.geojson: GeoJSON, 2 features, 1 polygon, 1 point, in WGS 84",
        "# field    filled  distinct  type                      examples",
        "# id            2         2  integers, all different   70, 12",
        "# NAME          2         2  text, all different       Widener, Houghton",
        "# ADDRESS       2         2  addresses, all different  7 Elm Street, 9 Elm Street",
        "# note          0         0  empty",
        'format = "geojson"',
        "",
        "[fields]",
        'id = "id"',
        'name = "NAME"',
        'address = "ADDRESS"',
        f"# No field for: {', '.join(name for name in TEXT_FIELDS if name not in ('name', 'address'))}.",
    ]


def test_members_of_objects_are_proposed_by_their_paths(save_features):
    path = save_features(*(feature(id_, info={"title": {"de": "Aula", "en": f"Hall {id_}x"}}) for id_ in (1, 2)))

    assert fields(propose.profile(path))["name"] == "info.title"


def test_the_values_of_a_field_are_summarized(save_features):
    long = "x" * 2_000_000
    for values, summary in [
        ([None, "", " \n"], "0 0 empty"),
        (["a\n b", long, "c", "d"], f"4 4 text, all different a b, {'x' * 32}…, c"),
        (["007", 7, 7.0, "8"], "4 2 integers 007, 7, 7.0"),
        ([1, 2, "940C"], "3 3 integers (2), text (1) 1, 2, 940C"),
        ([-7, "-7,5", 10**30], f"3 3 numbers, all different -7, -7,5, 1{'0' * 30}"),
        ([True], "1 1 booleans True"),
        ([[1], [{"a": 1}]], "2 0 lists or objects …"),
        (["2010-08-23", "08/23/2010 00:00"], "2 2 dates, all different 2010-08-23, 08/23/2010 00:00"),
        (["a b.JPG", "https://a.edu/b.png?s=1"], "2 2 images, all different a b.JPG, https://a.edu/b.png?s=1"),
    ]:
        path = save_features(*(feature(id_, FIELD=value) for id_, value in enumerate(values, 1)))

        [line] = [line for line in propose.profile(path).splitlines() if line.startswith("# FIELD ")]
        assert " ".join(line.split()) == f"# FIELD {summary}", summary


def test_any_field_name_survives_the_round_trip_through_a_proposed_profile(save_profile, save_features):
    path = save_features(*(feature(id_, **{'the "name" \x7f\n\\ 😀 name': f"Hall {id_}"}) for id_ in (1, 2)))

    result = buildings.read([(profiles.load_building_profile(save_profile(path)), [path])])

    assert [building.name for building in result.records] == ["Hall 1", "Hall 2"]


def test_at_most_forty_fields_are_shown(save_features):
    path = save_features(feature(1, **{f"F{number}": "x" * 60 for number in range(45)}))

    lines = propose.profile(path).splitlines()

    assert len([line for line in lines if line.startswith("# F")]) == 39
    assert "# and 6 more fields" in lines


def test_the_title_names_the_crs_of_the_positions(save):
    in_feet = {"rings": [SQUARE], "spatialReference": {"wkid": 2249}}
    for content, name in [
        ([{"attributes": {"Root": "1"}, "geometry": in_feet}], "NAD83 / Massachusetts Mainland (ftUS)"),
        ([feature(1, geometry=METRES)], "no known coordinate reference system"),
    ]:
        text = propose.profile(save(json.dumps(content)))

        assert (f", in {name}\n" in text, "wkid" in text) == (True, False), name


def test_without_geometries_the_position_in_other_fields_is_proposed(save_features, save_profile):
    properties = [{"id": id_, "LAT": 42, "LONG": -71} for id_ in (7, 8)]
    path = save_features(*({"type": "Feature", "properties": each} for each in properties))

    result = buildings.read([(profiles.load_building_profile(save_profile(path)), [path])])

    assert [(building.id, building.point) for building in result.records] == [(7, (42, -71)), (8, (42, -71))]


def test_only_footprints_are_proposed_to_be_merged(save_features):
    for geometry, merge in [(None, True), ({"type": "Point", "coordinates": [-71.1, 42.4]}, None)]:
        names = ["Garage", "Garage", "Library", "Hall", "Barn"]
        path = save_features(*(feature("x", geometry, name=name, number=name) for name in names))

        assert tomllib.loads(propose.profile(path)).get("merge") == merge, geometry


def osm_feature(number, **tags):
    return {**feature(None), "properties": tags | {"number": number}}


def test_ids_of_openstreetmap_are_assigned_and_only_buildings_are_loaded(save_features, save_profile):
    for ids in (
        {"@id": "way/{}"},
        {"full_id": "w{}", "osm_id": "{}", "osm_type": "way"},
        {"osm_id": None, "osm_way_id": "{}"},
        {"element_type": "way", "osmid": "{}"},
    ):
        tags = [{name: id_ and id_.format(number) for name, id_ in ids.items()} for number in range(6)]
        gym = osm_feature(0, building="yes", name="Gym", amenity=None, **tags[0])
        doors = (osm_feature(number, entrance="yes", maxspeed="30 mph", **tags[number]) for number in range(1, 6))
        path = save_features(gym, *doors)

        text = propose.profile(path)
        proposal = tomllib.loads(text)
        result = buildings.read([(profiles.load_building_profile(save_profile(path)), [path])])
        expected = {"id": {"assign": [*OSM.id.expressions]}, "name": "name", "tags": OSM.fields["tags"][0]}
        assert (proposal["fields"], proposal["filter"]) == (expected, OSM_FILTER), ids
        assert ([record.name for record in result.records], result.filtered) == (["Gym"], 5), ids
        # Only buildings are described.
        assert "# entrance" not in text, ids


def test_ids_of_a_template_that_differ_are_not_merged(save_features):
    ways = [osm_feature(number, building="yes", osm_type="way", osm_id=str(number)) for number in range(3)]

    assert "merge" not in tomllib.loads(propose.profile(save_features(*ways)))


def test_most_features_with_a_tag_are_an_extract_of_openstreetmap(save_features):
    def filter_of(*features):
        return tomllib.loads(propose.profile(save_features(*features))).get("filter")

    features = [osm_feature(number, building="yes", ref=f"B{number}") for number in range(3)]

    assert filter_of(*features, osm_feature(7, highway="path")) == OSM_FILTER
    others = [osm_feature(8, building="Yes;Residential-Hall"), osm_feature("way/x", building="!")]
    assert filter_of(*others, *features, osm_feature(7, highway="path")) == OSM_FILTER
    for value in ("Smith Hall", "LIB", "7"):
        assert filter_of(osm_feature(1, building=value, ref="B1")) is None, value
