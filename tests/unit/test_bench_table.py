import pytest

from bench.table import HEAD, Limit, Row


def verdict(ours, beside, limit):
    row = Row("building by id", "/s", ours, beside, whose="fastapi", limit=limit)
    return row.is_met, row.cells(at_full_size=True)[HEAD.index("met")]


@pytest.mark.parametrize(
    ("limit", "held"),
    [
        (Limit(2, sign=">="), True),
        (Limit(2.1, sign=">="), False),
        (Limit(2, sign="<="), True),
        (Limit(1.9, sign="<="), False),
        (Limit(2), False),
        (Limit(2.1), True),
    ],
)
def test_a_limit_is_about_the_median_of_the_ratios(limit, held):
    assert verdict([100, 400, 900], [100, 200, 300], limit) == (held, "yes" if held else "NO")


@pytest.mark.parametrize(("ours", "beside"), [([], [100]), ([100], []), ([], [])])
def test_what_was_not_measured_does_not_hold(ours, beside):
    assert verdict(ours, beside, Limit(0.5, sign=">=")) == (False, "NOT MEASURED")
