"""A fault for each check of the index and the OpenAPI document."""

from tests.conformance.breaking import change_header, change_json, change_response, without_field

OPENAPI = "/openapi.json$"
INDEX = "^GET /$"


def change_dining(**fields):
    """Change the data set of menus in the index."""

    def change(index):
        return {**index, "datasets": {**index["datasets"], "dining": {**index["datasets"]["dining"], **fields}}}

    return change_json(change, INDEX)


def link_to_index(index):
    return {**index, "resources": {name: {"href": "/"} for name in index["resources"]}}


def add_external_script(status, headers, body):
    return status, headers, body.replace(b"</head>", b'<script src="https://cdn.example/x.js"></script></head>')


def without_menus(document):
    return {**document, "paths": without_field("/dining/menus")(document["paths"])}


def without_parameters(document):
    menus = {"get": {**document["paths"]["/dining/menus"]["get"], "parameters": []}}
    return {**document, "paths": {**document["paths"], "/dining/menus": menus}}


DOCUMENTS = {
    "index_has_name_and_version": change_json(without_field("version"), INDEX),
    "index_links_to_every_resource": change_json(link_to_index, INDEX),
    "index_links_to_every_document": change_json(lambda index: {**index, "documents": {}}, INDEX),
    "index_describes_the_datasets": change_dining(revision="7"),
    "index_counts_match_the_lists": change_dining(counts={"recipes": 1}),
    "index_has_the_date_range_of_menus": change_dining(last_date="1900-01-01"),
    "index_is_html_for_browsers": change_header("Vary", None),
    "pages_load_only_local_files": change_response(add_external_script, INDEX),
    "openapi_document_is_version_3_1": change_json(lambda document: {**document, "openapi": "3.0.3"}, OPENAPI),
    "openapi_document_has_every_path": change_json(without_menus, OPENAPI),
    "openapi_document_has_every_parameter": change_json(without_parameters, OPENAPI),
    "openapi_references_resolve": change_json(without_field("components"), OPENAPI),
    "documents_support_if_none_match": change_header("ETag", None, OPENAPI),
}

ALL = {**DOCUMENTS}
