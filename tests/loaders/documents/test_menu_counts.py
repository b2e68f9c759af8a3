from loaders.documents.menu_counts import Group, compare_new_dates, excessive_losses, sum_losses


def test_a_part_that_loses_no_more_than_all_items_is_not_excessive_in_any_order():
    compared = [(Group("items", "the menus", "items"), 10, 4), (Group("dishes", "the menus", "dishes"), 10, 4)]

    for losses in (sum_losses(compared), sum_losses(compared[::-1])):
        assert [loss.group.kind for loss in excessive_losses(losses, 0.3)] == ["items"], losses


def test_a_hall_that_is_closed_on_most_dates_of_a_weekday_is_no_usual_one():
    items = [{"meal": 0, "location": hall, "category": 1, "recipe": 1} for hall in (1, 2)]
    live = [{"_id": f"2026-11-{day}", "items": items[:halls]} for day, halls in (("02", 1), ("09", 1), ("16", 2))]
    menus = {"2026-11-23": {"items": items[:1]}}

    *_, (group, usual, exported) = compare_new_dates(menus, [*menus], live, "")

    assert (group.kind, usual, exported) == ("halls", 1, 1)
