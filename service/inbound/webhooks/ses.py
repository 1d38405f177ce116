"""Amazon SES: a receipt rule with an SNS action, and the topic's HTTPS subscription is us.

docs.aws.amazon.com/ses: "Contents of notifications for Amazon SES email receiving". SNS takes mails
of at most 150 KB. A rule that puts mails into S3 has no mail in its notification.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import structlog

from service.inbound.webhooks import sns
from service.inbound.webhooks.post import Mail, Post, Unusable, parsed, text_of
from service.settings import Settings

log = structlog.get_logger(__name__)

# Anything else would be tried again
UNKNOWN = 200


def key(settings: Settings) -> str | None:
    """SES_TOPIC: the ARN of the topic."""
    return settings.ses_topic


def read(post: Post, key: str) -> list[Mail]:
    """The mail in a notification. The topic's subscription is confirmed."""
    message = post.json()
    sns.verify(message, key)
    if message["Type"] == "SubscriptionConfirmation":
        _confirm(text_of(message, "SubscribeURL"))
        return []
    if message["Type"] != "Notification":
        log.warning("sns_unsubscribed", topic=key)
        return []
    return _received(parsed(text_of(message, "Message")))


def _confirm(url: str) -> None:
    if not sns.is_amazons(url):
        raise Unusable("SubscribeURL is none of Amazon's")
    sns.fetch(url)
    log.info("sns_subscribed")


def _received(notice: dict[str, Any]) -> list[Mail]:
    receipt, mail = notice.get("receipt"), notice.get("mail")
    if notice.get("notificationType") != "Received":
        # "AMAZON_SES_SETUP_NOTIFICATION", and the like: nothing for us
        return []
    if not isinstance(receipt, dict) or not isinstance(mail, dict):
        raise Unusable("there is no receipt")
    if not notice.get("content"):
        raise Unusable("there is no content: the rule needs an SNS action, not S3")
    content = text_of(notice, "content")
    action = receipt.get("action")
    encoding = action.get("encoding") if isinstance(action, dict) else None
    try:
        in_base64 = str(encoding).upper() == "BASE64"
        raw = base64.b64decode(content) if in_base64 else content.encode(errors="surrogateescape")
    except binascii.Error as error:
        raise Unusable("the content is no base64") from error
    recipients = receipt.get("recipients")
    source = mail.get("source")
    return [
        Mail(
            raw=raw,
            sender=source if isinstance(source, str) else None,
            recipients=tuple(r for r in recipients if isinstance(r, str))
            if isinstance(recipients, list)
            else (),
        )
    ]
