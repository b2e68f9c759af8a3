"""For each check of days, GeoJSON, the index and the description a server that does not pass it."""

import re

from tests.conformance.breaking import data, giving, header, without

DESCRIPTION, INDEX = "/openapi.json$", "^GET /$"
ACCEPTED, LINK, EMPTY = "Accept", "Link", "X-Campus-Empty"


def linking(pattern, replacement):
    """Change the links to days."""

    def change(status, headers, body):
        changed = {name: re.sub(pattern, replacement, text) for name, text in headers.items() if name == "link"}
        return status, {**headers, **changed}, body

    return giving(change)


def undated(send):
    """Give links only to who asks for a date."""
    return header(LINK, None, "menus$")(send)


DAYS = {
    "menus_lead_to_the_next_day": linking("next", "last"),
    "menus_lead_to_the_day_before": linking("prev", "first"),
    "days_lead_back": linking(r"(<[^>]*>); rel=\"prev\", (<[^>]*>)", r'\2; rel="prev", \2'),
    "a_link_keeps_the_other_parameters": linking("&(meal|location)=[0-9]+", ""),
    "menus_of_today_lead_to_days": undated,
    "menus_of_several_dates_lead_nowhere": header(LINK, '<?date=2026-11-21>; rel="next"', "date=.*date="),
    "a_day_that_does_not_match_says_so": header(EMPTY, "closed"),
    "a_day_that_is_not_loaded_says_so": header(EMPTY, None),
    "a_closed_day_says_so": header(EMPTY, "no-match"),
    "a_day_with_menus_gives_no_reason": header(EMPTY, "no-match"),
    "scripts_may_read_links_and_reasons": header("Access-Control-Expose-Headers", "ETag"),
}


def all_to_json(send):
    """Take no notice of Accept."""
    return lambda method, target, headers: send(method, target, {**headers, ACCEPTED: "application/json"})


def all_to_geojson(send):
    """Give GeoJSON to who accepts anything."""

    def sent(method, target, headers):
        anything = headers.get(ACCEPTED) == "*/*"
        return send(method, target, {**headers, ACCEPTED: "application/geo+json"} if anything else headers)

    return sent


def without_a_query(send):
    """Give all buildings to who accepts GeoJSON."""

    def sent(method, target, headers):
        return send(method, target.partition("?")[0] if ACCEPTED in headers else target, headers)

    return sent


def strict(send):
    """Refuse who accepts nothing but GeoJSON where there is none."""

    def sent(method, target, headers):
        status, given, body = send(method, target, headers)
        return (406, given, b"") if ACCEPTED in headers and "/dining" in target else (status, given, body)

    return sent


def features(change):
    """Change each Feature of a collection."""

    def changed(document):
        is_collection = isinstance(document, dict) and "features" in document
        return {**document, "features": [*map(change, document["features"])]} if is_collection else document

    return data(changed, "^GET /map/buildings")


def rings(change):
    def changed(feature):
        polygons = feature["geometry"]["coordinates"]
        if feature["geometry"]["type"] == "MultiPolygon":
            polygons = [[change(ring) for ring in polygon] for polygon in polygons]
        return {**feature, "geometry": {**feature["geometry"], "coordinates": polygons}}

    return features(changed)


def as_polygons(feature):
    return {**feature, "geometry": {**feature["geometry"], "type": "Polygon"}}


def latitude_first(feature):
    point = feature["properties"]["point"]
    turned = {**point, "coordinates": point["coordinates"][::-1]}
    return {**feature, "properties": {**feature["properties"], "point": turned}}


GEOJSON = {
    "buildings_come_as_geojson": all_to_json,
    "a_building_comes_as_a_feature": data(without("properties"), r"/map/buildings/\d+$"),
    "a_search_comes_as_geojson": without_a_query,
    "a_feature_has_every_property": features(
        lambda feature: {**feature, "properties": without("city")(feature["properties"])}
    ),
    "longitude_comes_first": features(latitude_first),
    "a_footprint_is_a_multipolygon": features(as_polygons),
    "rings_are_closed": rings(lambda ring: ring[:-1]),
    "outer_rings_turn_counter_clockwise": rings(lambda ring: ring[::-1]),
    "json_comes_to_all_others": all_to_geojson,
    "only_buildings_come_as_geojson": strict,
    "buildings_vary_by_accept": header("Vary", "Accept-Encoding"),
    "each_form_has_its_own_etag": header("ETag", '"always"'),
}


def dataset(**members):
    """Change what the index tells of the menus."""

    def change(index):
        return {**index, "datasets": {**index["datasets"], "dining": {**index["datasets"]["dining"], **members}}}

    return data(change, INDEX)


def to_itself(index):
    return {**index, "resources": {name: {"href": "/"} for name in index["resources"]}}


def from_elsewhere(status, headers, body):
    return status, headers, body.replace(b"</head>", b'<script src="https://cdn.example/x.js"></script></head>')


def without_menus(document):
    return {**document, "paths": without("/dining/menus")(document["paths"])}


def without_parameters(document):
    menus = {"get": {**document["paths"]["/dining/menus"]["get"], "parameters": []}}
    return {**document, "paths": {**document["paths"], "/dining/menus": menus}}


DOCUMENTS = {
    "the_index_says_what_there_is": data(without("version"), INDEX),
    "the_index_leads_to_every_resource": data(to_itself, INDEX),
    "the_index_leads_to_every_document": data(lambda index: {**index, "documents": {}}, INDEX),
    "the_index_tells_what_is_loaded": dataset(revision="7"),
    "the_index_counts_what_there_is": dataset(counts={"recipes": 1}),
    "the_index_tells_from_when_to_when_there_are_menus": dataset(last_date="1900-01-01"),
    "browsers_get_a_start_page": header("Vary", None),
    "pages_load_nothing_from_elsewhere": giving(from_elsewhere, INDEX),
    "the_service_describes_itself": data(lambda document: {**document, "openapi": "3.0.3"}, DESCRIPTION),
    "the_description_has_every_path": data(without_menus, DESCRIPTION),
    "the_description_has_every_parameter": data(without_parameters, DESCRIPTION),
    "the_description_refers_to_what_it_has": data(without("components"), DESCRIPTION),
    "documents_are_known_again": header("ETag", None, DESCRIPTION),
}

ALL = {**DAYS, **GEOJSON, **DOCUMENTS}
