"""The built-in mailbox. Letters are hostile content: they run nothing and load nothing."""

from __future__ import annotations

import datetime as dt
import ipaddress
import re
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from service.core.models import Player
from service.core.names import BadAddress, clean_address
from service.core.plain import whole_number
from service.dev.mailbox.letter import Letter, passages, read, with_answers, with_pictures
from service.dev.mailbox.store import Kept, MailboxStore
from service.dev.mailbox.writing import (
    LONGEST_SUBJECT,
    LONGEST_TEXT,
    NotTaken,
    answer_to,
    compose,
    deliver,
)
from service.render.templating import environment
from service.time.display import Clock
from service.web import language
from service.web.here import service
from service.web.rendering import clock, page
from service.web.security import SCRIPTED

blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")

PER_PAGE = 50
# Seconds between looks for an answer, and how many looks
LOOK_EVERY, MOST_LOOKS = 2, 30
TABS = ("letter", "text", "pictures", "headers", "source")
# Links work when a person follows them; scripts, forms, plugins and other people's servers do not.
SANDBOX = (
    "allow-same-origin allow-popups allow-popups-to-escape-sandbox "
    "allow-top-navigation-by-user-activation"
)
# Numbers an SQLite integer holds.
NUMBER = "<int(max=9223372036854775806):number>"

_HEAD = re.compile(r"(?i)<head\b[^>]*>")
_LINKS_LEAVE_THE_FRAME = '<base target="_top">'


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One letter in a list."""

    number: int
    subject: str
    gist: str
    at: dt.datetime


@blueprint.before_request
def only_for_this_machine() -> None:
    """Answer only to our own name or a bare number: a foreign name that was made to point here
    (DNS rebinding) would let its owner's pages read all letters.
    """
    host = (urlsplit(f"//{request.host}").hostname or "").lower()
    ours = urlsplit(service().settings.base_url).hostname
    if host not in (ours, "localhost") and not _is_number(host):
        abort(404)


@blueprint.get("/")
def addresses() -> Response:
    """Everybody who was written to; with `to`, the letters to one of them."""
    address = request.args.get("to", "").strip().lower()
    if address:
        return _letters(address)
    times = clock()
    found = [
        {"address": a.address, "letters": a.letters, "ago": times.distance(a.last)}
        for a in _store().addresses()
    ]
    return page("mailbox/addresses", addresses=found)


def _letters(address: str, status: int = 200, **box: str) -> Response:
    """The letters to an address with the box to write from it; `box` as in `_shown`."""
    older_than = whole_number(request.args.get("before", ""), 18)
    kept = _store().letters(address, PER_PAGE + 1, older_than)
    answer = page(
        "mailbox/letters",
        status,
        address=address,
        clock=_clock_of(address),
        writes=service().settings.lmtp_listen is not None,
        box=box,
        letters=[_line(letter, read(letter)) for letter in kept[:PER_PAGE]],
        older=kept[PER_PAGE - 1].id if len(kept) > PER_PAGE else None,
    )
    if not kept and not box:
        # The first letter may be on its way.
        answer.headers["Refresh"] = "3"
    return answer


@blueprint.get(f"/letter/{NUMBER}/")
@blueprint.get(f"/letter/{NUMBER}/<any({', '.join(TABS)}):tab>")
def letter(number: int, tab: str = "") -> Response:
    """One letter, one side of it at a time; with `text` to begin an answer with, as its links that
    write one have it.
    """
    text = request.args.get("text", "").replace("\0", "")[:LONGEST_TEXT]
    box = {"text": text} if text else {}
    return _shown(number, tab, 200, **box)


def _shown(number: int, tab: str = "", status: int = 200, **box: str) -> Response:
    """A letter with the box to answer it; `box` is what was typed and what is wrong with it."""
    kept = _kept(number)
    found = read(kept)
    sides = _sides(found)
    answer = page(
        "mailbox/letter",
        status,
        number=number,
        answer=answer_to(found) if service().settings.lmtp_listen else None,
        box=box,
        kept=kept,
        clock=_clock_of(*kept.recipients),
        letter=found,
        passages=passages(found.text or ""),
        tabs=sides,
        tab=tab or sides[0],
        sandbox=SANDBOX,
        source=kept.raw.decode("utf-8", "replace"),
    )
    answer.headers["Content-Security-Policy"] = f"{SCRIPTED}; frame-src 'self'"
    return answer


@blueprint.get(f"/letter/{NUMBER}/reply", endpoint="replying")
@blueprint.get("/write", endpoint="writing")
def asked_again(number: int | None = None) -> ResponseReturnValue:
    """A page that told what went wrong is asked for again, e.g. in another language."""
    lang = request.args.get("lang")
    if number is None:
        return redirect(url_for("mailbox.addresses", lang=lang))
    return redirect(url_for("mailbox.letter", number=number, lang=lang))


@blueprint.post(f"/letter/{NUMBER}/reply")
def reply(number: int) -> ResponseReturnValue:
    """Answer a letter, as its reader would from a mail program."""
    kept = _kept(number)
    found = read(kept)
    answer = answer_to(found)
    text = _typed("text", LONGEST_TEXT)
    if answer is None or not kept.recipients:
        abort(404)
    if not text:
        return _shown(number, status=422, problem="empty")
    when = _clock_of(*kept.recipients).say(kept.received_at, _word("moment"))
    message = compose(
        kept.recipients[0],
        answer.to,
        answer.subject,
        text,
        service().now(),
        answer,
        _word("attribution", when, found.author),
    )
    try:
        return _sent(kept.recipients[0], answer.to, message)
    except NotTaken as error:
        return _shown(number, status=502, problem="not_taken", said=error.reply, text=text)


reply.__dict__["again"] = lambda number: _shown(
    number, status=400, problem="stale_form", text=_typed("text", LONGEST_TEXT)
)


@blueprint.post("/write")
def write() -> ResponseReturnValue:
    """Write to any address from one of the mailbox."""
    author, to = _typed("author", 254).lower(), _typed("to", 254)
    text, subject = _typed("text", LONGEST_TEXT), _typed("subject", LONGEST_SUBJECT)
    box = {"to": to, "subject": subject, "text": text}
    try:
        author, to = clean_address(author), clean_address(to)
    except BadAddress:
        return _letters(author, 422, problem="bad_address", **box)
    if not text:
        return _letters(author, 422, problem="empty", **box)
    try:
        return _sent(author, to, compose(author, to, subject, text, service().now()))
    except NotTaken as error:
        return _letters(author, 502, problem="not_taken", said=error.reply, **box)


write.__dict__["again"] = lambda: _letters(
    _typed("author", 254).lower(),
    400,
    problem="stale_form",
    **{name: _typed(name, LONGEST_TEXT) for name in ("to", "subject", "text")},
)


@blueprint.get("/sent")
def sent() -> Response:
    """The mail that has come since one was sent: looked for until something has, for a while."""
    address = request.args.get("by", "").strip().lower()
    after = request.args.get("after", 0, type=int)
    looks = request.args.get("looks", 0, type=int)
    found = [kept for kept in _store().letters(address, PER_PAGE) if kept.id > after]
    waits = not found and looks < MOST_LOOKS
    answer = page(
        "mailbox/sent",
        address=address,
        clock=_clock_of(address),
        letters=[_line(kept, read(kept)) for kept in found],
        waits=waits,
        again=url_for("mailbox.sent", by=address, after=after),
    )
    if waits:
        address_of_next = url_for("mailbox.sent", by=address, after=after, looks=looks + 1)
        answer.headers["Refresh"] = f"{LOOK_EVERY}; url={address_of_next}"
    return answer


def _sent(author: str, to: str, message: EmailMessage) -> ResponseReturnValue:
    """Hand a mail over and go and wait for what comes of it. Raises NotTaken."""
    place = service().settings.lmtp_listen
    if place is None:
        abort(404)
    before = _store().letters(author, 1)
    deliver(place, author, to, message)
    after = before[0].id if before else 0
    return redirect(url_for("mailbox.sent", by=author, after=after), 303)


def _typed(name: str, most: int) -> str:
    return request.form.get(name, "").replace("\0", "").strip()[:most]


def _word(name: str, *values: object) -> str:
    """A macro of the mailbox's wording, in the reader's language."""
    words = environment(language.current()).get_template("wording/mailbox.txt").module
    return str(getattr(words, name)(*values))


@blueprint.get(f"/letter/{NUMBER}/html")
def html(number: int) -> Response:
    """The HTML part by itself, for the frame."""
    found = read(_kept(number))
    if found.html is None:
        abort(404)
    address = url_for("mailbox.part", number=number, place=0).removesuffix("0")
    text = with_pictures(found.html, found.parts, address)
    answer_of = answer_to(found) if service().settings.lmtp_listen else None
    if answer_of is not None:
        text = with_answers(text, answer_of.to, url_for("mailbox.letter", number=number))
    head = _HEAD.search(text)
    at = head.end() if head else 0
    text = text[:at] + _LINKS_LEAVE_THE_FRAME + text[at:]
    answer = Response(text, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = "; ".join(
        (
            f"sandbox {SANDBOX}",
            "default-src 'none'",
            f"img-src {request.host_url.rstrip('/')}{address} data:",
            "style-src 'unsafe-inline'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
        )
    )
    return answer


@blueprint.get(f"/letter/{NUMBER}/part/<int:place>")
def part(number: int, place: int) -> Response:
    """One part: a picture to be shown, anything else to be kept as a file."""
    found = next((p for p in read(_kept(number)).parts if p.number == place), None)
    if found is None:
        abort(404)
    if found.is_picture:
        answer = Response(found.body, mimetype=found.kind)
    else:
        answer = Response(found.body, mimetype="application/octet-stream")
        answer.headers.set(
            "Content-Disposition", "attachment", filename=found.name or f"part-{place}"
        )
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return answer


@blueprint.get(f"/letter/{NUMBER}/letter.eml")
def source(number: int) -> Response:
    """The letter as it came, as a file."""
    answer = Response(_kept(number).raw, mimetype="message/rfc822")
    answer.headers.set("Content-Disposition", "attachment", filename=f"letter-{number}.eml")
    return answer


def _store() -> MailboxStore:
    return MailboxStore(Path(service().settings.data_dir))


def _kept(number: int) -> Kept:
    return _store().letter(number) or abort(404)


def _clock_of(*addresses: str) -> Clock:
    """The clock that letters to these addresses go by: that of the first who has one."""
    with service().database.read() as database:
        zone = database.scalar(select(Player.zone).where(Player.email.in_(addresses)).limit(1))
    return clock(zone)


def _line(kept: Kept, found: Letter) -> Line:
    return Line(number=kept.id, subject=found.subject, gist=found.gist, at=kept.received_at)


def _sides(found: Letter) -> tuple[str, ...]:
    """The tabs that have something to show."""
    empty = set()
    if found.html is None:
        empty.add("letter")
    if found.text is None:
        empty.add("text")
    if not found.pictures and not found.attachments:
        empty.add("pictures")
    return tuple(tab for tab in TABS if tab not in empty)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
