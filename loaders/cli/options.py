"""The options that several commands have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TextIO

import click

from loaders.cli.exports import SOURCE, Source, Sources
from loaders.publishing.checks import ALL_GUARDS, Guard

Command = Callable[..., None]

_GUARDS = [*(guard.value for guard in Guard), ALL_GUARDS]


@dataclass(frozen=True)
class LoadOptions:
    """The options of a command that reads exports by their profiles; the last ones are for buildings."""

    exports: Sources
    write: bool
    config: str | None
    max_errors: int
    overrides: Sequence[str]
    max_stale: int | None
    problems: TextIO | None
    quiet: bool
    as_json: bool
    id_field: str | None = None
    city: str | None = None
    image_base: str | None = None
    wkid: int | None = None
    layer: str | None = None
    sheet: str | None = None

    @classmethod
    def parse(
        cls, files: Sequence[Source], profile: str | None, sources: Sources, *, dry_run: bool = False, **options: Any
    ) -> Self:
        """Return the options of a command line; UsageError unless there are either files or sources."""
        if bool(files) == bool(sources) or (profile and sources):
            raise click.UsageError("use either FILES, with or without --profile, or --source")
        return cls(sources or {profile: files}, write=not dry_run, **options)


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return a decorator that adds all of these options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _only_one(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    if len(values) > 1:
        raise click.BadParameter(f"there are {len(values)}, but a load has one profile", ctx, parameter)
    return values[0] if values else None


def _parse_sources(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, list[Source]]:
    sources: dict[str, list[Source]] = {}
    for value in values:
        profile, _, file = value.partition("=")
        if not (profile and file):
            raise click.BadParameter(f"{value!r} is not of the form PROFILE=FILE", ctx, option)
        sources.setdefault(profile, []).append(SOURCE.convert(file, option, ctx))
    return sources


config_option = click.option(
    "--config", help="The ini file of the service; otherwise development.ini, or CAMPUS_MONGO_URI without one."
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Compare and report; write nothing.")
quiet_option = click.option("--quiet", is_flag=True, help="Print only what needs attention.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
sheet_option = click.option("--sheet", help="The sheet of a workbook; by default all with the columns of the profile.")
export_options = _options(
    click.argument("files", nargs=-1, type=SOURCE),
    click.option(
        "--profile",
        multiple=True,
        callback=_only_one,
        help="A profile or a .toml file; otherwise the built-in one that fits the export.",
    ),
    click.option(
        "--source",
        "sources",
        multiple=True,
        callback=_parse_sources,
        metavar="PROFILE=FILE",
        help="A file or URL and the profile of its provider, instead of FILES; repeatable.",
    ),
    sheet_option,
)
layer_option = click.option("--layer", help="The layer of a file with several.")
building_options = _options(
    click.option("--id-field", help="The field of the integer id."),
    click.option("--city", help="The city of buildings without one."),
    click.option("--image-base", help="Prefix for file names of photos."),
    click.option("--wkid", type=int, help="The spatial reference of an export that names none; web maps have 3857."),
    layer_option,
)
BUILDING_OPTIONS = ("id_field", "city", "image_base", "wkid", "layer")
load_options = _options(
    config_option,
    click.option(
        "--max-errors",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Publish without the invalid records if there are at most N.",
    ),
    click.option(
        "--override",
        "overrides",
        multiple=True,
        type=click.Choice(_GUARDS),
        metavar="GUARD",
        help=f"Publish although this guard refuses; repeatable: {', '.join(_GUARDS)}.",
    ),
    click.option(
        "--max-stale",
        type=click.IntRange(min=0),
        metavar="DAYS",
        help="Exit with 3 if the export is unchanged, or its menus ended, for more than DAYS days.",
    ),
    click.option(
        "--problems",
        type=click.File("w", encoding="utf-8", errors="backslashreplace", lazy=False),
        metavar="FILE",
        help="Write all errors and warnings to this file, one per line.",
    ),
    quiet_option,
    json_option,
)
