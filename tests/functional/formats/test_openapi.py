"""The OpenAPI document is valid and complete, and its examples are real responses."""

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from campus_api.catalog import DATA, ENDPOINTS, PATHS
from campus_api.resources import Dining, Item, Map, Root
from loaders.samples import load_samples
from tests.factories import TODAY
from tests.functional.formats.openapi_validation import error_example, examples_of, resolve


@pytest.fixture
def sampled(start):
    service = start()
    load_samples(service.database, TODAY)
    service.revisions.poll()
    return service.app


@pytest.fixture
def document(service):
    return service.app.get("/openapi.json").json


def query_parameters(document, path):
    """Return the query parameters of a path."""
    parameters = [resolve(document, each) for each in document["paths"][path]["get"]["parameters"]]
    return [each for each in parameters if each["in"] == "query"]


def test_the_document_is_valid_openapi(document):
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_every_named_view_is_in_the_catalog(service):
    folders = {Root: "", Map: "/map", Dining: "/dining", Item: "/dining/recipes/{id}"}
    views = [each["introspectable"] for each in service.cache.app.registry.introspector.get_category("views")]
    named = {f"{folders[view['context']]}/{view['name']}" for view in views if view["name"]}

    assert named - PATHS == set()


def test_exactly_the_endpoints_of_the_catalog_are_described_with_their_media_types(document):
    paths = {path: each.media_types for each in ENDPOINTS for path in (each.path, *each.item_paths)}
    assert document["paths"].keys() == paths.keys()
    for path, media_types in paths.items():
        content = document["paths"][path]["get"]["responses"]["200"]["content"]
        assert [each.partition(";")[0] for each in content] == list(media_types), path


def test_exactly_the_parameters_of_the_schemas_are_described(document):
    for path, endpoint in DATA.items():
        parameters = query_parameters(document, path)
        # An ignored one is described, too.
        names = [*endpoint.parameters, *(["_t"] if endpoint.is_strict else [])]
        assert [each["name"] for each in parameters] == names, path
        repeatable = [each for each in parameters if each["name"] not in ("from", "to", "q", "_t")]
        assert [each for each in repeatable if (each["style"], each["explode"]) != ("form", True)] == [], path


def test_a_parameter_accepts_what_its_schema_allows(service, document):
    for parameter in query_parameters(document, "/dining/menus"):
        if parameter["name"] == "_t":
            continue
        schema = parameter["schema"]["items"]
        for value, type_ in ((TODAY, "date"), ("7", "integer"), ("-7", "integer"), ("9" * 40, "integer"), ("x", "")):
            status = 200 if type_ in (schema["type"], schema.get("format")) else 400
            response = service.app.get("/dining/menus", {parameter["name"]: value}, status="*")
            assert response.status_int == status, (parameter["name"], value)


def test_examples_are_responses_with_the_sample_data(sampled):
    document, seen = sampled.get("/openapi.json").json, 0
    for path, item in document["paths"].items():
        for media_type, content in item["get"]["responses"]["200"]["content"].items():
            if "example" in content:
                example = content["example"]
                response = sampled.get(*examples_of(document, path), headers={"Accept": media_type})
                response = response.text if isinstance(example, str) else response.json
                actual = response[: len(example)] if isinstance(example, list | str) else response
                assert (path, actual) == (path, example), media_type
                seen += 1

    assert seen >= 10


def test_examples_of_errors_are_real_responses(sampled):
    document = sampled.get("/openapi.json").json

    for response, name in (
        (sampled.get("/dining/menus?meal=lunch&loction=30", status=400), "BadRequest"),
        (sampled.get("/map/buildings/102", status=404), "NotFound"),
        (sampled.post("/map/buildings", status=405), "MethodNotAllowed"),
    ):
        assert response.json == error_example(document, name), name
