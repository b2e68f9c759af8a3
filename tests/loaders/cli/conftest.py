"""Commands that need no database."""

import pytest
from click.testing import CliRunner

from loaders.cli.main import main
from tests.loaders.ini import ini_text


@pytest.fixture
def run(save):
    """Run campus-load with an ini file, by default one whose database cannot be used."""
    no_database = save(ini_text("mongomock://"), "memory.ini")

    def run(*arguments, config=no_database, **options):
        options_of_config = [] if config is None else ["--config", config]
        return CliRunner().invoke(main, [str(each) for each in (*arguments, *options_of_config)], **options)

    return run
