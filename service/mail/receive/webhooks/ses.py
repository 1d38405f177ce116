"""Amazon SES: a receipt rule with an SNS action, and the topic's HTTPS subscription is us.

docs.aws.amazon.com/ses: "Contents of notifications for Amazon SES email receiving". SNS takes mails
of at most 150 KB. A rule that puts mails into S3 has no mail in its notification. Letters that go
out by SES: "Amazon SNS notification contents" (bounces and complaints, to the same topic).
"""

from __future__ import annotations

import base64

import msgspec
import structlog

from service.core.settings import Settings
from service.mail.receive.webhooks import events, sns
from service.mail.receive.webhooks.events import Failed
from service.mail.receive.webhooks.post import Mail, Post, Unusable, parsed

log = structlog.get_logger(__name__)

# Anything else would be tried again
UNKNOWN = 200


_STATUS = {"Permanent": "5.1.1"}
"""By the type of a bounce, where the other server gave no status. Amazon calls "Permanent" what
nobody should write to again.
"""


class _Origin(msgspec.Struct, frozen=True):
    """`mail` of a notification: `source` is the envelope's sender."""

    source: str


class _Action(msgspec.Struct, frozen=True):
    """The rule's action. `encoding` of the content: "UTF8" or "BASE64"."""

    encoding: str = "UTF8"


class _Receipt(msgspec.Struct, frozen=True):
    """How the mail was received, and for whom."""

    recipients: tuple[str, ...]
    action: _Action


class _Bounced(msgspec.Struct, frozen=True, rename="camel"):
    """A recipient who did not get it."""

    email_address: str
    status: str | None = None
    diagnostic_code: str | None = None


class _Bounce(msgspec.Struct, frozen=True, rename="camel"):
    """SES gave up. `bounce_type`: "Permanent", "Transient" or "Undetermined"."""

    feedback_id: str
    bounce_type: str
    bounced_recipients: tuple[_Bounced, ...]


class _Complaint(msgspec.Struct, frozen=True, rename="camel"):
    """A reader has marked a letter as unwanted."""

    feedback_id: str


class _Notice(msgspec.Struct, frozen=True, rename="camel"):
    """A notification, with the fields of its type alone."""

    notification_type: str
    mail: _Origin | None = None
    receipt: _Receipt | None = None
    content: str | None = None
    bounce: _Bounce | None = None
    complaint: _Complaint | None = None


def key(settings: Settings) -> str | None:
    """SES_TOPIC: the ARN of the topic."""
    return settings.ses_topic


def read(post: Post, key: str) -> list[Mail]:
    """The mail in a notification. The topic's subscription is confirmed."""
    message = parsed(post.body, sns.Message)
    sns.verify(message, key)
    if message.type == "SubscriptionConfirmation":
        _confirm(message.subscribe_url or "")
        return []
    if message.type != "Notification":
        log.warning("sns_unsubscribed", topic=key)
        return []
    notice = parsed(message.message, _Notice)
    match notice.notification_type:
        case "Received":
            return _received(notice)
        case "Bounce" | "Complaint":
            return _told(notice)
        case _:
            # "AMAZON_SES_SETUP_NOTIFICATION", and the like: nothing for us
            return []


def _confirm(url: str) -> None:
    if not sns.is_amazons(url):
        raise Unusable("SubscribeURL is none of Amazon's")
    sns.fetch(url)
    log.info("sns_subscribed")


def _received(notice: _Notice) -> list[Mail]:
    if notice.receipt is None or notice.mail is None:
        raise Unusable("there is no receipt")
    if not notice.content:
        raise Unusable("there is no content: the rule needs an SNS action, not S3")
    try:
        in_base64 = notice.receipt.action.encoding.upper() == "BASE64"
        raw = base64.b64decode(notice.content) if in_base64 else notice.content.encode()
    except ValueError as error:  # binascii.Error, or letters beyond ASCII
        raise Unusable("the content is no base64") from error
    return [Mail(raw=raw, sender=notice.mail.source, recipients=notice.receipt.recipients)]


def _told(notice: _Notice) -> list[Mail]:
    """What became of a letter of ours, as a report to its envelope's sender."""
    if notice.mail is None:
        raise Unusable("there is no mail")
    to = notice.mail.source
    if notice.bounce is not None:
        failed = [
            Failed(
                recipient=one.email_address,
                status=one.status or _STATUS.get(notice.bounce.bounce_type, "4.0.0"),
                diagnostic=one.diagnostic_code or "",
            )
            for one in notice.bounce.bounced_recipients
        ]
        raw = events.delivery_report(to, notice.bounce.feedback_id, failed)
    elif notice.complaint is not None:
        raw = events.complaint(to, notice.complaint.feedback_id)
    else:
        raise Unusable("there is neither bounce nor complaint")
    return [Mail(raw=raw, sender="", recipients=(to,))]
