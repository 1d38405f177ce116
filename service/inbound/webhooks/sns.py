"""Messages of Amazon SNS over HTTPS, and whether they are Amazon's.

docs.aws.amazon.com/sns: "Verifying the signatures of Amazon SNS messages", "Parsing Amazon SNS
message formats". The certificate's address is in the message, so its host is checked first.
"""

from __future__ import annotations

import base64
import binascii
import re
import urllib.request
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from service.inbound.webhooks.post import Unsigned

_HOST = re.compile(r"sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?")
_HASHES: dict[object, hashes.HashAlgorithm] = {"1": hashes.SHA1(), "2": hashes.SHA256()}  # noqa: S303
_SIGNED = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": (
        *("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    ),
}
_SIGNED["UnsubscribeConfirmation"] = _SIGNED["SubscriptionConfirmation"]
WITHIN = 10  # seconds
LARGEST_ANSWER = 100_000


def verify(message: dict[str, Any], topic: str) -> None:
    """Raises Unsigned unless Amazon signed this message for this topic, OSError when the
    certificate cannot be had.
    """
    if message.get("TopicArn") != topic:
        raise Unsigned("another topic")
    algorithm = _HASHES.get(message.get("SignatureVersion"))
    fields = _SIGNED.get(str(message.get("Type")))
    url = str(message.get("SigningCertURL"))
    if algorithm is None or fields is None or not is_amazons(url) or not url.endswith(".pem"):
        raise Unsigned("not signed as Amazon signs")
    # A field that is not there (Subject) is left out.
    signed = "".join(f"{name}\n{message[name]}\n" for name in fields if message.get(name))
    try:
        signature = base64.b64decode(str(message.get("Signature")), validate=True)
        key_at(url).verify(signature, signed.encode(), padding.PKCS1v15(), algorithm)
    except (InvalidSignature, binascii.Error) as error:
        raise Unsigned("wrong signature") from error


def is_amazons(url: str) -> bool:
    """Whether this is an address of Amazon SNS, by HTTPS."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme == "https" and parts.port in (None, 443) and not parts.username
    except ValueError:
        return False
    return fine and _HOST.fullmatch(parts.hostname or "") is not None


def fetch(url: str) -> bytes:
    """What is at an address that `is_amazons`. Raises OSError; redirections are not followed."""
    opener = urllib.request.build_opener(_NoRedirection)
    with opener.open(url, timeout=WITHIN) as answer:
        found: bytes = answer.read(LARGEST_ANSWER)
        return found


@lru_cache(maxsize=8)
def key_at(url: str) -> rsa.RSAPublicKey:
    """The key of the certificate at this address of Amazon's. Raises Unsigned or OSError."""
    try:
        key = x509.load_pem_x509_certificate(fetch(url)).public_key()
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
