from loaders.documents.menu_counts import Group, excessive_losses, sum_losses


def test_a_part_that_loses_no_more_than_all_items_is_not_excessive_in_any_order():
    compared = [(Group("items", "the menus", "items"), 10, 4), (Group("dishes", "the menus", "dishes"), 10, 4)]

    for losses in (sum_losses(compared), sum_losses(compared[::-1])):
        assert [loss.group.kind for loss in excessive_losses(losses, 0.3)] == ["items"], losses
