"""Document type definitions of XML, which are not read, and the entities that they could define."""

from xml.parsers import expat


class InvalidXml(ValueError):
    """XML that is not of the expected kind, is incomplete, or has entities that are not those of XML."""


def ignore_dtd(parser: expat.XMLParserType) -> None:
    """Let a parser accept the name of a DTD, but neither definitions in the document nor entities that need them."""
    parser.StartDoctypeDeclHandler = _check_dtd
    parser.SkippedEntityHandler = _reject_entity


def _check_dtd(_name: str, _system_id: str | None, _public_id: str | None, has_definitions: bool) -> None:
    if has_definitions:
        raise InvalidXml("defines a DTD, which could define huge entities")


def _reject_entity(name: str, _is_parameter: bool) -> None:
    raise InvalidXml(f"has the entity {name!r}, which is not one of XML")
