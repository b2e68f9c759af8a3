"""The checks, in sections: every public function of a section is one, and its docstring the sentence that it checks."""

from conformance.checks import (
    bad_menus,
    browsers,
    buildings,
    caching,
    compression,
    errors,
    filters,
    ids,
    menus,
    methods,
    names,
    request_ids,
    search,
    slashes,
)

SECTIONS = (
    buildings,
    search,
    names,
    ids,
    menus,
    filters,
    bad_menus,
    errors,
    methods,
    slashes,
    browsers,
    caching,
    compression,
    request_ids,
)
