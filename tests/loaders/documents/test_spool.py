from loaders.documents.spool import encode_building, spool_buildings
from tests.factories import building


def test_a_spool_of_any_number_of_buildings_can_be_read_repeatedly():
    for number in (0, 499, 500, 501, 1203):
        buildings = [building(2**63 - 1 - id_, name=None, image="é.jpg", polygons=()) for id_ in range(number)]

        spool = spool_buildings(iter(buildings))

        assert (list(spool), list(spool), len(spool)) == (buildings, buildings, number)
        for documents in (spool.documents, spool.raw_documents):
            assert [(each["_id"], each["digest"]) for each in documents] == list(spool.digests), number


def test_an_excluded_building_is_not_read_and_may_be_replaced():
    spool = spool_buildings([building(1), building(2), building(3)])

    spool.exclude([1, 3])
    before = list(spool)
    spool.append(building(1, name="Lamont"), encode_building(building(1, name="Lamont")))

    assert (before, list(spool), len(spool)) == ([building(2)], [building(2), building(1, name="Lamont")], 2)
    assert [id_ for id_, *_ in spool.extents] == [id_ for id_, _ in spool.digests] == [2, 1]
