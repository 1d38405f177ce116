"""Messages of Amazon SNS over HTTPS, and whether they are Amazon's.

docs.aws.amazon.com/sns: "Verifying the signatures of Amazon SNS messages", "Parsing Amazon SNS
message formats". The certificate's address is in the message, so its host is checked first.
"""

from __future__ import annotations

import base64
import http.client
import re
import urllib.error
import urllib.request
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from service.mail.receive.webhooks.post import Unsigned

_HOST = re.compile(r"sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?")
# RFC 3986 §2: no space, no control, nothing beyond ASCII
_ADDRESS = re.compile(r"[!-~]+")
_HASHES: dict[str, hashes.HashAlgorithm] = {"1": hashes.SHA1(), "2": hashes.SHA256()}  # noqa: S303
WITHIN = 10  # seconds
LARGEST_ANSWER = 100_000


class Message(msgspec.Struct, frozen=True, kw_only=True, rename="pascal"):
    """The message that SNS posts, by its own names of fields."""

    type: str
    message_id: str
    topic_arn: str
    message: str
    timestamp: str
    signature_version: str
    signature: str
    signing_cert_url: str = msgspec.field(name="SigningCertURL")
    subject: str | None = None
    # Of a subscription that is to be confirmed, or that has ended
    token: str | None = None
    subscribe_url: str | None = msgspec.field(name="SubscribeURL", default=None)


_NAMES = {field.name: field.encode_name for field in msgspec.structs.fields(Message)}
_SIGNED = {
    "Notification": ("message", "message_id", "subject", "timestamp", "topic_arn", "type"),
    "SubscriptionConfirmation": (
        *("message", "message_id", "subscribe_url", "timestamp", "token", "topic_arn", "type"),
    ),
}
_SIGNED["UnsubscribeConfirmation"] = _SIGNED["SubscriptionConfirmation"]


def verify(message: Message, topic: str) -> None:
    """Raises Unsigned unless Amazon signed this message for this topic, OSError when the
    certificate cannot be had.
    """
    if message.topic_arn != topic:
        raise Unsigned("another topic")
    algorithm, fields = _HASHES.get(message.signature_version), _SIGNED.get(message.type)
    url = message.signing_cert_url
    if algorithm is None or fields is None or not is_amazons(url) or not url.endswith(".pem"):
        raise Unsigned("not signed as Amazon signs")
    # A field that is not there (Subject) is left out.
    told = ((_NAMES[field], getattr(message, field)) for field in fields)
    signed = "".join(f"{name}\n{value}\n" for name, value in told if value)
    try:
        signature = base64.b64decode(message.signature, validate=True)
    except ValueError as error:  # binascii.Error, or letters beyond ASCII
        raise Unsigned("wrong signature") from error
    try:
        key_at(url).verify(signature, signed.encode(), padding.PKCS1v15(), algorithm)
    except InvalidSignature as error:
        raise Unsigned("wrong signature") from error


def is_amazons(url: str) -> bool:
    """True if this is an address of Amazon SNS, by HTTPS."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme == "https" and parts.port in (None, 443) and not parts.username
    except ValueError:
        return False
    plain = _ADDRESS.fullmatch(url) is not None
    return fine and plain and _HOST.fullmatch(parts.hostname or "") is not None


def fetch(url: str) -> bytes:
    """The bytes at an address that `is_amazons`. Raises OSError; redirections are not followed."""
    opener = urllib.request.build_opener(_NoRedirection)
    try:
        with opener.open(url, timeout=WITHIN) as answer:
            found: bytes = answer.read(LARGEST_ANSWER)
            return found
    except http.client.HTTPException as error:
        raise OSError(f"no answer in HTTP: {type(error).__name__}") from error


@lru_cache(maxsize=8)
def key_at(url: str) -> rsa.RSAPublicKey:
    """The key of the certificate at this address of Amazon's. Raises Unsigned or OSError."""
    try:
        key = x509.load_pem_x509_certificate(fetch(url)).public_key()
    except urllib.error.HTTPError as error:
        if error.code < 500:
            raise Unsigned("no certificate") from error
        raise
    except ValueError as error:
        raise Unsigned("no certificate") from error
    if not isinstance(key, rsa.RSAPublicKey):
        raise Unsigned("no certificate of this kind")
    return key


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    """Elsewhere nothing is ours to ask for."""

    def redirect_request(self, *_: Any) -> None:
        """None: the redirection is an error then."""
        return
