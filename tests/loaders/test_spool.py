from loaders.spool import Spool, digest
from tests.factories import building


def spool_of(*buildings):
    spool = Spool()
    for each in buildings:
        spool.append(each)
    return spool


def test_buildings_come_back_as_they_were_and_again():
    buildings = [building(1), building(2**63 - 1, name=None, image="é.jpg", polygons=())]

    spool = spool_of(*buildings)

    assert (list(spool), list(spool), len(spool)) == (buildings, buildings, 2)


def test_buildings_that_are_left_out_do_not_come_back():
    spool = spool_of(building(1), building(2), building(3))

    spool.leave_out([1, 3])

    assert (list(spool), len(spool)) == ([building(2)], 1)


def test_the_digest_is_that_of_the_values():
    names = [building(name="".join(["Wide", "ner"])), building(name="Widener"), building(name="Widener ")]

    first, same, other = map(digest, names)

    assert (first == same, first == other, len(first)) == (True, False, 16)
