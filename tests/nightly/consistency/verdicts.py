"""Compare responses with what the revisions that they name must give."""

import re
from collections import defaultdict

from webob.datetime_utils import serialize_date

from tests.nightly.consistency.clients import FOREIGN_ETAG


class Verdicts:
    """The responses that are wrong, by their fault."""

    def __init__(self, revisions, responses):
        self.faults = defaultdict(list)
        self._revisions = revisions
        self._judged = {}
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
        same = response.url.key, response.last_modified, response.body
        if same not in self._judged:
            self._judged[same] = self._judge_body(response.url, response.last_modified, response.body)
        return self._judged[same]

    def _judge_not_modified(self, response):
        if response.etag != response.if_none_match or response.etag == FOREIGN_ETAG:
            return "304 for an ETag that the client did not send"
        if (response.url.key, response.etag, response.last_modified) not in self._validators:
            return "304 with validators that no response of the URL had"
        return None

    def _judge_body(self, url, last_modified, body):
        revisions = self._of_dataset(url)
        named = [each for each in revisions if url.is_of_both or serialize_date(each.loaded_at) == last_modified]
        if any(url.is_body_of(revision, body) for revision in named):
            return None
        # Lines of calendars are folded.
        loads = set(re.findall(rb"of load (\d+)", body.replace(b"\r\n ", b"")))
        if len(loads) != 1:
            return "body of several loads" if loads else "body without data"
        is_of_another = any(url.is_body_of(revision, body) for revision in self._of_dataset(url))
        return "Last-Modified of another revision" if is_of_another else "body of no revision"

    def _of_dataset(self, url):
        return [revision for revision in self._revisions if revision.dataset == url.dataset]

    def _find_ambiguous_etags(self):
        """Find ETags with several bodies or revisions, and revisions with several ETags."""
        bodies, lengths, dates, etags = (defaultdict(lambda: defaultdict(list)) for _ in range(4))
        for each in self._ok:
            key = each.url.key
            if each.method == "GET":
                bodies[key, each.etag][each.body].append(each)
            lengths[key, each.etag, each.headers["Content-Encoding"]][each.headers["Content-Length"]].append(each)
            dates[key, each.etag][each.last_modified].append(each)
            # Both data sets may be published within the second that Last-Modified has.
            if not each.url.is_of_both:
                etags[key, each.last_modified][each.etag].append(each)
        self._add_ambiguous("ETag with several bodies", bodies)
        self._add_ambiguous("ETag with several lengths", lengths)
        self._add_ambiguous("ETag with several revisions", dates)
        self._add_ambiguous("revision with several ETags", etags)

    def _add_ambiguous(self, fault, groups):
        """Add the responses of each group that differ from most others."""
        for responses in groups.values():
            for rarer in sorted(responses.values(), key=len)[:-1]:
                self.faults[fault] += rarer
