"""For whoever runs the service: whether it is ready, its numbers, and a page of how it is doing."""

from __future__ import annotations

import hmac
import ipaddress
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, request
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import NotFound

from service.core import counters, jobs, presence
from service.ops import census, readiness, watching
from service.ops.readiness import Condition
from service.web.here import service
from service.web.rendering import clock, page

blueprint = Blueprint("operator", __name__)

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")


@blueprint.get("/readyz")
def readyz() -> Response:
    """Readiness: 503 if a part of the service does not do its work."""
    parts = _parts()
    ready = readiness.is_well(parts)
    answer = jsonify({"ready": ready, "parts": parts, "reasons": readiness.reasons(parts)})
    answer.status_code = 200 if ready else 503
    return answer


@blueprint.get("/metrics")
def metrics() -> Response:
    """The numbers, in the form that is asked for."""
    if (refusal := _refusal()) is not None:
        return refusal
    # Only the process that is asked pays for the library.
    from prometheus_client.exposition import choose_encoder

    from service.ops.metrics import registry

    encode, kind = choose_encoder(request.headers.get("Accept", ""))
    return Response(encode(registry(service())), content_type=kind)


@blueprint.get("/health")
def health() -> Response:
    """The state of the service, for people."""
    if (refusal := _refusal()) is not None:
        return refusal
    parts, now = _parts(), service().now()
    state, counted = None, None
    if parts["database"] == Condition.OK:
        try:
            with service().database.read() as session:
                state, counted = watching.look(session, now), counters.totals(session)
        except SQLAlchemyError:
            parts["database"] = Condition.UNREACHABLE
    answer = page(
        "health",
        checked=parts,
        well=readiness.is_well(parts),
        state=state,
        counted=counted,
        ages=list(census.ages()),
        room=service().room(),
        staff=presence.staff(service().settings.redis_url),
        clock=clock(),
    )
    answer.headers["Refresh"] = "30"
    return answer


def _parts() -> readiness.Parts:
    here = service()
    return readiness.parts(here, lambda: jobs.answers(here.settings.redis_url))


def _refusal() -> Response | None:
    """None for who may look: whoever shows METRICS_TOKEN; where there is none, whoever sits at this
    machine and has come straight.
    """
    token = service().settings.metrics_token
    if token is None:
        if _is_here():
            return None
        raise NotFound
    shown = request.authorization
    # RFC 6750 for machines; RFC 7617 for people, whose browser asks for a password.
    given = (shown.token or shown.password or "") if shown is not None else ""
    if hmac.compare_digest(given.encode(), token.encode()):
        return None
    wants = {"WWW-Authenticate": 'Basic realm="Paleopost", charset="UTF-8"'}
    return Response("401\n", 401, wants, mimetype="text/plain")


def _is_here() -> bool:
    """True if somebody on this very machine asks it by a name of this machine. Where pages are
    served over HTTPS a proxy stands before us, and everybody seems to be here.
    """
    if service().settings.secure or any(name in request.headers for name in _FORWARDED):
        return False
    host = (urlsplit(f"//{request.host}").hostname or "").lower()
    return _is_loopback(request.remote_addr) and (host == "localhost" or _is_loopback(host))


def _is_loopback(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
