"""Ways to break a server in one place: each returns what takes a `send` and returns a broken one."""

import json
import re
from urllib.parse import parse_qs


def asking(pattern, replacement):
    """Break how a URL is read."""

    def broken(send):
        return lambda method, target, headers: send(method, re.sub(pattern, replacement, target), headers)

    return broken


def as_method(method, other):
    """Take one method for another."""

    def broken(send):
        return lambda asked, target, headers: send(other if asked == method else asked, target, headers)

    return broken


def giving(change, where=""):
    """Change status, headers and body of what is answered where a request is like a pattern: `GET /path`."""

    def broken(send):
        def sent(method, target, headers):
            received = send(method, target, headers)
            return change(*received) if re.search(where, f"{method} {target}") else received

        return sent

    return broken


def status(code, where=""):
    return giving(lambda _, headers, body: (code, headers, body), where)


def body(content, where=""):
    return giving(lambda status, headers, _: (status, headers, content), where)


def header(name, value, where="", of=None):
    """Change a header, of answers of one status only if `of` says so; None drops it."""

    def change(status, headers, body):
        if of in (None, status):
            headers = {key: text for key, text in headers.items() if key != name.lower()}
            headers |= {} if value is None else {name.lower(): value}
        return status, headers, body

    return giving(change, where)


def data(change, where="", of=200):
    """Change what JSON says, of answers of one status, unless it is compressed."""

    def changed(status, headers, body):
        if status == of and body and "content-encoding" not in headers:
            body = json.dumps(change(json.loads(body)), ensure_ascii=False).encode()
            headers = {**headers, "content-length": str(len(body))}
        return status, headers, body

    return giving(changed, where)


def each(change, where=""):
    """Change each item of a list."""
    return data(lambda items: [change(item) for item in items], where)


def without(name):
    return lambda item: {key: value for key, value in item.items() if key != name}


def matching(path, keep, always=()):
    """Answer a list by a rule of its own: `keep` takes an item and the values of each parameter."""

    def broken(send):
        def sent(method, target, headers):
            asked, _, query = target.partition("?")
            wanted = parse_qs(query, keep_blank_values=True)
            if asked != path or method != "GET" or not wanted.keys() - set(always):
                return send(method, target, headers)
            pairs = "&".join(f"{name}={value}" for name in always for value in wanted.get(name, ()))
            status, given, body = send(method, f"{path}?{pairs}", headers)
            items = [item for item in json.loads(body) if keep(item, wanted)]
            return status, given, json.dumps(items).encode()

        return sent

    return broken
