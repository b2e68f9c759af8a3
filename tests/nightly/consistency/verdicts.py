"""Compare responses with the revisions that they name, and with each other."""

import re
from collections import defaultdict

from webob.datetime_utils import serialize_date

from tests.nightly.consistency.clients import FOREIGN_ETAG


class Verdicts:
    """The responses that are wrong, by their fault."""

    def __init__(self, revisions, responses):
        self.faults = defaultdict(list)
        self._revisions = revisions
        self._ok = [response for response in responses if response.status == 200]
        self._validators = {(each.url.key, each.etag, each.last_modified) for each in self._ok}
        for response in responses:
            self.faults[self._judge(response)].append(response)
        self.faults.pop(None, None)
        self._find_ambiguous_etags()

    def report(self):
        """Return the number of responses with each fault, and an example."""
        return "\n".join(f"{len(wrong)} x {fault}, such as {wrong[0]}" for fault, wrong in self.faults.items())

    def _judge(self, response):
        """Return what is wrong with a response, None if nothing is."""
        if response.status == 304:
            return self._judge_not_modified(response)
        if response.status != 200:
            return f"status {response.status}"
        if response.method == "HEAD":
            return "HEAD with a body" if response.body else None
        return self._judge_body(response)

    def _judge_not_modified(self, response):
        if response.etag != response.if_none_match or response.etag == FOREIGN_ETAG:
            return "304 for an ETag that the client did not send"
        if (response.url.key, response.etag, response.last_modified) not in self._validators:
            return "304 with validators that no response of the URL had"
        return None

    def _judge_body(self, response):
        loads = set(re.findall(rb"of load (\d+)", _unfolded(response.body)))
        if len(loads) > 1:
            return "body of several loads"
        named = {
            str(each.load).encode()
            for each in self._revisions
            if each.dataset == response.url.dataset
            and (response.url.is_of_both or serialize_date(each.loaded_at) == response.last_modified)
        }
        return None if loads <= named else "Last-Modified of another revision"

    def _find_ambiguous_etags(self):
        """Find ETags with several bodies or revisions, revisions with several ETags, and bodies that lack something."""
        bodies, lengths, dates, etags, texts = (defaultdict(lambda: defaultdict(list)) for _ in range(5))
        for each in self._ok:
            key = each.url.key
            if each.method == "GET":
                bodies[key, each.etag][each.body].append(each)
                texts[each.url.template][_without_loads(each.body)].append(each)
            lengths[key, each.etag, each.headers["Content-Encoding"]][each.headers["Content-Length"]].append(each)
            dates[key, each.etag][each.last_modified].append(each)
            # Both data sets may be published within the second that Last-Modified has.
            if not each.url.is_of_both:
                etags[key, each.last_modified][each.etag].append(each)
        self._add_rarer("ETag with several bodies", bodies)
        self._add_rarer("ETag with several lengths", lengths)
        self._add_rarer("ETag with several revisions", dates)
        self._add_rarer("revision with several ETags", etags)
        self._add_rarer("body that differs in more than its load", texts)

    def _add_rarer(self, fault, groups):
        """Add the responses of each group that differ from most others."""
        for responses in groups.values():
            for rarer in sorted(responses.values(), key=len)[:-1]:
                self.faults[fault] += rarer


def _unfolded(body):
    """Return a body with the lines of calendars that are folded at 75 bytes."""
    return body.replace(b"\r\n ", b"")


def _without_loads(body):
    return re.sub(rb"of load \d+|DTSTAMP:.*", b"", _unfolded(body))
