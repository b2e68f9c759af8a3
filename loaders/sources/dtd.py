"""Document type definitions of XML, which are not read, and the entities that they could define."""

from types import SimpleNamespace
from typing import Any
from xml.parsers import expat


class InvalidXml(ValueError):
    """XML that is not of the expected kind, is incomplete, or has entities that are not those of XML."""


def _create_parser(*arguments: Any) -> expat.XMLParserType:
    """Return a parser that accepts the name of a DTD, but neither definitions in the document nor entities of it."""
    parser = expat.ParserCreate(*arguments)
    parser.StartDoctypeDeclHandler = _check_dtd
    parser.SkippedEntityHandler = _reject_entity
    return parser


def _check_dtd(_name: str, _system_id: str | None, _public_id: str | None, has_definitions: bool) -> None:
    if has_definitions:
        raise InvalidXml("defines a DTD, which could define huge entities")


def _reject_entity(name: str, _is_parameter: bool) -> None:
    raise InvalidXml(f"has the entity {name!r}, which is not one of XML")


# In the place of expat in xmltodict.
WITHOUT_DTD = SimpleNamespace(ParserCreate=_create_parser)
