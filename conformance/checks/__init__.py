"""The checks: each public function of a section module is one, and its docstring is its description."""

from conformance.checks import (
    building_search,
    buildings,
    clients,
    menu_filters,
    menu_validation,
    menus,
    named_entities,
)

SECTIONS = (
    buildings,
    building_search,
    named_entities,
    menus,
    menu_filters,
    menu_validation,
    clients,
)
