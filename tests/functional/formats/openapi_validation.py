"""Validation of responses against the OpenAPI document; undocumented headers and fields are errors."""

import json

from jsonschema import Draft202012Validator

# Headers of HTTP itself and of servers.
HTTP_HEADERS = {"content-type", "content-length", "date", "server", "via", "connection"}


def closed(schema):
    """Return the schema with `additionalProperties: false` in all objects."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    members = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {name: closed(each) for name, each in schema.items()} | members


def resolve(document, part):
    """Return a part of the document, or the target of its `$ref`."""
    if "$ref" not in part:
        return part
    target = document
    for name in part["$ref"].removeprefix("#/").split("/"):
        target = target[name]
    return target


def examples_of(document, path):
    """Return the path and the query of an endpoint with the examples of its parameters."""
    parameters = [resolve(document, each) for each in document["paths"][path]["get"]["parameters"]]
    examples = {each["name"]: each["example"] for each in parameters if "example" in each}
    return path.format(id=examples.pop("id", None)), examples


def error_example(document, name):
    """Return the example of an error response, such as "NotFound"."""
    return document["components"]["responses"][name]["content"]["application/problem+json"]["example"]


def response_errors(document, path, response):
    """Return the differences between a response to a GET of `path` and its description."""
    descriptions, status = document["paths"][path]["get"]["responses"], str(response.status)[:3]
    if status not in descriptions:
        return [f"status {status}"]
    description = resolve(document, descriptions[status])
    return [*_header_errors(document, description, response.headers), *_body_errors(document, description, response)]


def _header_errors(document, description, headers):
    described = {name.lower(): resolve(document, header) for name, header in description["headers"].items()}
    names = {name.lower() for name in headers}
    yield from (f"header {name}" for name in names - HTTP_HEADERS - described.keys())
    yield from (f"no {name}" for name, header in described.items() if header["required"] and name not in names)
    for name in names & described.keys():
        schema = described[name]["schema"]
        value = int(headers[name]) if schema.get("type") == "integer" else headers[name]
        yield from (f"{name}: {error.message}" for error in Draft202012Validator(schema).iter_errors(value))


def _body_errors(document, description, response):
    content = description.get("content", {})
    if not content:
        return ["a body"] if response.body else []
    media_type = response.headers["Content-Type"]
    if media_type not in content:
        return [f"media type {media_type}"]
    if "json" not in media_type:
        return []
    schema = {**closed(content[media_type]["schema"]), "components": closed(document["components"])}
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(response.body))]
