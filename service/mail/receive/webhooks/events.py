"""A provider's word on a letter of ours that it took, as the report a mail server would send.

So it goes the way of all mail: stored, believed at the letter's own bounce address, handled once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart

import msgspec


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A recipient who did not get it: a status of RFC 3463, and what the other server said."""

    recipient: str
    status: str
    diagnostic: str = ""


def delivery_report(to: str, event: str, failed: Iterable[Failed]) -> bytes:
    """A report of RFC 3464 to a bounce address. `event` is the provider's name for it."""
    blocks = [_fields({"Reporting-MTA": "dns; webhook"})]
    blocks += [
        _fields(
            {
                "Final-Recipient": f"rfc822; {one.recipient}",
                "Action": "failed",
                "Status": one.status,
                "Diagnostic-Code": f"smtp; {one.diagnostic}",
            }
        )
        for one in failed
    ]
    return _report(to, event, "delivery-status", blocks)


def complaint(to: str, event: str) -> bytes:
    """A complaint of RFC 5965 to a bounce address."""
    said = _fields({"Feedback-Type": "abuse", "User-Agent": "webhook", "Version": "1"})
    return _report(to, event, "feedback-report", [said])


def _report(to: str, event: str, kind: str, blocks: list[Message]) -> bytes:
    whole = MIMEMultipart("report", report_type=kind)
    whole["From"] = "MAILER-DAEMON@webhook.invalid"
    whole["To"] = _line(to)
    whole["Subject"] = "Delivery Status Notification"
    whole["Message-ID"] = f"<{re.sub(r'[^A-Za-z0-9.-]', '', event)[:200]}@webhook.invalid>"
    whole["Auto-Submitted"] = "auto-generated"
    told = MIMEBase("message", kind)
    for block in blocks:
        told.attach(block)
    whole.attach(told)
    # Fixed, so that the same event is the same bytes
    whole.set_boundary("paleopost-webhook")
    return whole.as_bytes()


def _fields(named: dict[str, str]) -> Message:
    block = Message()
    for name, value in named.items():
        block[name] = _line(value)
    return block


def _line(text: str) -> str:
    """A text of others as the value of a field."""
    return " ".join(text.encode("ascii", "replace").decode().split())[:500]
