"""Progress of what is iterated."""

from loaders.cli.terminal import track


def test_all_records_are_yielded_in_order():
    assert list(track(iter(range(1000)))) == list(range(1000))


def test_iteration_may_stop_early():
    records = track(range(1000))

    assert [next(records), next(records)] == [0, 1]
    records.close()
