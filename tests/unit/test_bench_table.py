import pytest

from bench.table import HEAD, Row, Threshold


def verdict(subject, baseline, threshold):
    row = Row("building by id", "/s", subject, baseline, baseline_name="fastapi", threshold=threshold)
    return row.is_met, row.cells(at_full_size=True)[HEAD.index("met")]


@pytest.mark.parametrize(
    ("threshold", "is_met"),
    [
        (Threshold(2, sign=">="), True),
        (Threshold(2.1, sign=">="), False),
        (Threshold(2, sign="<="), True),
        (Threshold(1.9, sign="<="), False),
        (Threshold(2), False),
        (Threshold(2.1), True),
    ],
)
def test_threshold_applies_to_the_median_ratio(threshold, is_met):
    assert verdict([100, 400, 900], [100, 200, 300], threshold) == (is_met, "yes" if is_met else "NO")


@pytest.mark.parametrize(("subject", "baseline"), [([], [100]), ([100], []), ([], [])])
def test_missing_measurement_does_not_meet_the_threshold(subject, baseline):
    assert verdict(subject, baseline, Threshold(0.5, sign=">=")) == (False, "NOT MEASURED")
