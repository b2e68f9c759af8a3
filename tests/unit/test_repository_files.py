"""Files that other programs read: the workflow, Dependabot's and nginx's configuration, the compose file."""

import re

from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner

from campus_api import catalog
from tests.documents import ROOT


def test_a_file_matches_its_schema():
    for schema, path in (
        ("compose-spec", "compose.yaml"),
        ("dependabot", ".github/dependabot.yml"),
        ("github-workflows", ".github/workflows/ci.yml"),
        ("github-workflows", ".github/workflows/nightly.yml"),
    ):
        checked = CliRunner().invoke(check_jsonschema, ["--builtin-schema", f"vendor.{schema}", str(ROOT / path)])
        assert checked.exit_code == 0, (path, checked.output)


def test_nginx_serves_no_response_of_today_for_days():
    configuration = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    [pattern] = re.findall(r"location ~ (\S+) \{\s+proxy_pass \S+;\s+proxy_cache_use_stale off;", configuration)

    for end in ("", "/"):
        limited = {path for path in catalog.PATHS if re.search(pattern, path + end)}
        assert limited == {endpoint.path for endpoint in catalog.ENDPOINTS if endpoint.is_dated}, end
