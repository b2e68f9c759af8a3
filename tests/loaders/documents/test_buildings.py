from loaders.documents.buildings import BuildingDocuments, encode_building
from tests.factories import building


def test_buildings_can_be_read_repeatedly():
    buildings = [building(2**63 - 1 - id_, name=None, image="é.jpg", polygons=()) for id_ in range(3)]

    documents = BuildingDocuments(iter(buildings))

    assert (list(documents), list(documents), len(documents)) == (buildings, buildings, 3)
    for each in (documents.documents, documents.raw_documents):
        assert [(document["_id"], document["digest"]) for document in each] == list(documents.digests)


def test_an_excluded_building_is_not_read_and_may_be_replaced():
    documents = BuildingDocuments([building(1), building(2), building(3)])

    documents.exclude([1, 3])
    before = list(documents)
    documents.append(encode_building(building(1, name="Lamont")))

    assert (before, list(documents)) == ([building(2)], [building(2), building(1, name="Lamont")])
    assert [id_ for id_, *_ in documents.extents] == [id_ for id_, _ in documents.digests] == [2, 1]
