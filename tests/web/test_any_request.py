"""Any request to any route: an answer in words, never a fault of ours, a secret or a huge page."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import NamedTuple
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from tests.support.cases import cases
from tests.web.conftest import Site, path

pytestmark = pytest.mark.slow

METHODS = ("GET", "POST", "GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE")
FIELDS = (
    *("a", "text", "body", "name", "address", "email", "lang", "next", "days", "from", "until"),
    *("seat", "plan", "note", "say", "game", "way", "bot", "seats", "pace", "zone", "own", "shown"),
)
LARGEST = 2_000_000
"""Bytes of an answer; the largest page of the product is a quarter of that."""
ODD = (
    *("", ".", "..", "%00", "%2e%2e%2f", "-1", "0", "99999999999999999999", "NaN", "null"),
    *("'\"><script>", "{{7*7}}", "é\u0301\u202e\ufeff", "\ud83d", "a" * 5000, "1' OR '1'='1"),
)
words = st.one_of(st.sampled_from(ODD), st.text(max_size=60))
fields = st.lists(
    st.tuples(st.one_of(st.sampled_from(FIELDS), st.text(max_size=12)), words), max_size=6
)


class Request(NamedTuple):
    """What is sent to a route; `seed` chooses among the values that lead somewhere."""

    method: str
    seed: int
    query: list[tuple[str, str]]
    form: list[tuple[str, str]]
    signed_in: bool
    odd: list[str]


requests = st.builds(
    Request,
    st.sampled_from(METHODS),
    st.integers(0, 2**32),
    fields,
    fields,
    st.booleans(),
    st.lists(words, max_size=3),
)
some = settings(max_examples=cases(12), deadline=None, suppress_health_check=list(HealthCheck))


def encoded(pairs: list[tuple[str, str]]) -> str:
    """Fields as a form sends them, with bytes that are no UTF-8 where the text cannot be any."""
    return urlencode(pairs, errors="surrogatepass")


class Door:
    """A site with a match, all its routes, and values that lead somewhere in them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.match = site.table(guests=1)
        site.play_on(self.match, 2)
        # POSTs that nobody has been shown the form of are refused before anything is read.
        site.app.config["WTF_CSRF_ENABLED"] = False
        # It says that there is no broker, as there is none.
        self.rules = sorted(
            (rule for rule in site.app.url_map.iter_rules() if rule.rule != "/readyz"), key=str
        )
        known = [
            site.turn_link(self.match),
            *(path(site.links.seat(self.match, seat)) for seat in range(2)),
            *(path(link) for link in self._links_of_letters()),
        ]
        self.values: dict[str, list[str]] = {}
        adapter = site.app.url_map.bind("paleopost.test")
        for link in dict.fromkeys(link.partition("?")[0] for link in known):
            for name, value in adapter.match(link)[1].items():
                self.values.setdefault(name, []).append(str(value))

    def _links_of_letters(self) -> list[str]:
        page = self.site.reader().get(path(self.site.links.seat(self.match, 0)))
        return [href for href, _ in page.links if "/m/" in href]

    def address(self, rule: Rule, request: Request) -> str:
        """An address of the route."""
        draw = random.Random(f"{request.seed} {rule}")
        odd = list(request.odd)

        def value(named: re.Match[str]) -> str:
            if odd and draw.random() < 0.4:
                return quote(odd.pop(), errors="surrogatepass")
            known = draw.choice(self.values.get(named[1]) or ["1"])
            if draw.random() < 0.2:
                at = draw.randrange(len(known))
                known = known[:at] + draw.choice("abz019-_~") + known[at + 1 :]
            return known

        return re.sub(r"<(?:[^:>]+:)?([^>]+)>", value, str(rule))


@pytest.fixture
def door(site: Site) -> Door:
    return Door(site)


def test_no_request_is_a_fault_of_ours(door: Door) -> None:
    """Each of them is sent to all routes."""
    key = door.site.service.settings.secret_key.encode()
    secrets = [key, b"Traceback (most recent"]
    answers: Counter[int] = Counter()

    @some
    @given(requests)
    def send(request: Request) -> None:
        client = door.site.app.test_client()
        if request.signed_in:
            client.get(path(door.site.links.seat(door.match, 0)))
        body = None if request.method in ("GET", "HEAD") else encoded(request.form)
        for rule in door.rules:
            address = door.address(rule, request)
            answer = client.open(
                address,
                method=request.method,
                query_string=encoded(request.query),
                data=body,
                content_type=body and "application/x-www-form-urlencoded",
            )
            assert answer.status_code < 500, (request.method, address)
            assert len(answer.data) < LARGEST, (request.method, address)
            assert not [secret for secret in secrets if secret in answer.data]
            answers[answer.status_code] += 1

    send()
    # Some of them lead somewhere.
    assert 10 * answers[200] > answers.total(), answers
