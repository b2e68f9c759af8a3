"""Faults to inject into a server: each function returns a decorator for `send`."""

import json
import re
from urllib.parse import parse_qs


def rewrite_url(pattern, replacement):
    def fault(send):
        return lambda target, headers: send(re.sub(pattern, replacement, target), headers)

    return fault


def change_response(change, where=""):
    """Change status, headers and body of responses to requests that match a pattern like `GET /path`."""

    def fault(send):
        def faulty_send(target, headers):
            response = send(target, headers)
            return change(*response) if re.search(where, f"GET {target}") else response

        return faulty_send

    return fault


def change_status(code, where=""):
    return change_response(lambda _, headers, body: (code, headers, body), where)


def change_body(content, where=""):
    return change_response(lambda status, headers, _: (status, headers, content), where)


def change_header(name, value, where="", of=None):
    """Set a header, or drop it if `value` is None; of responses with status `of` only, if set."""

    def change(status, headers, body):
        if of in (None, status):
            headers = {key: text for key, text in headers.items() if key != name.lower()}
            headers |= {} if value is None else {name.lower(): value}
        return status, headers, body

    return change_response(change, where)


def change_json(change, where="", of=200):
    """Change the decoded body of uncompressed responses with status `of`."""

    def change_body(status, headers, body):
        if status == of and body and "content-encoding" not in headers:
            body = json.dumps(change(json.loads(body)), ensure_ascii=False).encode()
            headers = {**headers, "content-length": str(len(body))}
        return status, headers, body

    return change_response(change_body, where)


def change_items(change, where=""):
    return change_json(lambda items: [change(item) for item in items], where)


def without_field(name):
    return lambda item: {key: value for key, value in item.items() if key != name}


def filter_items(path, matches, passed_on=()):
    """Filter a list by `matches(item, query)`; only the parameters in `passed_on` reach the server."""

    def fault(send):
        def faulty_send(target, headers):
            target_path, _, query_string = target.partition("?")
            query = parse_qs(query_string, keep_blank_values=True)
            if target_path != path or not query.keys() - set(passed_on):
                return send(target, headers)
            remaining = "&".join(f"{name}={value}" for name in passed_on for value in query.get(name, ()))
            status, response_headers, body = send(f"{path}?{remaining}", headers)
            items = [item for item in json.loads(body) if matches(item, query)]
            return status, response_headers, json.dumps(items).encode()

        return faulty_send

    return fault
