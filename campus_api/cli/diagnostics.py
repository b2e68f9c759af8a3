"""Whether the service that an ini file describes can do its work: everything is looked at, nothing is changed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from campus_api import ini_file, settings, time_zone_data
from campus_api.cli import mongo_inspection
from campus_api.cli.redact import HIDDEN, without_secrets
from campus_api.db.connection import Connection, DatabaseUnavailable, connect
from campus_api.domain.clock import Clock
from campus_api.settings import Given, Setting, SettingError

FINE, TROUBLE, BAD_CONFIGURATION = 0, 1, 2

# Longer waits say nothing more.
_LONGEST_MS = 5000
# What the driver adds to its reasons.
_FOR_EXPERTS = re.compile(r" \(configured timeouts: [^)]*\)|, Timeout: .*|, full error: .*", re.DOTALL)


@dataclass
class Report:
    """What was found; `status` is what the command ends with."""

    file: str
    status: int = FINE
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: list[dict[str, Any]] = field(default_factory=list)
    time_zone: dict[str, Any] = field(default_factory=dict)
    database: dict[str, Any] = field(default_factory=dict)
    datasets: dict[str, Any] = field(default_factory=dict)

    def wrong(self, status: int, problem: str) -> None:
        """Take a problem down; bad configuration outweighs other trouble."""
        self.problems.append(problem)
        self.status = max(self.status, status)

    def hide(self, name: str) -> None:
        """Hide the value of a setting of which nobody knows what in it is secret."""
        for entry in self.settings:
            if entry["name"] == name:
                entry["value"] = HIDDEN


def check(path: str) -> Report:
    """Return what is to be said of the service of an ini file."""
    report = Report(path)
    try:
        ini = ini_file.read(path)
        given = settings.given(ini)
    except SettingError as error:
        report.wrong(BAD_CONFIGURATION, str(error))
        return report
    for setting in settings.SETTINGS:
        if setting.name in ini.global_conf:
            report.wrong(BAD_CONFIGURATION, f"{setting.name} in [DEFAULT] is not read: it belongs in [app:main].")
    values = {setting.name: _value(report, setting, given[setting.name]) for setting in settings.SETTINGS}
    if report.status == FINE:
        clock = _clock(report, values)
        _database(report, values, clock.today())
    return report


def _value(report: Report, setting: Setting, given: Given) -> Any:
    """Return the value of a setting and report it; what is not the address it should be is not shown."""
    text = setting.default if given.text is None else given.text.strip()
    try:
        value = setting.value(given.text)
    except SettingError as error:
        report.wrong(BAD_CONFIGURATION, str(error))
        value, text = None, HIDDEN if setting.secret and text else text
    shown = without_secrets(text) if setting.secret and text else text
    report.settings.append({"name": setting.name, "value": shown, "source": given.source})
    return value


def _clock(report: Report, values: Mapping[str, Any]) -> Clock:
    name = values["clock.time_zone"].key
    clock = Clock(values["clock.time_zone"], values["clock.stopped_at"])
    place, version = time_zone_data.origin(name)
    report.time_zone = {"name": name, "now": clock.now().isoformat(timespec="seconds"), "data": place}
    report.time_zone["version"] = version
    if values["clock.stopped_at"]:
        report.warnings.append("clock.stopped_at is set: for the service time stands still.")
    return clock


def _database(report: Report, values: Mapping[str, Any], today: str) -> None:
    wait = min(values["mongo.timeout_ms"], _LONGEST_MS)
    report.database = {"reachable": False}
    try:
        connection = connect(values, timeoutMS=wait, connectTimeoutMS=wait, serverSelectionTimeoutMS=wait)
    except SettingError as error:
        report.hide("mongo.uri")
        report.wrong(BAD_CONFIGURATION, str(error))
        return
    except DatabaseUnavailable as error:
        report.wrong(TROUBLE, f"the database cannot be reached: {error}")
        return
    try:
        _ask(report, connection, values["mongo.uri"].partition(":")[0], today)
    except DatabaseUnavailable as error:
        reason = _FOR_EXPERTS.sub("", str(error))
        report.wrong(
            TROUBLE, f"the database cannot be {'read' if report.database['reachable'] else 'reached'}: {reason}"
        )
    finally:
        connection.close()


def _ask(report: Report, connection: Connection, kind: str, today: str) -> None:
    report.database["started"] = connection.started
    report.database |= mongo_inspection.server(connection.database)
    report.database["reachable"] = True
    if kind == "mongomock":
        report.warnings.append("mongo.uri is memory: it is empty at every start, and nothing can be loaded into it.")
    else:
        report.database |= mongo_inspection.account(connection.database)
    report.datasets = mongo_inspection.datasets(connection.database, today)
    for name, live in report.datasets.items():
        if live is None and kind == "embedded":
            report.warnings.append(f"{name}: nothing is loaded; pserve will load the samples.")
        elif live is None:
            report.wrong(TROUBLE, f"{name}: nothing is loaded.")
    _look_into(report)


def _look_into(report: Report) -> None:
    dining = report.datasets["dining"]
    for name, live in report.datasets.items():
        for collection in live["missing"] if live else ():
            report.wrong(TROUBLE, f"{name}: the live collection {collection} is not there.")
    if dining and not dining["days_ahead"]:
        report.warnings.append(f"dining: there are no menus for today or later; the last are of {dining['last_menu']}.")
    if report.database.get("account") and report.database["may_write"]:
        report.warnings.append("The account may write; for the service one that may only read is enough.")
