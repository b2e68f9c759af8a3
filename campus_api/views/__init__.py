"""The views, and how they answer: JSON by orjson."""

import orjson


def includeme(config):
    """Register the renderer and every view."""
    config.add_renderer("json", _Json)
    config.scan("campus_api.views")


class _Json:
    """Render what a view returns as JSON in UTF-8."""

    def __init__(self, info):
        pass

    def __call__(self, value, system):
        response = system["request"].response
        if response.content_type == response.default_content_type:
            response.content_type = "application/json"
        return orjson.dumps(value)
