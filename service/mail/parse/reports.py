"""Delivery reports: which letter reached whom not, and whether trying again makes sense.

First what RFC 3464 says in fields (and RFC 6533 for addresses beyond ASCII); else the forms of
servers with a form of their own, which `flufl.bounce` knows (it reads Mailman's reports); else the
words themselves, if a mail server wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.iterators import body_line_iterator
from email.message import EmailMessage
from typing import Final

import msgspec
import structlog
from flufl.bounce import all_failures

from service.mail.parse import fields
from service.mail.parse.headers import LONGEST, raw_values, text_of

log = structlog.get_logger(__name__)

DIAGNOSTIC_LIMIT = 300
"""Characters kept of what the other server said."""

FORMS_LIMIT, FORMS_LINE_LIMIT = 300_000, 400
"""Characters of a report, and of a line of it, up to which the many forms are tried: they take
quadratic time for long lines. Reports in forms of their own are short.
"""

STATUS_KINDS: Final = frozenset({"message/delivery-status", "message/global-delivery-status"})
_RETURNED: Final = frozenset(
    {"message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers"}
)

# Senders that are no person on any server. RFC 2142 has people read postmaster@: it is none of
# them.
DAEMONS: Final = re.compile(r"(?:mailer[-_]?daemon|mail[-_]?daemon|double-?bounce)(?:[+.-].*)?")

# How reports begin their subjects, in the languages of those who write here. A person who answers
# one begins with "Re:".
_SUBJECT: Final = re.compile(
    r"""(?ix)
    undeliver(?:able|ed)\b | failure\ notice\b | returned\ mail\b | delayed\ mail\b
    | mail\ delivery\ (?:failed|failure) | warning:\ (?:message|could\ not\ send|mail)\b
    | delivery\ (?:status\ notification|failure|has\ failed|delayed|notification)
    | (?:mail|message)\ (?:delivery\ )?(?:failure|undeliverable|not\ delivered|delayed)
    | your\ message\ could\ not\ be\ delivered
    | non\ remis\b | non[- ]distribu | avis\ de\ non[- ]remise | retour\ de\ courrier
    | [ée]chec\ (?:de\ |d['’])(?:la\ )?(?:remise|distribution|livraison|envoi)
    | notification\ d['’][ée]tat\ de\ (?:la\ )?(?:remise|distribution)
    | message\ non\ (?:remis|délivré|distribué)
    | unzustellbar | no\ se\ puede\ entregar | mancato\ recapito | onbestelbaar
    """
)
_DELAY: Final = re.compile(
    r"(?i)\b(?:delay(?:ed)?|still being retried|will (?:continue|keep) (?:trying|to be tried)"
    r"|will be retried|warning: could not send|retardée?|différée?|nouvelles? tentatives?)\b"
)

# Subjects of RFC 3463 go from 0 to 7: what else looks so is the number of a version or a host.
_ENHANCED: Final = re.compile(r"(?<![\d.])([245])\.([0-7])\.(\d{1,3})(?!\.?\d)")
_REPLY: Final = re.compile(r"(?<![\w.-])([45]\d\d)(?=[ :-])")

_FULL: Final = re.compile(
    r"""(?ix)
    \b(?:mailbox|inbox|account|quota|storage|boîte|bal)\b.{0,40}
        \b(?:full|exceed|over|pleine|saturée|dépassé)
    | over\ ?quota | quota\ exceeded | out\ of\ storage | insufficient\ (?:system\ )?storage
    | dépasse\ son\ quota
    """
)
_POLICY: Final = re.compile(
    r"""(?ix)\b(?:
    spam | spamhaus | blocked | block\ ?list | blacklist | blocklisted | listed\ (?:at|by|in|on)
    | dnsbl | rbl | reputation | policy | greylist | throttl | rate\ limit | too\ (?:many|large|big)
    | try\ again | temporar | time(?:d?\ |-)?out | dmarc | spf | dkim | content\ rejected | virus
    | refused\ to\ talk | réessayez | temporaire
    )"""
)
_UNKNOWN: Final = re.compile(
    r"""(?ix)
    \b(?:user|mailbox|recipient|account|address|adresse|destinataire|boîte|compte)\b.{0,60}?\b(?:
        unknown | not\ (?:be\ )?found | does(?:n't|\ not)\ exist | not\ exist | no\ longer
        | disabled | inactive | rejected | unavailable | invalid
        | inconnue? | introuvable | n['’]existe | invalide | désactivée?
    )
    | (?:unknown|no\ such|invalid|bad)\ (?:user|mailbox|recipient|address|account|destination)
    | no\ mailbox\ here | isn't\ listed | host\ (?:or\ domain\ name\ )?not\ found
    | domain\ .{0,80}not\ found
    """
)
_EVIDENCE: Final = (_REPLY, _ENHANCED, _UNKNOWN, _FULL)

_MESSAGE_ID: Final = re.compile(r"(?im)^[ \t>]*Message-ID:\s*<([^<>\s]{1,500})>")
_ID: Final = re.compile(r"<([^<>\s]{1,500})>")
_UTF8_XTEXT: Final = re.compile(r"\\x\{([0-9A-Fa-f]{2,6})\}")
_XTEXT: Final = re.compile(r"\+(2B|3D|20|[01][0-9A-F]|7F|[89A-F][0-9A-F])")
# Where forms of their own begin to quote the letter they return.
_COPY: Final = re.compile(
    r"(?im)^[ \t]*-{2,20}[^\n]{0,80}(?:copy of (?:the|your) message|original message|message header"
    r"|returned (?:mail|message)|message d'origine|message original)"
)

# About our letter, our server or the way to theirs: none says that nobody has this address.
_SOFT: Final = frozenset({"1.7", "1.8", "2.2", "2.3", "4.7", "4.300"})


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One recipient who did not get it. `recipient` is None if the report does not say who, and
    `status` if it has no code (RFC 3463); `hard` if nobody will ever get mail there.
    """

    recipient: str | None
    status: str | None
    hard: bool
    diagnostic: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a delivery report. Without failures it tells of a success, or, if `delayed`,
    that the server goes on trying: neither counts. `original_message_id` has no brackets.
    """

    failures: tuple[Failure, ...]
    original_message_id: str | None
    delayed: bool


def report_of(message: EmailMessage, envelope_from: str | None = None) -> Report | None:
    """The delivery report in this message; None if there is none, or nothing to be made of it."""
    found = _fields_report(message)
    if found is None and written_by_server(message, envelope_from):
        found = _form_report(message)
    return found


def written_by_server(message: EmailMessage, envelope_from: str | None) -> bool:
    """True if a mail server speaks: by its own name, or with nobody to answer to (RFC 5321 §4.5.5)
    under a subject that only reports have.
    """
    sender = fields.address(fields.value(message, "From"))
    local = sender.partition("@")[0]
    if DAEMONS.fullmatch(local) or fields.has(message, "X-Failed-Recipients"):
        return True
    return about_delivery(message) and (
        local == "postmaster" or unanswerable(message, envelope_from)
    )


def about_delivery(message: EmailMessage) -> bool:
    """True if the subject is one of a report, and answers nothing."""
    return _SUBJECT.match(text_of(message, "Subject")) is not None


def unanswerable(message: EmailMessage, envelope_from: str | None) -> bool:
    """True if it came with an empty return path: as SMTP said it, else as the field does."""
    if envelope_from is not None:
        return envelope_from.strip() in ("", "<>")
    return any(path.replace(" ", "") == "<>" for path in raw_values(message, "Return-Path"))


def is_hard(status: str | None, diagnostic: str) -> bool:
    """True if nobody will ever get mail there, by the code of RFC 3463 or RFC 5321, else the words.

    In doubt it is soft: that counts too, only more slowly.
    """
    status = _telling(status, diagnostic)
    reply = _REPLY.search(diagnostic)
    if status is not None and status[0] != "5":
        return False
    if status is not None and not status.endswith(".0.0"):
        _, _, detail = status.partition(".")
        return detail not in _SOFT and detail[0] not in "367"
    if reply is not None and (reply[1][0] == "4" or reply[1] == "552"):
        return False
    if _FULL.search(diagnostic) or _POLICY.search(diagnostic):
        return False
    return status is not None or reply is not None or _UNKNOWN.search(diagnostic) is not None


def _telling(status: str | None, diagnostic: str) -> str | None:
    """The more precise of two: many servers write 5.0.0 beside what the other one really said."""
    if status is not None and not status.endswith(".0.0"):
        return status
    said = _ENHANCED.search(diagnostic)
    return said[0] if said is not None else status


# --- RFC 3464


def _fields_report(message: EmailMessage) -> Report | None:
    blocks = [block for part in fields.parts(message) for block in _blocks(part)]
    recipients = [
        b for b in blocks if b.keys() & {"final-recipient", "original-recipient", "action"}
    ]
    if not recipients:
        return None
    failures, delayed = [], False
    for block in recipients[: fields.PARTS_LIMIT]:
        action = block.get("action", "").partition(";")[0].strip().lower()
        # OpenSMTPD writes "error"; who writes nothing has a status to go by.
        if action.startswith("delay"):
            delayed = True
        elif action.startswith(("fail", "error")) or (not action and _class(block) in "45"):
            failures.append(_failure(block))
    return Report(
        failures=tuple(failures),
        original_message_id=_original(message),
        delayed=delayed and not failures,
    )


def _blocks(part: EmailMessage) -> Iterator[dict[str, str]]:
    """The blocks of fields of a status part, each as a dictionary of lower-case names."""
    if fields.kind_of(part)[0] not in STATUS_KINDS:
        return
    raw = fields.undone(_again(part), fields.value(part, "Content-Transfer-Encoding"))
    text = raw[: 4 * fields.TEXT_LIMIT].decode("utf-8", "replace")
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        found: dict[str, str] = {}
        for line in re.sub(r"\n[ \t]+", " ", block).splitlines():
            name, colon, value = line.partition(":")
            if colon:
                found.setdefault(name.strip().lower(), value.strip()[:LONGEST])
        if found:
            yield found


def _again(part: EmailMessage) -> bytes:
    """The bytes of a status part: the parser has cut it into messages, right or wrong."""
    pieces = []
    for block in fields.enclosed(part):
        head = "".join(f"{name}: {value}\n" for name, value in block.raw_items())
        pieces.append(head.encode("utf-8", "surrogateescape") + b"\n" + fields.data(block))
    return b"\n\n".join(pieces)


def _failure(block: dict[str, str]) -> Failure:
    said = block.get("diagnostic-code", "")
    # "smtp; 550 ..." and, of Exchange, "550 ...;" followed by more of the same.
    diagnostic = said.partition(";")[2] if re.match(r"\s*[\w.-]+\s*;", said) else said
    diagnostic = _short(diagnostic)
    given = _ENHANCED.search(block.get("status", ""))
    status = _telling(given[0] if given else None, diagnostic)
    return Failure(
        recipient=_recipient(block),
        status=status,
        hard=is_hard(status, diagnostic),
        diagnostic=diagnostic,
    )


def _class(block: dict[str, str]) -> str:
    return block.get("status", "").strip()[:1] or "?"


def _recipient(block: dict[str, str]) -> str | None:
    """Who we wrote to, rather than where their server sent it on."""
    final = _typed(block.get("final-recipient", ""))[1]
    kind, original = _typed(block.get("original-recipient", ""))
    if original and kind != "utf-8" and original.lower() != final.lower():
        # xtext (RFC 3461 §4): some servers hand it on encoded. A plus that stands for itself can
        # only be followed by such digits by chance, and then both fields say the same.
        original = _XTEXT.sub(lambda found: chr(int(found[1], 16)), original)
    return fields.address(original) or fields.address(final) or None


def _typed(value: str) -> tuple[str, str]:
    """Address type and address of "rfc822; ann@example.org", the type often left out."""
    kind, mark, rest = value.partition(";")
    if not mark:
        kind, rest = "rfc822", value
    kind = kind.strip().lower()
    if kind == "utf-8":
        rest = _UTF8_XTEXT.sub(_character, rest)
    return kind, rest.strip()


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else found[0]


# --- Forms of their own


def _form_report(message: EmailMessage) -> Report | None:
    text = fields.words(message)
    copy = _COPY.search(text)
    said = text[: copy.start()] if copy else text
    original = _original(message, text)
    later, never = _known_forms(message)
    if not never and (later or _is_delay(message, said)):
        return Report(failures=(), original_message_id=original, delayed=True)
    if never:
        failures = tuple(_told(who, said, never) for who in sorted(never))
    elif any(p.search(said) for p in _EVIDENCE):
        failures = (_told(None, said),)
    else:
        return None
    return Report(failures=failures, original_message_id=original, delayed=False)


def _is_delay(message: EmailMessage, said: str) -> bool:
    """True if the server goes on trying, by its words."""
    if _DELAY.search(text_of(message, "Subject")):
        return True
    return _DELAY.search(said) is not None and not _UNKNOWN.search(said)


def _known_forms(message: EmailMessage) -> tuple[set[str], set[str]]:
    """Who will get it later and who never, as the forms of other servers say it."""
    size = 0
    try:
        for line in body_line_iterator(message):
            size += len(line)
            if len(line) > FORMS_LINE_LIMIT or size > FORMS_LIMIT:
                return set(), set()
        later, never = all_failures(message)
    except Exception as error:  # noqa: BLE001 (another's guesses on bytes of any kind)
        log.info("report_unread", error=type(error).__name__)
        return set(), set()
    return _addresses(later), _addresses(never)


def _addresses(found: frozenset[bytes]) -> set[str]:
    return {who for raw in found if "@" in (who := raw.decode("utf-8", "replace").lower())}


def _told(who: str | None, said: str, others: set[str] | frozenset[str] = frozenset()) -> Failure:
    """A failure as the words behind the address tell it, up to the next one's."""
    lower = said.lower()
    at = lower.find(who) if who else -1
    if who is not None and at >= 0:
        begin = at + len(who)
        ends = [end for other in others - {who} if (end := lower.find(other, begin)) >= 0]
        near = said[begin : min(ends, default=len(said))]
    else:
        first = min(found.start() for p in _EVIDENCE if (found := p.search(said + " 500 ")))
        near = said[said.rfind("\n", 0, first) + 1 :]
    diagnostic = _short(near.lstrip(" <>:,;\r\n\t"))
    status = _ENHANCED.search(diagnostic)
    return Failure(
        recipient=who,
        status=status[0] if status else None,
        hard=is_hard(status[0] if status else None, diagnostic),
        diagnostic=diagnostic,
    )


def _original(message: EmailMessage, text: str = "") -> str | None:
    """The id of the letter it is about: from what is returned of it, else from what it answers."""
    for part in fields.parts(message):
        kind = fields.kind_of(part)[0]
        if kind in _RETURNED:
            inner = fields.enclosed(part)
            returned = f"Message-ID: {fields.value(inner[0], 'Message-ID')}" if inner else ""
            found = _MESSAGE_ID.search(returned or fields.body(part))
            if found is not None:
                return found[1]
    found = _MESSAGE_ID.search(text)
    if found is not None:
        return found[1]
    for name in ("In-Reply-To", "X-Original-Message-ID", "References"):
        ids = _ID.findall(fields.value(message, name))
        if ids:
            return str(ids[-1])
    return None


def _short(text: str) -> str:
    return " ".join(text.split())[:DIAGNOSTIC_LIMIT].strip()
