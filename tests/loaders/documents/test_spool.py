import bson

from loaders.documents.encode import building_document
from loaders.documents.spool import encode_building, spool_buildings
from tests.factories import building


def test_a_spool_can_be_read_repeatedly():
    buildings = [building(1), building(2**63 - 1, name=None, image="é.jpg", polygons=())]

    spool = spool_buildings(buildings)

    assert (list(spool), list(spool), len(spool)) == (buildings, buildings, 2)


def test_raw_documents_equal_the_documents():
    spool = spool_buildings([building(1), building(2)])

    assert [bson.decode(document.raw) for document in spool.raw_documents] == list(spool.documents)


def test_a_spool_may_have_any_number_of_buildings():
    for number in (0, 499, 500, 501, 1203):
        spool = spool_buildings(map(building, range(number)))

        assert [record.id for record in spool] == list(range(number)) == [id_ for id_, _ in spool.digests], number


def test_buildings_may_be_appended_after_reading():
    spool = spool_buildings([building(1)])
    before = list(spool)

    spool.append(building(2), encode_building(building(2)))

    assert (before, list(spool)) == ([building(1)], [building(1), building(2)])


def test_excluded_buildings_are_not_read():
    spool = spool_buildings([building(1), building(2), building(3)])

    spool.exclude([1, 3])

    assert (list(spool), len(spool), [id_ for id_, *_ in spool.extents]) == ([building(2)], 1, [2])


def test_an_excluded_building_may_be_replaced():
    spool = spool_buildings([building(1), building(2)])

    spool.exclude([1])
    spool.append(building(1, name="Lamont"), encode_building(building(1, name="Lamont")))

    assert (list(spool), len(spool)) == ([building(2), building(1, name="Lamont")], 2)
    assert [id_ for id_, *_ in spool.extents] == [id_ for id_, _ in spool.digests] == [2, 1]


def test_equal_values_have_equal_digests():
    names = [building(name="".join(["Wide", "ner"])), building(name="Widener"), building(name="Widener ")]

    first, same, other = (encode_building(named).digest for named in names)

    assert (first == same, first == other, len(first)) == (True, False, 16)


def test_the_digest_is_a_field_of_the_document():
    encoded = encode_building(building(7))

    expected = {**building_document(building(7)), **geometry_as_lists(building(7)), "digest": encoded.digest}
    assert bson.decode(encoded.bson) == expected


def geometry_as_lists(record):
    """Return the geometry as BSON represents it."""
    return {"point": list(record.point), "polygons": [list(map(list, ring)) for ring in record.polygons]}
