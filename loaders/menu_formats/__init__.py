"""The formats of dining exports, a class each."""

from loaders.menu_formats.base import DiningFormat
from loaders.menu_formats.campus import CampusDining
from loaders.menu_formats.foodpro import FoodPro
from loaders.menu_formats.huds import Huds
from loaders.menu_formats.openmensa import OpenMensa
from loaders.menu_formats.table import MenuTable

# Formats are detected in this order.
DINING_FORMATS: dict[str, type[DiningFormat]] = {
    each.name: each for each in (CampusDining, FoodPro, Huds, OpenMensa, MenuTable)
}
