from loaders.readers.building_collector import BuildingCollector
from loaders.readers.result import ReadResult, SourceLocation
from tests.factories import building
from tests.linear import assert_linear


def collect(number):
    """Collect different buildings that all have the same id."""
    collector = BuildingCollector(ReadResult())
    for index in range(number):
        point = (42.0, index / 1_000_000)
        collector.add(building(polygons=(), point=point), "a.geojson", SourceLocation(index), mergeable=False)
    return collector.finish()


def test_one_id_for_all_buildings_takes_linear_time():
    assert_linear(collect, 4000)


def test_one_id_for_all_buildings_is_an_error_of_each_of_them():
    result = collect(3)

    assert [error.location.line for error in result.errors] == [0, 1, 2]
    assert {error.message for error in result.errors} == {"id 1 is the id of 3 different buildings"}
