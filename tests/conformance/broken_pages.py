"""A fault for each check of GeoJSON, the index and the OpenAPI document."""

from tests.conformance.breaking import change_header, change_json, change_response, without_field

OPENAPI = "/openapi.json$"
INDEX = "^GET /$"


def ignore_accept(send):
    return lambda method, target, headers: send(method, target, {**headers, "Accept": "application/json"})


def default_to_geojson(send):
    """Send GeoJSON for `Accept: */*`."""

    def faulty_send(method, target, headers):
        accepts_anything = headers.get("Accept") == "*/*"
        return send(method, target, {**headers, "Accept": "application/geo+json"} if accepts_anything else headers)

    return faulty_send


def ignore_query(send):
    """Send all buildings as GeoJSON, whatever the query."""

    def faulty_send(method, target, headers):
        return send(method, target.partition("?")[0] if "Accept" in headers else target, headers)

    return faulty_send


def not_acceptable(send):
    """Send a 406 where there is no GeoJSON."""

    def faulty_send(method, target, headers):
        status, response_headers, body = send(method, target, headers)
        if "Accept" in headers and "/dining" in target:
            return 406, response_headers, b""
        return status, response_headers, body

    return faulty_send


def change_features(change):
    def change_document(document):
        is_collection = isinstance(document, dict) and "features" in document
        return {**document, "features": [*map(change, document["features"])]} if is_collection else document

    return change_json(change_document, "^GET /map/buildings")


def change_rings(change):
    def change_feature(feature):
        polygons = feature["geometry"]["coordinates"]
        if feature["geometry"]["type"] == "MultiPolygon":
            polygons = [[change(ring) for ring in polygon] for polygon in polygons]
        return {**feature, "geometry": {**feature["geometry"], "coordinates": polygons}}

    return change_features(change_feature)


def as_polygons(feature):
    return {**feature, "geometry": {**feature["geometry"], "type": "Polygon"}}


def swap_point(feature):
    point = feature["properties"]["point"]
    swapped = {**point, "coordinates": point["coordinates"][::-1]}
    return {**feature, "properties": {**feature["properties"], "point": swapped}}


GEOJSON = {
    "buildings_are_a_feature_collection": ignore_accept,
    "one_building_is_a_feature": change_json(without_field("properties"), r"/map/buildings/\d+$"),
    "searches_support_geojson": ignore_query,
    "features_have_all_properties": change_features(
        lambda feature: {**feature, "properties": without_field("city")(feature["properties"])}
    ),
    "longitude_precedes_latitude": change_features(swap_point),
    "footprints_are_multipolygons": change_features(as_polygons),
    "rings_are_closed": change_rings(lambda ring: ring[:-1]),
    "exterior_rings_are_counterclockwise": change_rings(lambda ring: ring[::-1]),
    "json_is_the_default": default_to_geojson,
    "other_resources_are_never_geojson": not_acceptable,
    "buildings_vary_on_accept": change_header("Vary", "Accept-Encoding"),
    "each_representation_has_its_own_etag": change_header("ETag", '"always"'),
}


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

ALL = {**GEOJSON, **DOCUMENTS}
