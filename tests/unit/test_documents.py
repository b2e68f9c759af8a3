"""The documents agree with the code, and tests run all of their examples."""

import re
from importlib.metadata import version

from click.testing import CliRunner

from campus_api.cli.config import main
from tests.documents import DOCUMENTS, ROOT, blocks, programs, prose, steps

DECISIONS = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
OPERATIONS = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
LIMITS = (ROOT / "docs/limits.md").read_text(encoding="utf-8")
# Tests run the commands, programs, mongosh lines, profiles and the crontab line; text is for diagrams.
LANGUAGES = {"console", "python", "javascript", "toml", "cron", "ini", "text"}


def test_links_to_files_and_headings_resolve():
    for document in DOCUMENTS:
        links = re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", document.read_text(encoding="utf-8"))
        targets = [(document.parent / path if path else document, name) for path, name in links]
        assert [path for path, _ in targets if not path.exists()] == [], document
        assert [(path, name) for path, name in targets if name and name not in _headings(path)] == [], document


def test_every_decision_names_an_existing_test():
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    tests = set(re.findall(r"def (test_\w+)\(", code))
    rows = [line for line in DECISIONS.splitlines() if line.startswith("| ") and not line.startswith("| question")]

    assert len(rows) > 30
    assert [row for row in rows if not _tests(row) or _tests(row) - tests] == []


def test_the_newest_release_notes_are_those_of_this_version():
    changes = (ROOT / "CHANGES.md").read_text(encoding="utf-8")

    assert re.search(r"^## (\d.*)$", changes, re.MULTILINE)[1] == version("campus-api")


def test_templates_are_the_ini_files_of_the_checkout():
    for name in ("development", "production"):
        printed = CliRunner().invoke(main, ["template", name]).output
        # Copies, because `campus-config template NAME > NAME.ini` would empty the file that a link leads to.
        assert printed == (ROOT / f"{name}.ini").read_text(encoding="utf-8"), name


def test_operations_contain_the_table_of_settings():
    printed = CliRunner().invoke(main, ["settings"]).output

    assert printed.count("\n") > 5
    assert printed in OPERATIONS


def test_documented_timeouts_match_the_configuration():
    files = [ROOT / "production.ini", *(ROOT / "deploy").glob("*.*")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    rows = re.findall(r"^\| (\d+) \| \w+, (`\w+`(?:, `\w+`)*)", LIMITS, re.MULTILINE)
    timeouts = [(name, seconds) for seconds, names in rows for name in re.findall(r"\w+", names)]

    assert len(timeouts) > 5
    assert [each for each in timeouts if not re.search(rf"^ *{each[0]}[ =]+{each[1]}s?;?$", text, re.MULTILINE)] == []


def test_code_is_in_fenced_blocks_with_a_language_of_commands_and_programs_that_they_run():
    for document in DOCUMENTS:
        assert {block.language for block in blocks(document)} <= LANGUAGES, document
        assert re.findall(r"^(?: {4}|\t|```).*", prose(document), re.MULTILINE) == [], document
        console = [block.text for block in blocks(document) if block.language == "console"]
        python = [block.text for block in blocks(document) if block.language == "python"]
        shown = [step for step in steps(document) if not step.command.startswith("db.")]
        assert "".join(console) == "".join(f"$ {command}\n{text}" for command, text in shown), document
        named, commands = programs(document), [command for command, _ in steps(document)]
        assert [text for text in python if text not in named.values()] == [], document
        assert [name for name in named if not any(each.endswith(f" {name}") for each in commands)] == [], document


def _headings(document):
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def _tests(row):
    return set(re.findall(r"`(test_\w+)`", row.split("|")[-2]))
