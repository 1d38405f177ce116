"""The addresses where providers post the mail they received for us. Answered with 2xx only after
the commit.
"""

from __future__ import annotations

import structlog
from flask import Blueprint, Response, abort, jsonify, request

from service.access.addresses import Addresses
from service.mail.receive.inbound import take
from service.mail.receive.recipients import is_known, named_in
from service.mail.receive.webhooks import ADAPTERS
from service.mail.receive.webhooks.post import Mail, Post, Unsigned, Unusable
from service.web.here import service
from service.web.security import csrf

blueprint = Blueprint("webhook", __name__, url_prefix="/inbound")

log = structlog.get_logger(__name__)

# A form or JSON has the mail in it and much of it again in other words.
WRAPPING = 4


@blueprint.post(f"/<any({', '.join(ADAPTERS)}):provider>")
@blueprint.post("/<any(mailgun):provider>/mime")
@csrf.exempt  # type: ignore[untyped-decorator]  # each is signed
def receive(provider: str) -> Response:
    """Take the mails of one post."""
    adapter, settings = ADAPTERS[provider], service().settings
    key = adapter.key(settings)
    if key is None:
        abort(404)
    request.max_content_length = settings.inbound_limit * WRAPPING
    request.max_form_memory_size = settings.inbound_limit * WRAPPING
    try:
        mails = adapter.read(_post(), key)
        if any(len(mail.raw) > settings.inbound_limit for mail in mails):
            abort(413)
        wanted = [(mail, to) for mail in mails for to in _recipients(mail)]
        with service().database.write() as work:
            for mail, to in wanted:
                take(
                    service(),
                    work,
                    mail.raw,
                    source=f"webhook:{provider}",
                    envelope_from=mail.sender,
                    recipient=to,
                )
    except Unsigned as error:
        log.warning("webhook_refused", provider=provider, reason=str(error))
        return _said({"error": "unsigned"}, 401)
    except Unusable as error:
        log.warning("webhook_unusable", provider=provider, reason=str(error))
        return _said({"error": str(error)}, 422)
    except OSError as error:
        # The certificate could not be had: it is to be sent again.
        log.warning("webhook_unchecked", provider=provider, reason=str(error))
        return _said({"error": "try again later"}, 503)
    if mails and not wanted:
        return _said({"error": "no such address"}, adapter.UNKNOWN)
    return _said({"taken": len(wanted)}, 200)


def _post() -> Post:
    # Read before the form is parsed, which would use it up.
    is_form = request.mimetype in ("multipart/form-data", "application/x-www-form-urlencoded")
    body = b"" if is_form else request.get_data(cache=False)
    form: dict[str, str | bytes] = dict(request.form.items()) if is_form else {}
    form.update({name: file.read() for name, file in request.files.items()} if is_form else {})
    return Post(
        headers=dict(request.headers),
        body=body,
        form=form,
        password=request.authorization.password if request.authorization else None,
        now=service().now().timestamp(),
    )


def _recipients(mail: Mail) -> list[str]:
    found = mail.recipients or named_in(Addresses(service().settings), mail.raw)
    return [address for address in found if is_known(service(), address)]


def _said(what: dict[str, object], status: int) -> Response:
    answer = jsonify(what)
    answer.status_code = status
    return answer
