"""The wheel, installed and used outside of the checkout."""

import json
import os
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


@pytest.fixture
def ini(bin_, tmp_path):
    path = tmp_path / "campus.ini"
    path.write_text(template(bin_, "development"), encoding="utf-8")
    return path


def template(bin_, name):
    return subprocess.run(
        [bin_ / "campus-config", "template", name], stdout=subprocess.PIPE, text=True, check=True
    ).stdout


def test_the_wheel_contains_every_file_of_the_packages(wheel):
    paths = [path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file() and path.suffix != ".pyc"]

    assert {str(path.relative_to(ROOT)) for path in paths} - set(ZipFile(wheel).namelist()) == set()


def test_an_installed_wheel_serves_the_samples(bin_, ini, spawn):
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


def test_the_commit_is_that_of_the_checkout_not_of_another_repository_around_it(tmp_path):
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
    assert commit_built_in(tmp_path) == f"{head}-dirty"
    assert commit_built_in(archive) == ""


def test_a_build_contains_no_module_of_the_version_that_was_built_before(tmp_path):
    for name in SOURCES:
        shutil.copy(ROOT / name, tmp_path)
    built = tmp_path / "build/lib/campus_api"
    package = tmp_path / "campus_api"
    package.mkdir()
    (package / "changed.py").write_text("new = 1")
    (package / "removed.py").touch()
    commit_built_in(tmp_path)

    # Files of an archive have the times of its version.
    (package / "changed.py").write_text("old = 1")
    os.utime(package / "changed.py", (0, 0))
    (package / "removed.py").unlink()
    commit_built_in(tmp_path)

    assert (built / "changed.py").read_text() == "old = 1"
    assert not (built / "removed.py").exists()


def git(*arguments, folder):
    return subprocess.check_output([require("git"), *arguments], cwd=folder, text=True).strip()


def commit_built_in(folder):
    (folder / "campus_api").mkdir(exist_ok=True)
    (folder / "campus_api" / "__init__.py").touch()
    subprocess.run([sys.executable, "setup.py", "--quiet", "build_py"], cwd=folder, check=True)
    return (folder / "build/lib/campus_api/commit.txt").read_text()
