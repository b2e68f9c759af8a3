"""The checks, in sections: every public function of a section is one, and its docstring the sentence that it checks."""

from conformance.checks import buildings, filters, ids, menus, names, search

SECTIONS = (buildings, search, names, ids, menus, filters)
