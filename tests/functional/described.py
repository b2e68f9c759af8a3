"""What an answer has that the description does not say, and the other way round."""

import json

from jsonschema import Draft202012Validator

# What HTTP itself and servers need.
PLAIN_HEADERS = {"content-type", "content-length", "date", "server", "via", "connection"}


def closed(schema):
    """Return a schema in which objects have no other properties than those that it names."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    only = {"additionalProperties": False} if isinstance(schema.get("properties"), dict) else {}
    return {name: closed(each) for name, each in schema.items()} | only


def resolved(document, part):
    """Return a part of a document, or what its reference leads to."""
    if "$ref" not in part:
        return part
    found = document
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found


def undescribed(document, path, answer):
    """Return what is wrong with an answer to a request for `path`, as the document has it."""
    responses, status = document["paths"][path]["get"]["responses"], str(answer.status)[:3]
    if status not in responses:
        return [f"status {status}"]
    response = resolved(document, responses[status])
    return [*_in_headers(document, response, answer.headers), *_in_body(document, response, answer)]


def _in_headers(document, response, headers):
    described = {name.lower(): resolved(document, header) for name, header in response["headers"].items()}
    given = {name.lower() for name in headers}
    yield from (f"header {name}" for name in given - PLAIN_HEADERS - described.keys())
    yield from (f"no {name}" for name, header in described.items() if header["required"] and name not in given)
    for name in given & described.keys():
        schema = described[name]["schema"]
        value = int(headers[name]) if schema.get("type") == "integer" else headers[name]
        yield from (f"{name}: {error.message}" for error in Draft202012Validator(schema).iter_errors(value))


def _in_body(document, response, answer):
    content = response.get("content", {})
    if not content:
        return ["a body"] if answer.body else []
    media_type = answer.headers["Content-Type"]
    if media_type not in content:
        return [f"media type {media_type}"]
    if "json" not in media_type:
        return []
    schema = {**closed(content[media_type]["schema"]), "components": closed(document["components"])}
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(answer.body))]
