"""The menus of the days ahead as an iCalendar calendar."""

from datetime import datetime, timedelta

from icalendar import Calendar

from campus_api.db.connection import read_database_id
from campus_api.domain.models import Label
from tests.factories import TODAY, TOMORROW, YESTERDAY, building, hall, serving


def calendar(service, query=""):
    return Calendar.from_ical(service.app.get(f"/dining/menus.ics?{query}").body)


def events(service, query=""):
    return calendar(service, query).walk("VEVENT")


def keys(service, query=""):
    """Return the date, the meal and the location of each event."""
    return [event["uid"].partition(".")[0] for event in events(service, query)]


def test_a_calendar_is_named_after_its_one_recipe_its_meals_and_halls(service):
    service.serve_dining(serving(1, "Tacos", meal=2), serving(2, "Soup", meal=2, location=38))

    for query, title in (
        ("", "Menus"),
        ("meal=2&location=30", "Dinner, Hall 30"),
        ("meal=2", "Dinner"),
        ("location=30", "Menus, Hall 30"),
        ("meal=1&meal=0&location=38&location=30", "Breakfast and Lunch, Hall 30 and Hall 38"),
        *((query, "Menus") for query in ("location=999", "category=23", "recipe=1&recipe=2", "recipe=99")),
        ("recipe=1&location=30", "Tacos, Hall 30"),
        ("recipe=1&meal=2", "Tacos, Dinner"),
    ):
        lines = service.app.get(f"/dining/menus.ics?{query}").text.splitlines()
        escaped = title.replace(",", r"\,")
        assert [line for line in lines if "NAME:" in line] == [f"NAME:{escaped}", f"X-WR-CALNAME:{escaped}"], query
    assert [event["summary"] for event in events(service, "recipe=1")] == ["Tacos, Hall 30"]


def test_the_name_of_a_calendar_has_its_filters(service):
    facts = {"allergens": None, "contains": (), "without": ("milk", "peanuts", "tree nuts")}
    service.serve_dishes(Rice={**facts, "labels": (Label("VGN", "vegan"), Label("LOC"))})

    for query, title in (
        ("without=Dairy&label=VGN", "Menus without milk, vegan"),
        ("label=vegan&label=loc&label=VGN", "Menus, loc or vegan"),
        ("without=nuts&without=milk&meal=2&location=30", "Dinner without milk and peanuts and tree nuts, Hall 30"),
        ("recipe=1&label=vegan", "Rice, vegan"),
    ):
        assert calendar(service, query)["name"] == title.replace(",", r"\,"), query


def test_events_and_calendars_name_meals_as_the_halls_do(service):
    night = serving(3, meal=3, location=7, meal_name="Late Night")
    service.serve_dining(serving(1, meal=1, meal_name="Brunch"), serving(2, meal=1, location=7), night)

    assert [event["summary"] for event in events(service)] == ["Lunch, Hall 7", "Brunch, Hall 30", "Late Night, Hall 7"]
    assert calendar(service, "meal=3&meal=1")["name"] == "Lunch and Late Night"


def test_events_link_their_menu_on_the_pages_if_the_url_of_these_is_known(start):
    page = "https://campus.example.edu/explore?view=menus"
    for url, calendar_url, event_url in (
        ("", None, None),
        ("https://campus.example.edu/", page, f"{page}&date={TODAY}&meal=2&location=30"),
    ):
        service = start(**{"pages.url": url})
        service.serve_dining(serving(meal=2))

        assert calendar(service).get("url") == calendar_url, url
        assert [event.get("url") for event in events(service, "meal=2")] == [event_url], url


def test_calendars_take_labels_and_allergens_and_say_who_states_them(service):
    milk = {"allergens": ("Milk",), "contains": ("milk",), "without": ("fish",)}
    nothing = {"allergens": None, "contains": (), "without": ("fish", "milk")}
    service.serve_dishes(Cheese=milk, Rice=nothing, Stew={"allergens": None, "contains": None, "without": ()})
    note = "Allergens and labels are as listed by the dining service; nobody has checked them. Ask in the hall."
    not_stated = f"{note} The dining service does not state all of these allergens: no dish is "
    for query, dishes, notes in (
        ("without=Milk", ["Category 23: Rice"], note),
        ("without=fish&without=soy", [], not_stated),
    ):
        filtered = calendar(service, query)
        assert filtered["description"].startswith(notes), query
        assert [event["description"].partition("\n")[0] for event in filtered.events] == dishes, query
    assert "not one of the labels" in service.app.get("/dining/menus.ics?label=nothing", status=400).json["detail"]


def test_events_are_at_the_points_of_their_halls(service):
    service.serve_buildings(building(203, point=(42.3759, -71.1149)))
    service.serve_dining(serving(), serving(location=8), halls={30: hall(203)})

    assert [each.get("geo") and each["geo"].to_ical() for each in events(service)] == [None, "42.3759;-71.1149"]


def test_calendars_of_samples_say_so(service):
    service.serve_dining(serving(1, "Tacos", meal=2), file="samples/foodpro.csv")

    for query, title, dishes in (
        ("meal=2", "Dinner (samples)", ["Category 23: Tacos"]),
        ("meal=0", "Breakfast (samples)", []),
    ):
        samples, note = calendar(service, query), "These are samples, not real data."
        assert samples["name"] == samples["x-wr-calname"] == title, query
        assert (samples["description"], samples["x-wr-caldesc"].ical_value) == (note, note.replace(",", r"\,")), query
        assert [event["description"] for event in samples.events] == [f"{each}\n{note}" for each in dishes], query


def test_a_calendar_reaches_60_days_ahead(service):
    days = [YESTERDAY, TODAY, "2027-01-18", "2027-01-19", "2027-01-20", "2027-11-20"]
    service.serve_dining(*(serving(date=day) for day in days))

    assert [key[:10] for key in keys(service)] == days[1:4]


def test_events_are_in_the_order_of_menus_and_filtered(service):
    service.serve_dining(*(serving(1, meal=meal, location=hall) for meal in (1, 0) for hall in (7, 3)))

    for query, expected in (
        ("", [f"{TODAY}-0-3", f"{TODAY}-0-7", f"{TODAY}-1-3", f"{TODAY}-1-7"]),
        ("location=7&meal=1", [f"{TODAY}-1-7"]),
        ("location=7&location=3&meal=0&_=1", [f"{TODAY}-0-3", f"{TODAY}-0-7"]),
        ("recipe=2", []),
    ):
        assert keys(service, query) == expected, query


def test_a_calendar_without_events_has_a_time_zone_as_its_component(service):
    service.serve_dining(serving())

    for query in ("", "meal=7"):
        [component] = calendar(service, query).subcomponents
        assert component.name == ("VTIMEZONE" if query else "VEVENT"), query
    assert component["tzid"] == "UTC"
    assert component.to_tz().utcoffset(datetime(2026, 11, 20)) == timedelta(0)


def test_times_are_in_utc_before_and_after_a_change_of_the_clock(start):
    service = start(**{"clock.frozen_at": "2026-10-30T12:00:00-04:00"})
    days = ["2026-10-31", "2026-11-02"]
    service.serve_dining(*(serving(date=day, meal=2) for day in days), halls={30: hall(dinner="22:00-02:30")})

    lines = service.app.get("/dining/menus.ics").text.splitlines()

    starts, ends = ([line for line in lines if line.startswith(name)] for name in ("DTSTART", "DTEND"))
    assert starts == ["DTSTART:20261101T020000Z", "DTSTART:20261103T030000Z"]
    # The night has an hour more, in which 01:30 is twice, and 02:30 once.
    assert ends == ["DTEND:20261101T073000Z", "DTEND:20261103T073000Z"]


def uid(service, name):
    return f"{TODAY}-{name}.{read_database_id(service.database)}@campus-api"


def test_a_meal_served_twice_is_two_events_and_may_end_on_the_next_day(service):
    service.serve_dining(serving(meal=2), halls={30: hall(dinner="17:00-18:00,22:00-02:00")})

    first, second = events(service)

    assert [each["uid"] for each in (first, second)] == [uid(service, "2-30"), uid(service, "2-30-2")]
    assert [each.decoded("dtstart").hour for each in (first, second)] == [22, 3]
    assert second.decoded("dtend") - second.decoded("dtstart") == timedelta(hours=4)
    assert first["description"] == second["description"]


def test_meals_whose_hours_are_unknown_are_all_day_events(service):
    lunches = [serving(2, meal=1), serving(3, meal=1, date=TOMORROW), serving(4, meal=1, location=7)]
    service.serve_dining(serving(1, meal=0), *lunches, halls={30: hall(until=TODAY, lunch="11:30-14:00")})

    timed = [event["uid"] for event in events(service) if isinstance(event.decoded("dtstart"), datetime)]

    assert timed == [uid(service, "1-30")]
