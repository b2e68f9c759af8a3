"""What the document says of each endpoint."""

from typing import Any

from campus_api.openapi import headers, parameters, responses, snippets
from campus_api.openapi.endpoint import Endpoint


def operation(endpoint: Endpoint, answers: dict[str, dict[str, Any]], today: str) -> dict[str, Any]:
    """Return what is said of GET at an endpoint; `answers` has an example by media type and URL."""
    content = {
        media_type: {"schema": schema} | _example(answers.get(media_type, {}), endpoint.example)
        for media_type, schema in endpoint.content.items()
    }
    always = headers.references(*headers.ALWAYS)
    also = {status: {**answer, "headers": always} for status, answer in endpoint.also.items()}
    return {
        "operationId": endpoint.name,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "description": endpoint.description,
        "parameters": parameters.of_endpoint(endpoint, today),
        "responses": {
            "200": {
                "description": "What was asked for.",
                "headers": always | headers.references(*endpoint.headers),
                "content": content,
            },
            **({"304": responses.not_modified(endpoint.headers)} if endpoint.is_known_again else {}),
            **responses.errors(*endpoint.errors),
            **also,
        },
        "x-codeSamples": snippets.of(endpoint.example, next(iter(content))),
    }


def _example(answers: dict[str, Any], url: str) -> dict[str, Any]:
    return {"example": answers[url]} if url in answers else {}
