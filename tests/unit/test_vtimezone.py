"""Time zones of calendars, compared with the zones that they describe."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from icalendar import Timezone

from campus_api.domain.vtimezone import vtimezone


def parsed(zone, first, last):
    return Timezone.from_ical(vtimezone(ZoneInfo(zone), first, last))


def test_local_times_of_a_year_have_the_offset_of_the_zone():
    for name in (
        *("America/New_York", "Europe/Dublin", "Australia/Lord_Howe"),
        *("Asia/Kathmandu", "Africa/Casablanca", "UTC"),
    ):
        zone = ZoneInfo(name)
        for year in (2026, 2027):
            described = parsed(name, date(year, 1, 1), date(year, 12, 31)).to_tz(lookup_tzid=False)
            # Local times that exist once: the others have no single offset.
            instants = [datetime(year, 1, 2, tzinfo=UTC) + timedelta(hours=hours) for hours in range(363 * 24)]
            local = [instant.astimezone(zone) for instant in instants]
            certain = [each for each in local if each.utcoffset() == each.replace(fold=1).utcoffset()]
            wrong = [each for each in certain if each.replace(tzinfo=described).utcoffset() != each.utcoffset()]
            assert (len(certain) > 8700, wrong) == (True, []), (name, year)


def test_a_change_begins_at_its_local_time_before():
    _, change = parsed("America/New_York", date(2026, 10, 20), date(2026, 11, 20)).subcomponents

    assert (change.name, change["tzname"]) == ("STANDARD", "EST")
    assert change.decoded("dtstart") == datetime(2026, 11, 1, 2)
