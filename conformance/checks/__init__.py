"""The checks, in sections: every public function of a section is one, and its docstring the sentence that it checks."""

from conformance.checks import bad_menus, buildings, errors, filters, ids, menus, methods, names, search

SECTIONS = (buildings, search, names, ids, menus, filters, bad_menus, errors, methods)
