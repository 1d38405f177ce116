"""Telling a person's mail from the many things that must never be answered or played (RFC 3834 §2:
an answer to an automatic message is how loops begin).

One function per rule, asked in this order; the first that knows the mail decides. A person's mail
must never be swallowed: headers that people's mail carries too, and words in a subject, count only
beside other evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from itertools import islice
from typing import Final, Literal

import msgspec

from service.mail.parse import fields, reports
from service.mail.parse.bodies import bodies_of
from service.mail.parse.headers import raw_values, text_of
from service.mail.parse.markup import of_html

Kind = Literal["person", "auto-reply", "report", "complaint", "list", "ours"]

_TOP_LINES, _TOP = 12, 1_500
"""Lines and characters in which an absence notice says that it is one."""

HOPS = 50
"""Received fields from which on a mail goes in circles (RFC 5321 §6.3 asks for at least 100 before
it is refused; people's mail has about ten).
"""


class Classification(msgspec.Struct, frozen=True):
    """The kind of a mail, and by which rule, in a word for the log."""

    kind: Kind
    why: str


class Mail(msgspec.Struct, frozen=True):
    """The mail as the rules look at it. `domain` is ours, in lower case."""

    message: EmailMessage
    envelope_from: str | None
    domain: str

    @property
    def sender(self) -> str:
        """Local part of From."""
        return fields.address(fields.value(self.message, "From")).partition("@")[0]

    @property
    def submitted(self) -> str:
        """The keyword of Auto-Submitted (RFC 3834 §5), "no" if it is missing."""
        for value in raw_values(self.message, "Auto-Submitted"):
            word = re.split(r"[\s;(]", value.lower(), maxsplit=1)[0]
            if word and word != "no":
                return word
        return "no"

    @property
    def unanswerable(self) -> bool:
        """True if its return path is empty."""
        return reports.unanswerable(self.message, self.envelope_from)


def classify(message: EmailMessage, envelope_from: str | None, domain: str) -> Classification:
    """The kind of this mail, and the rule that found it. `envelope_from` is SMTP's sender ("" or
    "<>" is nobody; None: not known, then Return-Path tells). Never raises.
    """
    mail = Mail(message, envelope_from, domain.lower().strip("."))
    for rule in _RULES:
        found = rule(mail)
        if found is not None:
            return found
    return Classification("person", "no-evidence")


def _report(mail: Mail) -> Classification | None:
    """Complaints (ARF, RFC 5965), delivery reports (RFC 3464, 6533, or in a server's own form) and
    read receipts (RFC 8098). Before all else: a server of our domain may send them.
    """
    kind, parameters = fields.kind_of(mail.message)
    inner = {fields.kind_of(part)[0] for part in fields.parts(mail.message)}
    formal = kind == "multipart/report"
    asked = parameters.get("report-type", "").lower()
    if formal and (asked == "feedback-report" or "message/feedback-report" in inner):
        return Classification("complaint", "feedback-report")
    if formal and (
        asked in ("delivery-status", "global-delivery-status") or inner & reports.STATUS_KINDS
    ):
        return Classification("report", "delivery-status")
    if asked == "disposition-notification" or inner & {
        "message/disposition-notification",
        "message/global-disposition-notification",
    }:
        return Classification("auto-reply", "read-receipt")
    if fields.has(mail.message, "X-Failed-Recipients"):
        return Classification("report", "failed-recipients")
    if reports.DAEMONS.fullmatch(mail.sender):
        return Classification("report", "mailer-daemon")
    if inner & reports.STATUS_KINDS and (mail.unanswerable or mail.sender == "postmaster"):
        return Classification("report", "delivery-status")
    if reports.written_by_server(mail.message, mail.envelope_from):
        return Classification("report", "undeliverable")
    return Classification("report", "multipart-report") if formal else None


def _ours(mail: Mail) -> Classification | None:
    """Our own letter, redirected or thrown back: it carries what only our letters carry."""
    at = mail.domain
    if fields.has(mail.message, "X-Paleopost"):
        return Classification("ours", "our-mark")
    if not at:
        return None
    group = fields.value(mail.message, "List-Id").rpartition("<")[2].rstrip("> ").lower()
    if group == at or group.endswith(f".{at}"):
        return Classification("ours", "our-list-id")
    made = fields.value(mail.message, "Message-ID").strip("<> ").rpartition("@")[2].lower()
    if made == at and mail.submitted == "auto-generated":
        return Classification("ours", "our-message-id")
    if any(v.strip("<> ").lower().endswith(f"@{at}") for v in raw_values(mail.message, "X-Loop")):
        return Classification("ours", "our-loop-mark")
    return None


def _loop(mail: Mail) -> Classification | None:
    """RFC 5321 §6.3: counting Received fields is how loops are found."""
    if len(raw_values(mail.message, "Received")) > HOPS:
        return Classification("auto-reply", "loop")
    return None


def _list(mail: Mail) -> Classification | None:
    """A list's mail (RFC 2919, RFC 2369, and what lists wrote before): nobody wrote it to us."""
    for name in ("List-Id", "List-Post", "List-Unsubscribe", "Mailing-List", "X-BeenThere"):
        if fields.has(mail.message, name):
            return Classification("list", name.lower())
    if _precedence(mail) == "list":
        return Classification("list", "precedence")
    return None


def _auto_submitted(mail: Mail) -> Classification | None:
    """RFC 3834 §5: any keyword but "no" is a program's, those yet to be invented too."""
    return Classification("auto-reply", "auto-submitted") if mail.submitted != "no" else None


_MARKS: Final = (
    "X-Autoreply",  # Gmail, osTicket
    "X-Auto-Reply",
    "X-Autorespond",  # cPanel, BoxTrapper
    "X-Autoresponder",
    "X-Auto-Responder",
    "X-Autoreply-From",  # Domain Technologie Control
    "X-Mail-Autoreply",
    "X-FC-MachineGenerated",  # FirstClass
    "X-OTRS-Loop",  # OTRS, Znuny
    "X-Boxtrapper",
    "X-MS-Exchange-Inbox-Rules-Loop",  # Exchange: a rule of the mailbox answered
    "X-MS-Exchange-Generated-Message-Source",
)


def _marks(mail: Mail) -> Classification | None:
    """What programs that do not know RFC 3834 call themselves."""
    for name in _MARKS:
        if any(v.lower() not in ("", "no", "false", "0") for v in raw_values(mail.message, name)):
            return Classification("auto-reply", name.lower())
    # CommuniGate Pro; its other words mark mail that a rule passed on.
    if fields.value(mail.message, "X-Autogenerated").lower() in ("reply", "letter"):
        return Classification("auto-reply", "x-autogenerated")
    if "autoresponder" in fields.value(mail.message, "X-POST-MessageClass").lower():  # Mailtraq
        return Classification("auto-reply", "x-post-messageclass")
    if any(v.lower() == "autoresponder" for v in raw_values(mail.message, "Delivered-To")):
        return Classification("auto-reply", "delivered-to")  # qmail's
    return None


def _precedence_rule(mail: Mail) -> Classification | None:
    """Precedence is in no standard (RFC 2076 §3.9 advises against it) and in much that programs
    send. No mail program writes it for a person.
    """
    if _precedence(mail) in ("bulk", "junk", "auto_reply", "auto-reply"):
        return Classification("auto-reply", "precedence")
    return None


def _empty_path(mail: Mail) -> Classification | None:
    """RFC 3834 §3.3 and RFC 5321 §4.5.5: who sends with an empty return path wants no answer."""
    return Classification("auto-reply", "empty-return-path") if mail.unanswerable else None


_NOBODY: Final = re.compile(
    r"(?:.*[._+-])?(?:no[._-]?reply|do[._-]?not[._-]?reply|ne[._-]?pas[._-]?repondre"
    r"|pas[._-]?de[._-]?reponse|noreponse|keine[._-]?antwort|nicht[._-]?antworten"
    r"|no[._-]?responder|no[._-]?contestar|non[._-]?rispondere|auto[._-]?(?:reply|responder))"
    r"(?:[._+-].*)?"
)


def _nobody(mail: Mail) -> Classification | None:
    """A sender who says by name that nobody reads the answer."""
    return (
        Classification("auto-reply", "no-reply-sender") if _NOBODY.fullmatch(mail.sender) else None
    )


# Written by the programs themselves, colon included, before the subject they answer. Nobody types
# these; who answers such a mail begins with "Re:".
_SUBJECTS: Final = re.compile(
    r"""(?ix)(?:
    automatic\ reply | auto[- ]?(?:reply|response|responder) | vacation\ (?:reply|message)
    | out\ of\ (?:the\ )?office(?:\ auto[- ]?reply|\ reply|\ notification)?
    | r[ée]ponse\ automatique(?:\ d['’]absence(?:\ du\ bureau)?)?
    | (?:message|r[ée]ponse|notification|avis)\ d['’]absence(?:\ du\ bureau)?
    | absence\ du\ bureau
    | automatische\ (?:antwort|nachricht) | abwesenheits(?:notiz|nachricht|meldung|agent|assistent)
    | respuesta\ autom[áa]tica | fuera\ de\ (?:la\ )?oficina | mensaje\ de\ ausencia
    | risposta\ automatica | messaggio\ di\ assenza
    | automatisch\ antwoord | automatische\ beantwoording | afwezigheidsbericht
    | resposta\ autom[áa]tica | fora\ do\ escrit[óo]rio | aus[êe]ncia\ tempor[áa]ria
    | odpowied[źz]\ automatyczna | automatyczna\ odpowied[źz] | poza\ biurem
    | автоматический\ ответ | автоответ | автоматична\ відповідь | автоматичен\ отговор
    | автоматски\ одговор | аутоматски\ одговор
    | autosvar | automatiskt?\ svar | automatisk\ svar | fr[åa]nvaromeddelande
    | frav[æa]rsmeddelelse | automaattinen\ vastaus | poissaoloviesti
    | automatick[áa]\ odpov[ěe][ďd] | automatikus\ v[áa]lasz | r[ăa]spuns\ automat
    | otomatik\ yan[ıi]t | αυτόματη\ απάντηση | samodejni\ odgovor | automatski\ odgovor
    | automatinis\ atsakymas | autom[āa]tisk[āa]\ atbilde | automaatvastus
    | 自動(?:応答|返信|回覆|回复) | 自动(?:答复|回复|回覆) | 不在通知 | 자동\ ?(?:회신|응답)
    | תשובה\ אוטומטית | מענה\ אוטומטי | رد\ تلقائي | الرد\ التلقائي
    | tr[ảa]\ l[ờo]i\ t[ựu]\ [đd][ộo]ng
    | ตอบกลับอัตโนมัติ
    )\s*[:：]\s*\S"""
)

# Words of such subjects that people write too.
_HINTS: Final = re.compile(
    r"""(?ix)\b(?:
    out\ of\ (?:the\ )?office | auto(?:matic)?[- ]?(?:reply|response)
    | on\ (?:vacation|leave|holiday) | absen(?:t|te|ce) | cong[ée]s? | vacances
    | r[ée]ponse\ automatique | abwesen\w* | automatische\ antwort
    | respuesta\ autom\w+ | ausen(?:te|cia) | de\ vacaciones
    | risposta\ automatica | assen(?:te|za) | fuori\ (?:sede|ufficio)
    | afwezig\w* | automatisch\ antwoord | niet\ (?:aanwezig|op\ kantoor)
    | urlaub\w* | au(?:ß|ss)er\ haus | nicht\ (?:im\ b[üu]ro|im\ haus|erreichbar)
    | fuera\ de\ (?:la\ )?oficina | vacaciones | in\ ferie
    | resposta\ autom\w+ | f[ée]rias | fora\ do\ escrit[óo]rio
    | nieobecn\w+ | urlop\w* | poza\ biurem | odpowied[źz]\ automatyczna
    | отпуск\w* | отсутств\w+ | вне\ офиса | автоответ\w* | відпуст\w+ | відсутн\w+
    | semester | fr[åa]nvarande | p[åa]\ ferie | frav[æa]r\w* | autosvar | poissa | lomalla
    | dovolen\w+ | nep[řr][íi]tom\w+ | szabads[áa]g\w* | concediu | izinde | tatilde | απουσ\w+
    )\b | 不在 | 休暇 | 休み | 出張 | 休假 | 外出 | 请假 | 請假 | 부재 | 휴가 | 자동
    | خارج\ المكتب | בחופשה"""
)

# What such notices say of their owner, in languages that we do not speak: who writes to us in one
# that we do is answered. People write so, too: it counts only below such a subject.
_NOTICES: Final = re.compile(
    r"""(?ix)
    nicht\ (?:im\ b[üu]ro|im\ hause?|erreichbar|da\b) | au(?:ß|ss)er\ haus | abwesend
    | i[mn]\ urlaub
    | wird\ nicht\ weitergeleitet | wieder\ erreichbar
    | fuera\ de\ (?:la\ )?oficina | de\ vacaciones | estar[ée]\ (?:fuera|ausente|de\ vuelta)
    | fuori\ (?:sede|ufficio) | sar[òo]\ assente | sono\ (?:assente|in\ ferie) | in\ ferie
    | fora\ do\ escrit[óo]rio | estarei\ (?:ausente|de\ f[ée]rias|fora) | de\ f[ée]rias
    | afwezig | niet\ (?:aanwezig|op\ kantoor) | met\ vakantie | op\ vakantie
    | nieobecn | jestem\ na\ urlopie | przebywam\ na\ urlopie | poza\ biurem
    | в\ отпуске | отсутству | вне\ офиса | меня\ не\ будет | у\ відпустці | відсутн
    | fr[åa]nvarande | p[åa]\ semester | p[åa]\ ferie | ikke\ p[åa]\ kontoret | lomalla | poissa
    | na\ dovolen | mimo\ kancel | szabads[áa]gon | [îi]n\ concediu
    | izindeyim | ofis\ d[ıi][şs][ıi]nda
    | εκτός\ γραφείου | 不在 | 休暇 | 休み | 出張 | 休假 | 外出 | 请假 | 請假 | 부재\ ?중 | 휴가
    | خارج\ المكتب | בחופשה"""
)

_OUR_TURN: Final = re.compile(r"(?i)(?:re|r[ée]p?|tr|fwd?|aw|wg|sv|antw)\s*(?:\[\d+\])?\s*:")


def _away(mail: Mail) -> Classification | None:
    """Out of office by the subject: exactly as programs begin it; or in looser words beside what
    Exchange adds for its like (MS-OXCMAIL, X-Auto-Response-Suppress), which alone says nothing:
    some companies add it to all that their people send. Or beside a text that says it, too.
    """
    subject = text_of(mail.message, "Subject")
    if _OUR_TURN.match(subject):
        return None
    if _SUBJECTS.match(subject):
        return Classification("auto-reply", "away-subject")
    hushed = fields.value(mail.message, "X-Auto-Response-Suppress").lower()
    if _HINTS.search(subject) and any(word in hushed for word in ("all", "oof", "autoreply")):
        return Classification("auto-reply", "away-suppress")
    if _HINTS.search(subject) and _NOTICES.search(_first_words(mail.message)):
        return Classification("auto-reply", "away-text")
    return None


def _first_words(message: EmailMessage) -> str:
    """What stands at the top of the text."""
    found = bodies_of(message)
    lines = list(found.plain) or [line for page in found.html[:1] for line in of_html(page)]
    own = (line.text for line in lines if not line.depth and not line.blank)
    return "\n".join(islice(own, _TOP_LINES))[:_TOP]


def _precedence(mail: Mail) -> str:
    for name in ("Precedence", "X-Precedence", "Preference"):
        word = fields.value(mail.message, name).lower().partition(" ")[0]
        if word:
            return word
    return ""


_RULES: Final[tuple[Callable[[Mail], Classification | None], ...]] = (
    _report,
    _ours,
    _loop,
    _marks,
    _auto_submitted,
    _list,
    _precedence_rule,
    _empty_path,
    _nobody,
    _away,
)
