"""The formats of dining exports, a class each."""

from loaders.menu_formats.base import DiningFormat
from loaders.menu_formats.campus import CampusDining
from loaders.menu_formats.table import MenuTable

# Formats are detected in this order, after the built-in profiles of tables.
DINING_FORMATS: dict[str, type[DiningFormat]] = {each.name: each for each in (CampusDining, MenuTable)}
