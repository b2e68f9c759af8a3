"""Check what a service needs to start: its settings, its database and the loaded data sets. Nothing is written."""

import time
from collections.abc import Mapping
from configparser import Error as ConfigParserError
from dataclasses import dataclass, field
from typing import Any

import plaster
from pymongo.database import Database
from waitress.adjustments import Adjustments

from campus_api import settings
from campus_api.cli.redact import REDACTED, redact_uri
from campus_api.db.connection import (
    BUILDINGS,
    MENUS,
    Connection,
    collection_exists,
    connect,
    connect_read_only,
    menu_date,
    read_indexes,
    read_records,
    read_version,
)
from campus_api.db.errors import DatabaseUnavailable, NewerLayout, translate_errors
from campus_api.domain.clock import Clock, age_seconds
from campus_api.monitoring.health import days_ahead
from campus_api.server import resolve_options
from campus_api.settings import RawValue, Setting, SettingError

OK = 0
FAILED = 1
CANNOT_START = 2

# What ini files call the server of this package.
_SERVERS = ("egg:campus-api", "egg:campus-api#main")
_MAX_TIMEOUT_MS = 5000


@dataclass
class Report:
    """The result of a check; `status` is the exit status of the command."""

    file: str
    status: int = OK
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: list[dict[str, Any]] = field(default_factory=list)
    database: dict[str, Any] = field(default_factory=dict)
    datasets: dict[str, Any] = field(default_factory=dict)

    def add_problem(self, status: int, problem: str) -> None:
        """Record a problem; keep the most severe exit status."""
        self.problems.append(problem)
        self.status = max(self.status, status)


def check(path: str, *, settings_only: bool = False) -> Report:
    """Check the service that an ini file configures; only its settings and not their database with `settings_only`."""
    report = Report(path)
    try:
        ini = settings.read_ini(path)
        raw_values = settings.raw_values(ini)
    except SettingError as error:
        report.add_problem(CANNOT_START, str(error))
        return report
    for setting in settings.SETTINGS:
        if setting.name in ini.global_conf:
            report.add_problem(CANNOT_START, f"{setting.name} in [DEFAULT] is ignored: move it to [app:main].")
    _check_process(report, path)
    values = {setting.name: _check_setting(report, setting, raw_values[setting.name]) for setting in settings.SETTINGS}
    if values["clock.frozen_at"]:
        report.warnings.append("clock.frozen_at is set: the clock of the service does not advance.")
    if report.status == OK and settings_only:
        _check_uri(report, values)
    elif report.status == OK:
        _check_database(report, values)
    return report


def _check_process(report: Report, path: str) -> None:
    """Report options of the server and a configuration of logging with which pserve would not start."""
    loader = plaster.get_loader(path, protocols=["wsgi"])
    try:
        options = loader.get_settings("server:main")
        if options.pop("use", None) in _SERVERS:
            Adjustments(**resolve_options({}, options))
    except (ConfigParserError, ValueError) as error:
        report.add_problem(CANNOT_START, f"[server:main] cannot be used: {error}")
    try:
        loader.setup_logging()
    except Exception as error:
        # The arguments of handlers are evaluated as Python.
        report.add_problem(CANNOT_START, f"logging cannot be configured: {type(error).__name__}: {error}")


def _check_setting(report: Report, setting: Setting, raw_value: RawValue) -> Any:
    """Report a setting and return its value; an invalid secret is redacted as a whole."""
    text = setting.default if raw_value.text is None else raw_value.text.strip()
    value = None
    try:
        value = setting.value(raw_value.text)
        shown = redact_uri(text) if setting.secret and text else text
    except SettingError as error:
        report.add_problem(CANNOT_START, str(error))
        shown = REDACTED if setting.secret and text else text
    report.settings.append({"name": setting.name, "value": shown, "source": raw_value.source})
    return value


def _check_uri(report: Report, values: Mapping[str, Any]) -> None:
    """Report a URI that the driver rejects, without a connection."""
    if not values["mongo.uri"].startswith("mongodb"):
        return
    try:
        connect(values).close()
    except SettingError as error:
        _redact_setting(report, "mongo.uri")
        report.add_problem(CANNOT_START, str(error))


def _check_database(report: Report, values: Mapping[str, Any]) -> None:
    timeout = min(values["mongo.timeout_ms"], _MAX_TIMEOUT_MS)
    report.database = {"reachable": False}
    try:
        # Like the service, which reads from secondaries while there is no primary.
        connection = connect_read_only({**values, "mongo.timeout_ms": timeout})
    except SettingError as error:
        _redact_setting(report, "mongo.uri")
        report.add_problem(CANNOT_START, str(error))
        return
    except DatabaseUnavailable as error:
        report.add_problem(FAILED, f"the database cannot be reached: {error}")
        return
    try:
        _check_server(report, connection)
        _check_datasets(report, connection.database, values)
    except NewerLayout as error:
        report.add_problem(CANNOT_START, f"the database cannot be read: {error}")
    except DatabaseUnavailable as error:
        verb = "read" if report.database["reachable"] else "reached"
        report.add_problem(FAILED, f"the database cannot be {verb}: {error}")
    finally:
        connection.close()


def _redact_setting(report: Report, name: str) -> None:
    """Redact a URI that the driver rejects: which part of it is the password is uncertain."""
    for entry in report.settings:
        if entry["name"] == name:
            entry["value"] = REDACTED


def _check_server(report: Report, connection: Connection) -> None:
    report.database["started"] = connection.started
    client = connection.database.client
    with translate_errors():
        # Connect and authenticate first, so that the time is that of one round trip.
        client.admin.command("ping", read_preference=client.read_preference)
        start = time.perf_counter()
        report.database["version"] = read_version(connection.database)
    report.database["milliseconds"] = round((time.perf_counter() - start) * 1000, 1)
    report.database["reachable"] = True


def _check_datasets(report: Report, database: Database, values: Mapping[str, Any]) -> None:
    scheme = values["mongo.uri"].partition(":")[0]
    clock = Clock(values["clock.time_zone"], values["clock.frozen_at"])
    if scheme == "mongomock":
        report.warnings.append("mongo.uri is in memory: it is empty at every start, and nothing can be loaded into it.")
    report.datasets = _datasets(database, clock.today())
    for name, dataset in report.datasets.items():
        if dataset:
            _check_collections(report, name, dataset)
        elif scheme == "embedded":
            report.warnings.append(f"{name}: nothing is loaded; `campus-load samples` loads sample data.")
        else:
            report.add_problem(FAILED, f"{name}: nothing is loaded.")


def _check_collections(report: Report, name: str, dataset: dict[str, Any]) -> None:
    for collection in dataset["missing"]:
        report.add_problem(FAILED, f"{name}: the live collection {collection} does not exist.")
    if name == "dining" and not dataset["days_ahead"]:
        report.warnings.append(f"dining: no menus for today or later; the last date is {dataset['last_menu']}.")


def _datasets(database: Database, today: str) -> dict[str, dict[str, Any] | None]:
    """Return the live revision of each data set, None if it was never loaded."""
    with translate_errors():
        records = read_records(database)
        buildings, dining = (
            records.get(name) and _revision(database, records[name]) for name in ("buildings", "dining")
        )
        if buildings:
            buildings |= _buildings(database, records["buildings"]["collections"][BUILDINGS])
        if dining:
            dining |= _menus(database, records["dining"]["collections"][MENUS], today)
        return {"buildings": buildings, "dining": dining}


def _revision(database: Database, record: Mapping[str, Any]) -> dict[str, Any]:
    loaded_at = record["loaded_at"]
    return {
        "revision": record["revision"],
        "loaded_at": loaded_at.isoformat(timespec="seconds"),
        "age_seconds": age_seconds(loaded_at),
        "missing": sorted(name for name in record["collections"].values() if not collection_exists(database[name])),
    }


def _buildings(database: Database, name: str) -> dict[str, Any]:
    collection = database[name]
    return {
        "collection": name,
        "documents": collection.estimated_document_count(),
        "indexes": read_indexes(collection),
    }


def _menus(database: Database, name: str, today: str) -> dict[str, Any]:
    last = database[name].find_one({}, ["_id"], sort=[("_id", -1)])
    last_date = last and menu_date(last)
    return {"last_menu": last_date, "days_ahead": days_ahead(today, last_date)}
