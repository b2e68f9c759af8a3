from loaders.documents.menu_counts import Group, compare_new_dates, excessive_losses, sum_losses


def test_a_part_that_loses_no_more_than_all_items_is_not_excessive_in_any_order():
    compared = [(Group("items", "the menus", "items"), 10, 4), (Group("dishes", "the menus", "dishes"), 10, 4)]

    for losses in (sum_losses(compared), sum_losses(compared[::-1])):
        assert [loss.group.kind for loss in excessive_losses(losses, 0.3)] == ["items"], losses


def test_no_more_is_usual_than_on_most_dates_of_a_weekday_and_on_the_last_one():
    for halls, numbers in (((1, 2), (1, 1, 2)), ((1, 1), (2, 2, 1))):
        items = [{"meal": 0, "location": hall, "category": 1, "recipe": id_} for id_, hall in enumerate(halls)]
        dates = zip(("2026-11-02", "2026-11-09", "2026-11-16"), numbers, strict=True)
        live = [{"_id": day, "items": items[:number]} for day, number in dates]

        compared = compare_new_dates({"2026-11-23": {"items": items[:1]}}, ["2026-11-23"], live, "")

        assert {each[1:] for each in compared} == {(1, 1)}, halls
