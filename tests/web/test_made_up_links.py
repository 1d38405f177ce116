"""Links nobody was sent: no page tells a near miss from a guess, by what it says or what it asks of
the database, and no link tells anything about another.
"""

from __future__ import annotations

import random
import re

from service.core.models import Match
from tests.support.statements import counted
from tests.web.conftest import Site, path

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
OF_THE_REQUEST = re.compile(r'name="csrf_token"[^>]*>|nonce-[A-Za-z0-9+/=_-]+')


def asked(site: Site, rule: str, token: str) -> tuple[int, str, int]:
    """Status and page for who has this link, without what is of the request alone; and how many
    statements it took.
    """
    address = rule.replace("<key:key>", token)
    with counted(site.service.database.engine) as statements:
        answer = site.app.test_client().get(address)
    page = OF_THE_REQUEST.sub("", answer.get_data(as_text=True))
    return answer.status_code, page.replace(token, "TOKEN"), statements.total


def changed(token: str, place: int) -> str:
    other = ALPHABET[(ALPHABET.index(token[place]) + 1) % len(ALPHABET)]
    return token[:place] + other + token[place + 1 :]


def tokens(site: Site, match: Match) -> dict[str, str]:
    """Links that lead somewhere, by their routes."""
    links = [site.turn_link(match), *(path(site.links.seat(match, n)) for n in range(2))]
    return {f"{link} {number}": link.split("/")[2] for number, link in enumerate(links)}


def test_a_near_miss_is_told_as_any_guess(site: Site) -> None:
    draw = random.Random(1)
    match = site.table(guests=1)
    real = list(tokens(site, match).values())
    rules = sorted(
        rule.rule
        for rule in site.app.url_map.iter_rules()
        if "<key:key>" in rule.rule and rule.rule.count("<") == 1 and "GET" in (rule.methods or ())
    )
    assert len(rules) > 5
    for rule in rules:
        guess = "".join(draw.choice(ALPHABET) for _ in range(26))
        asked(site, rule, guess)  # whatever is kept from then on
        told = asked(site, rule, guess)
        assert told[0] in (200, 302, 404, 410), (rule, told[0])
        for place in (0, 7, 13, 24):
            for token in real:
                assert asked(site, rule, changed(token, place)) == told, rule


def test_a_link_of_one_kind_opens_no_other(site: Site) -> None:
    """With somebody's link in hand, the other routes say what they say to a guess."""
    match = site.table(guests=1)
    own = path(site.links.seat(match, 0))
    token, guess = own.split("/")[2], "a" * 26
    for rule in ("/i/<key:key>", "/u/<key:key>", "/t/<key:key>", "/w/<key:key>", "/j/<key:key>"):
        if any(each.rule == rule for each in site.app.url_map.iter_rules()):
            assert asked(site, rule, token)[:2] == asked(site, rule, guess)[:2], rule


def test_links_tell_nothing_about_each_other(site: Site) -> None:
    """Neighbours agree in as many letters as any two texts do: one of 32."""
    found = [token for _ in range(6) for token in tokens(site, site.table(guests=1)).values()]
    assert len(set(found)) == len(found)
    pairs = [(one, other) for n, one in enumerate(found) for other in found[n + 1 :]]
    alike = sum(a == b for one, other in pairs for a, b in zip(one, other, strict=True))
    # The mean of 26 letters of each pair, by three standard deviations and more.
    assert alike / (26 * len(pairs)) < 2.2 / 32
