import pytest

from loaders.errors import UnreadableFileError
from loaders.readers.collector import BuildingCollector
from loaders.result import BuildingRead, SourceLocation
from tests.factories import building
from tests.linear import assert_linear


def collect(number):
    """Collect different buildings that all have the same id."""
    collector = BuildingCollector(BuildingRead())
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


def test_too_many_buildings_are_an_error():
    collector = BuildingCollector(BuildingRead(), max_buildings=2)
    for id_ in (1, 1, 2):
        collector.add(building(id_), "a.geojson", SourceLocation(id_), mergeable=False)

    with pytest.raises(UnreadableFileError, match="a.geojson: line 7 and those before have over 2 buildings"):
        collector.add(building(3), "a.geojson", SourceLocation(7), mergeable=False)
