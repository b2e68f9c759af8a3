"""Query strings: parsing, schemas and suggestions."""
