"""Check what a service needs to start: its settings, its database and the loaded data sets. Nothing is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pymongo.collection import Collection
from pymongo.database import Database

from campus_api import settings
from campus_api.db.connection import COLLECTIONS, collection_exists, connect_read_only, read_records
from campus_api.db.errors import DatabaseUnavailable, NewerLayout, translate_errors
from campus_api.settings import RawValue, Setting, SettingError

OK = 0
FAILED = 1
CANNOT_START = 2

_MAX_TIMEOUT_MS = 5000
_REDACTED = "***"


@dataclass
class Report:
    """The result of a check; `status` is the exit status of the command."""

    file: str
    status: int = OK
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: list[dict[str, Any]] = field(default_factory=list)
    reachable: bool = False
    documents: dict[str, int] = field(default_factory=dict)

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
    values = {setting.name: _check_setting(report, setting, raw_values[setting.name]) for setting in settings.SETTINGS}
    if values["clock.frozen_at"]:
        report.warnings.append("clock.frozen_at is set: the clock of the service does not advance.")
    # A MongoDB that is not embedded is connected by the first query: its URI alone can be checked, too.
    if report.status == OK and (not settings_only or values["mongo.uri"].startswith("mongodb")):
        _check_database(report, values, settings_only=settings_only)
    return report


def _check_setting(report: Report, setting: Setting, raw_value: RawValue) -> Any:
    """Report a setting and return its value; an invalid secret is redacted as a whole."""
    text = setting.default if raw_value.text is None else raw_value.text.strip()
    value = None
    try:
        value = setting.value(raw_value.text)
        shown = redact_uri(text) if setting.secret and text else text
    except SettingError as error:
        report.add_problem(CANNOT_START, str(error))
        shown = _REDACTED if setting.secret and text else text
    report.settings.append({"name": setting.name, "value": shown, "source": raw_value.source})
    return value


def redact_uri(uri: str) -> str:
    """Return `uri` without credentials and options, which may be secret."""
    scheme, _, rest = uri.partition("://")
    if not scheme.startswith("mongodb"):
        return uri
    credentials, at, rest = rest.rpartition("@")
    # An unescaped password may contain / or ?, and an option an @: where it ends is uncertain.
    if "/" in credentials or "?" in credentials:
        return _REDACTED
    hosts, _, options = rest.partition("?")
    return f"{scheme}://{f'{_REDACTED}@' if at else ''}{hosts}{f'?{_REDACTED}' if options else ''}"


def _check_database(report: Report, values: Mapping[str, Any], *, settings_only: bool) -> None:
    timeout = min(values["mongo.timeout_ms"], _MAX_TIMEOUT_MS)
    try:
        # Like the service, which reads from secondaries while there is no primary.
        connection = connect_read_only({**values, "mongo.timeout_ms": timeout})
    except SettingError as error:
        # Which part of a URI that the driver rejects is the password is uncertain.
        for entry in report.settings:
            if entry["name"] == "mongo.uri":
                entry["value"] = _REDACTED
        report.add_problem(CANNOT_START, str(error))
        return
    except DatabaseUnavailable as error:
        report.add_problem(FAILED, f"the database cannot be reached: {error}")
        return
    try:
        if not settings_only:
            _count_documents(report, connection.database)
    except NewerLayout as error:
        report.add_problem(CANNOT_START, f"the database cannot be read: {error}")
    except DatabaseUnavailable as error:
        verb = "read" if report.reachable else "reached"
        report.add_problem(FAILED, f"the database cannot be {verb}: {error}")
    finally:
        connection.close()


def _count_documents(report: Report, database: Database) -> None:
    """Count the documents of the live collections; report what the service cannot read."""
    with translate_errors():
        database.client.admin.command("ping", read_preference=database.client.read_preference)
        report.reachable = True
        records = read_records(database)
        for dataset, names in COLLECTIONS.items():
            if dataset not in records:
                report.add_problem(FAILED, f"{dataset}: nothing is loaded.")
                continue
            for name in names:
                _count_collection(report, name, database[records[dataset]["collections"][name]])


def _count_collection(report: Report, name: str, collection: Collection) -> None:
    if not collection_exists(collection):
        report.add_problem(FAILED, f"the live collection {collection.name} does not exist.")
        return
    report.documents[name] = collection.estimated_document_count()
