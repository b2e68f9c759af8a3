"""What the formats of dining exports have in common."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from campus_api.domain.models import NamedEntity
from loaders.documents.facts import FactsCollector
from loaders.documents.serving import DiningLists, MenuRow
from loaders.errors import DataWarning
from loaders.export_format import ExportFormat
from loaders.menu_formats.facts import FactsReader
from loaders.profiles import DiningProfile
from loaders.profiles.building_ids import IdAssigner

KINDS = ("location", "category", "dish")


class DiningFormat(ExportFormat):
    """A format of dining exports, whose records are raw rows.

    `source_hall` is the name of the hall of rows without any, `sheets` the number of sheets of its workbook that are
    read. `assigner` and `facts` may be those of several exports.
    """

    def __init__(self, profile: DiningProfile) -> None:
        super().__init__()
        self._profile = profile
        self.assigner = IdAssigner({})
        self.facts = FactsReader(profile, FactsCollector())
        self.source_hall = ""
        self.sheets = 1
        # What the export lists besides its rows, after they have been read.
        self.lists = DiningLists()
        # The locations and categories of codes whose names only the profile has, by the name of its table and the code.
        self.used_codes: dict[str, dict[str, NamedEntity]] = {}
        # The locations of each date in the rows that have been read.
        self.locations: dict[str, set[int]] = {}

    @classmethod
    @abstractmethod
    def fits(cls, head: str, profile: DiningProfile) -> bool:
        """Return whether an export with these first characters can be read with a profile of this format."""

    @classmethod
    def native_ids(cls, profile: DiningProfile) -> Collection[str]:
        """Return the kinds of entities, "location", "category" and "dish", whose ids are those of the export."""
        return KINDS

    @abstractmethod
    def parse_row(self, row: Any) -> tuple[MenuRow, Sequence[DataWarning]]:
        """Parse a raw row, with warnings about suspicious values; InvalidValue if it is unusable."""

    def add_facts(self, raw: Any, row: MenuRow) -> Iterable[DataWarning]:
        """Collect what a parsed row says about its recipe; return a warning for each value that is left out."""
        return ()
