import time

import pytest


@pytest.fixture
def set_time_zone(monkeypatch):
    """Set the time zone of the machine."""

    def set_(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_
    monkeypatch.undo()
    time.tzset()
