"""Checking a match: what all chance came from, as far as it is published, and how to compute it."""

from __future__ import annotations

from flask import Blueprint, Response

from engine.chance import seed_hash
from engine.fairness import commitment_of
from service.access.links import Links
from service.matches import reading
from service.matches.fairness import fairness_of, parts_so_far
from service.web import grants
from service.web.here import service
from service.web.rendering import page

blueprint = Blueprint("check", __name__)


@blueprint.get("/m/<code:code>/check")
def check(code: str) -> Response:
    """Before the end the fingerprints and what players added; then the secret number, too."""
    with service().database.read() as database:
        match = grants.watched(database, code)
        over = reading.outcome_of(match) is not None
        made_of = fairness_of(match)
        # The fingerprint of what was sealed, made anew of what is opened now.
        opened = None
        if over:
            secret = made_of.secret if made_of else None
            opened = commitment_of(bytes.fromhex(secret)) if secret else seed_hash(match.seed)
        return page(
            "check",
            match=match,
            over=over,
            made_of=made_of,
            opened=opened,
            added=parts_so_far(match),
            seed=match.seed.hex() if over else None,
            watch_link=Links(service()).watch(match),
        )
