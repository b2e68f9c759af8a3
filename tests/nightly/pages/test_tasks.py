"""What people come for, on a phone, in a few taps."""

from playwright.sync_api import expect

from tests.processes.browser import PHONE

ANNENBERG = ("#site-search", "annenberg")
# Of each task: what is tapped in turn, with the text that is typed there, and what is visible at the end, or the name
# of the file that is saved.
TASKS = {
    "eat now without milk and nuts": (
        ["role=button[name='No milk']", "role=button[name='No nuts']"],
        ["text=8 dishes in 7 halls", ".hall >> text=Open now, until 2:00 PM", ".dish-name >> text=Spanish Rice"],
    ),
    "vegan dinner tomorrow": (
        ["#week >> text=Sat", "role=tab[name='Dinner']", "role=button[name='vegan']"],
        ["text=Dinner tomorrow, Saturday, November 21", ".dish .badge >> text=vegan"],
    ),
    "where is Annenberg": (
        [ANNENBERG, "#site-suggestions >> text=Memorial Hall"],
        ["role=heading[name='Memorial Hall']", ".map-label >> text=Memorial Hall", "role=link[name='Directions']"],
    ),
    "when does it close": (
        [ANNENBERG, "#site-suggestions >> text=Annenberg Hall"],
        ["text=Open now, until 1:30 PM"],
    ),
    "calendar of a hall": (
        [
            ANNENBERG,
            "#site-suggestions >> text=Annenberg Hall",
            "text='Calendar'",
            "role=link[name='Link: The whole hall']",
        ],
        "menus.ics",
    ),
    "buildings for Excel": (
        ["role=link[name='Buildings']", "role=link[name='Spreadsheet (CSV)']"],
        "buildings.csv",
    ),
    "lasanga": (
        [("#site-search", "lasanga"), "#site-suggestions >> text=Lasagna"],
        ["text=Dinner, Sunday, November 22", ".dish-name >> text=Beef Lasagna"],
    ),
}


def tap(page, step):
    selector, text = step if isinstance(step, tuple) else (step, "")
    page.locator(selector).first.tap()
    page.keyboard.type(text)


def test_the_tasks_of_a_phone_take_few_taps(samples, visit):
    for task, (steps, result) in TASKS.items():
        page = visit(f"{samples.url}/explore", viewport=PHONE, is_mobile=True, has_touch=True)

        for step in steps[:-1]:
            tap(page, step)
        if isinstance(result, str):
            with page.expect_download() as download:
                tap(page, steps[-1])
            assert download.value.suggested_filename == result, task
        else:
            tap(page, steps[-1])
            for selector in result:
                expect(page.locator(selector).first, task).to_be_in_viewport(ratio=1)

        assert page.errors == [], task
