"""The wheel, installed and used outside of the checkout."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.processes.commands import ROOT, fetch, url_of, wait_for_process
from tests.programs import require

PACKAGES = ["campus_api", "loaders"]
SOURCES = ["setup.py", "pyproject.toml", "README.md", "development.ini", "production.ini"]


def pip(*arguments):
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", *map(str, arguments), "--no-index", "--no-deps"], check=True
    )


COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel in a copy of the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in SOURCES:
        shutil.copy(ROOT / name, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CAMPUS_BUILD_COMMIT", COMMIT)
        pip("wheel", "--no-build-isolation", "--wheel-dir", folder, folder)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def bin_(wheel, tmp_path_factory):
    """Install the wheel into a new environment with the packages of these tests, but not the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        # Coverage would be measured in files that are deleted with the environment.
        if not re.search("campus_api|coverage", entry.name):
            (packages / entry.name).symlink_to(entry)
    pip("--python", folder / "bin/python", "install", wheel)
    return folder / "bin"


def test_the_wheel_contains_every_file_of_the_packages(wheel):
    paths = [path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file() and path.suffix != ".pyc"]

    assert {str(path.relative_to(ROOT)) for path in paths} - set(ZipFile(wheel).namelist()) == set()


def test_an_installed_wheel_serves_the_samples(bin_, spawn, tmp_path):
    ini = tmp_path / "campus.ini"
    ini.write_bytes(subprocess.check_output([bin_ / "campus-config", "template", "development"]))
    load = spawn(bin_ / "campus-load", "samples", "--config", ini)
    assert load.wait() == 0, load.output()

    server = spawn(bin_ / "python", "-m", "pyramid.scripts.pserve", ini, "http_port=0")
    url = wait_for_process(server, lambda: url_of(server))

    paths = ["/map/buildings", "/dining/menus", "/openapi.json", "/llms.txt", "/docs/clients.md", "/explore"]
    pages = [fetch(url + path) for path in paths]
    linked = re.findall(r'(?:src|href)="(/static/[^"]+)"', pages[-1].body.decode())
    assert len(linked) > 1
    statuses = [fetch(url + path).status for path in linked]
    assert json.loads(fetch(f"{url}/__version__").body)["commit"] == COMMIT
    assert {page.status for page in pages} | set(statuses) == {200}


def test_a_build_has_the_commit_of_its_checkout_and_nothing_of_other_builds(tmp_path):
    archive = tmp_path / "campus"
    for folder in (tmp_path, archive):
        folder.mkdir(exist_ok=True)
        for name in SOURCES:
            shutil.copy(ROOT / name, folder)
    git("init", "--quiet", folder=tmp_path)
    git("add", *SOURCES, folder=tmp_path)
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message=x", folder=tmp_path)
    head = git("rev-parse", "HEAD", folder=tmp_path)

    assert commit_built_in(tmp_path) == head
    (tmp_path / "README.md").write_text("changed")
    # A module of the version that was built before.
    removed = tmp_path / "build/lib/campus_api/removed.py"
    removed.touch()
    assert commit_built_in(tmp_path) == f"{head}-dirty"
    assert not removed.exists()
    assert commit_built_in(archive) == ""


def git(*arguments, folder):
    return subprocess.check_output([require("git"), *arguments], cwd=folder, text=True).strip()


def commit_built_in(folder):
    (folder / "campus_api").mkdir(exist_ok=True)
    (folder / "campus_api" / "__init__.py").touch()
    subprocess.run([sys.executable, "setup.py", "--quiet", "build_py"], cwd=folder, check=True)
    return (folder / "build/lib/campus_api/commit.txt").read_text()
