"""Mail that providers post: each in its own form, signed as it signs, and everything else."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from email.message import Message
from functools import cache
from io import BytesIO
from typing import Any, cast
from urllib.error import HTTPError

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID
from flask.testing import FlaskClient
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.core.context import Service
from service.core.letter_details import NoDetails
from service.core.models import Letter, Player
from service.mail.receive import inbound
from service.mail.receive.webhooks import generic, sns
from service.outgoing import identity
from service.players.accounts import meet
from service.web.app import create_app
from tests.inbound.conftest import House
from tests.support.tables import Jobs, settings_for

SECRET, PASSWORD = "s" * 32, "postmark password: é"
TOPIC = "arn:aws:sns:eu-west-1:012345678912:paleopost"
CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem"
KEYS = {
    "INBOUND_SECRET": SECRET,
    "MAILGUN_SIGNING_KEY": SECRET,
    "POSTMARK_SECRET": PASSWORD,
    "SES_TOPIC": TOPIC,
}


class Site(House):
    """The product's pages, and a mail for one of its addresses."""

    def __init__(self, url: str, **changes: str) -> None:
        jobs = Jobs()
        self.app = create_app(settings_for(url, INBOUND_LIMIT="100000", **changes), jobs)
        super().__init__(cast("Service", self.app.extensions["paleopost"]), jobs)
        self.client: FlaskClient = self.app.test_client()
        self.mail = (
            "Return-Path: <ana@example.org>\r\nFrom: Zoé <ana@example.org>\r\n"
            f"To: {self.address}\r\nMessage-ID: <1@x>\r\n\r\nlay hunt-fire C4 D4\r\n"
        ).encode()

    def raw(
        self, body: bytes, headers: dict[str, str] | None = None, *, at: float | None = None
    ) -> TestResponse:
        """The generic form."""
        timestamp = str(int(time.time() if at is None else at))
        found = {
            "Content-Type": "message/rfc822",
            "X-Paleopost-Timestamp": timestamp,
            "X-Paleopost-Signature": generic.sign(SECRET, timestamp, body),
        }
        return self.client.post("/inbound/raw", data=body, headers=found | (headers or {}))

    def mailgun(self, path: str = "/inbound/mailgun/mime", **fields: Any) -> TestResponse:
        """A route's forward() of a raw mail."""
        timestamp, token = str(int(time.time())), "t" * 50
        found = {
            "recipient": self.address,
            "sender": "ana@example.org",
            "from": "Ana <ana@example.org>",
            "subject": "Re: Sapiens",
            "body-mime": self.mail.decode(),
            "timestamp": timestamp,
            "token": token,
            "signature": hmac.new(
                SECRET.encode(), (timestamp + token).encode(), hashlib.sha256
            ).hexdigest(),
        }
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        return self.client.post(path, data={k: v for k, v in (found | fields).items() if v})

    def postmark(self, password: str = PASSWORD, **fields: Any) -> TestResponse:
        """The inbound webhook, with the raw mail in it."""
        found = {
            "FromName": "Ana",
            "From": "ana@example.org",
            "To": self.address,
            "OriginalRecipient": self.address,
            "MailboxHash": self.address.partition("+")[2].partition("@")[0],
            "MessageID": "22c74902-a0c1-4511-804f2-341342852c90",
            "TextBody": "lay hunt-fire C4 D4",
            "RawEmail": self.mail.decode(),
        }
        return self.client.post(
            "/inbound/postmark", json=found | fields, auth=("paleopost", password)
        )

    def sns(self, message: dict[str, Any]) -> TestResponse:
        """What Amazon SNS posts: JSON under the name of text."""
        return self.client.post(
            "/inbound/ses",
            data=json.dumps(message),
            headers={
                "Content-Type": "text/plain; charset=UTF-8",
                "x-amz-sns-message-type": str(message.get("Type")),
            },
        )


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    made = Site(sqlite_url, **KEYS)
    yield made
    made.service.database.dispose()


@pytest.fixture
def each(database_url: str) -> Iterator[Site]:
    made = Site(database_url, **KEYS)
    yield made
    made.service.database.dispose()


@cache
def signing_key() -> rsa.RSAPrivateKey:
    """A key of Amazon's: to find one takes as long as everything else in a test."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Amazon:
    """Who signs as SNS does, and answers for its certificate."""

    def __init__(self) -> None:
        self.key = signing_key()
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
        now = dt.datetime.now(dt.UTC)
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self.key.public_key())
            .serial_number(1)
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .sign(self.key, hashes.SHA256())
            .public_bytes(serialization.Encoding.PEM)
        )
        self.asked: list[str] = []
        self.fails = False

    def fetch(self, url: str) -> bytes:
        """What is there at Amazon's."""
        self.asked.append(url)
        if self.fails:
            raise OSError("no route")
        return self.certificate if url.endswith(".pem") else b"<ConfirmSubscriptionResponse/>"

    def message(
        self, content: object, kind: str = "Notification", version: str = "2", **more: Any
    ) -> dict[str, Any]:
        """A signed message."""
        found = {
            "Type": kind,
            "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
            "TopicArn": TOPIC,
            "Message": content if isinstance(content, str) else json.dumps(content),
            "Timestamp": "2026-11-21T14:00:00.000Z",
            "SignatureVersion": version,
            "SigningCertURL": CERTIFICATE,
        } | more
        names = sorted(
            {"Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token"} & found.keys()
            | {"TopicArn", "Type"}
        )
        signed = "".join(f"{name}\n{found[name]}\n" for name in names).encode()
        algorithm = hashes.SHA1() if version == "1" else hashes.SHA256()  # noqa: S303
        signature = self.key.sign(signed, padding.PKCS1v15(), algorithm)
        return found | {"Signature": base64.b64encode(signature).decode()}


@pytest.fixture
def amazon(monkeypatch: pytest.MonkeyPatch) -> Iterator[Amazon]:
    made = Amazon()
    monkeypatch.setattr(sns, "fetch", made.fetch)
    sns.key_at.cache_clear()
    yield made
    sns.key_at.cache_clear()


def notice(site: Site, encoding: str = "BASE64", **more: Any) -> dict[str, Any]:
    """What SES says of a mail it received."""
    raw = base64.b64encode(site.mail).decode() if encoding == "BASE64" else site.mail.decode()
    return {
        "notificationType": "Received",
        "mail": {"source": "ana@example.org", "destination": [site.address]},
        "receipt": {
            "recipients": [site.address],
            "spfVerdict": {"status": "PASS"},
            "action": {"type": "SNS", "topicArn": TOPIC, "encoding": encoding},
        },
        "content": raw,
    } | more


def test_a_raw_mail_is_stored_once_however_often_it_is_posted(each: Site) -> None:
    for _ in range(3):
        answer = each.raw(each.mail)
        assert (answer.status_code, answer.json) == (200, {"taken": 1})
    [mail] = each.mails()
    assert mail.raw == each.mail
    assert (mail.source, mail.envelope_from, mail.recipient) == (
        "webhook:raw",
        "ana@example.org",
        each.address,
    )
    assert each.jobs.take("inbound.handle") == [(mail.id,)]


@pytest.mark.on_postgresql
def test_what_cannot_be_stored_is_not_acknowledged(each: Site) -> None:
    def rename(old: str, new: str) -> None:
        with each.service.database.write() as work:
            work.session.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))

    rename("inbound", "elsewhere")
    each.app.config["PROPAGATE_EXCEPTIONS"] = False
    assert each.raw(each.mail).status_code == 500
    rename("elsewhere", "inbound")
    assert each.mails() == []
    assert each.raw(each.mail).status_code == 200
    assert len(each.mails()) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Paleopost-Signature": "0" * 64},
        {"X-Paleopost-Signature": "é"},
        {"X-Paleopost-Signature": ""},
        {"X-Paleopost-Timestamp": "soon"},
        {"X-Paleopost-Timestamp": "9" * 15},
        {"X-Paleopost-Timestamp": "²"},
    ],
)
def test_an_unsigned_mail_is_refused(site: Site, headers: dict[str, str]) -> None:
    answer = site.raw(site.mail, headers)
    assert (answer.status_code, answer.json) == (401, {"error": "unsigned"})
    assert site.mails() == []


@pytest.mark.parametrize(("seconds", "status"), [(-290, 200), (-310, 401), (290, 200), (310, 401)])
def test_a_signature_holds_five_minutes(site: Site, seconds: int, status: int) -> None:
    assert site.raw(site.mail, at=time.time() + seconds).status_code == status


def test_a_mail_for_nobody_is_told_apart(site: Site) -> None:
    forged = site.mail.replace(site.address.encode(), b"r+" + b"a" * 26 + b"@paleopost.test")
    assert site.raw(forged).status_code == 422
    assert site.mailgun(recipient="nobody@paleopost.test").status_code == 406
    assert site.postmark(OriginalRecipient="nobody@paleopost.test").status_code == 403
    assert site.mails() == []


def test_the_size_is_limited_beyond_that_of_forms(site: Site) -> None:
    assert site.raw(site.mail + b"x" * 90_000).status_code == 200
    assert site.raw(site.mail + b"x" * 100_000).status_code == 413
    assert site.raw(site.mail + b"x" * 500_000).status_code == 413
    assert site.mailgun(body_mime=site.mail + b"x" * 90_000).status_code == 200
    assert site.client.post("/sign-in", data={"address": "x" * 90_000}).status_code == 413


@pytest.mark.parametrize("name", ["raw", "mailgun", "postmark", "ses"])
def test_a_way_without_its_setting_is_closed(sqlite_url: str, name: str) -> None:
    site = Site(sqlite_url)
    assert site.client.post(f"/inbound/{name}").status_code == 404
    assert site.client.get(f"/inbound/{name}").status_code == 405
    assert site.client.post("/inbound/other").status_code == 404


@pytest.mark.parametrize("path", ["/inbound/mailgun/mime", "/inbound/mailgun"])
def test_mailgun(each: Site, path: str) -> None:
    answer = each.mailgun(path)
    assert (answer.status_code, answer.json) == (200, {"taken": 1})
    [mail] = each.mails()
    assert mail.raw == each.mail
    assert (mail.source, mail.envelope_from, mail.recipient) == (
        "webhook:mailgun",
        "ana@example.org",
        each.address,
    )


def test_mailgun_may_send_the_mail_as_a_file_and_to_two(site: Site) -> None:
    other = site.issue("two")
    raw = site.mail + b"\xe9\xff"
    answer = site.mailgun(
        recipient=f"{site.address},{other}", body_mime=(BytesIO(raw), "message.eml")
    )
    assert answer.json == {"taken": 2}
    assert [(m.raw, m.recipient) for m in site.mails()] == [(raw, site.address), (raw, other)]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"signature": "0" * 64}, 401),
        ({"signature": ""}, 401),
        ({"token": "u" * 50}, 401),
        ({"token": ""}, 401),
        ({"timestamp": "1"}, 401),
        ({"body-mime": ""}, 422),
    ],
)
def test_mailgun_is_not_believed_blindly(site: Site, fields: dict[str, str], status: int) -> None:
    assert site.mailgun(**fields).status_code == status
    assert site.mails() == []


def test_mailgun_may_try_for_eight_hours(site: Site) -> None:
    def at(hours: float) -> TestResponse:
        timestamp = str(int(time.time() - hours * 3600))
        signed = (timestamp + "t" * 50).encode()
        signature = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        return site.mailgun(timestamp=timestamp, signature=signature)

    assert at(8.5).status_code == 200
    assert at(9.5).status_code == 401


def test_postmark(each: Site) -> None:
    answer = each.postmark()
    assert (answer.status_code, answer.json) == (200, {"taken": 1})
    [mail] = each.mails()
    assert mail.raw == each.mail
    assert (mail.source, mail.envelope_from, mail.recipient) == (
        "webhook:postmark",
        "ana@example.org",
        each.address,
    )


def test_postmark_is_not_believed_blindly(site: Site) -> None:
    assert site.postmark("guess").status_code == 401
    assert site.client.post("/inbound/postmark", json={}).status_code == 401
    told = site.postmark(RawEmail="")
    assert (told.status_code, "no RawEmail" in (told.json or {})["error"]) == (422, True)
    told = site.postmark(RawEmail=None)
    assert (told.status_code, "$.RawEmail" in (told.json or {})["error"]) == (422, True)
    auth = ("paleopost", PASSWORD)
    assert site.client.post("/inbound/postmark", data=b"{", auth=auth).status_code == 422
    assert site.client.post("/inbound/postmark", data=b"[]", auth=auth).status_code == 422
    assert site.mails() == []


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize("encoding", ["BASE64", "UTF8"])
def test_ses(site: Site, amazon: Amazon, version: str, encoding: str) -> None:
    answer = site.sns(
        amazon.message(notice(site, encoding), version=version, Subject="Amazon SES Notification")
    )
    assert (answer.status_code, answer.json) == (200, {"taken": 1})
    [mail] = site.mails()
    assert mail.raw == site.mail
    assert (mail.source, mail.envelope_from, mail.recipient) == (
        "webhook:ses",
        "ana@example.org",
        site.address,
    )
    site.sns(amazon.message(notice(site, encoding)))
    assert len(site.mails()) == 1
    assert amazon.asked == [CERTIFICATE], "a certificate is asked for once"


@pytest.mark.parametrize(
    "change",
    [
        {"Message": "{}"},
        {"Subject": "added"},
        {"TopicArn": f"{TOPIC}-of-another"},
        {"Signature": "AAAA"},
        {"Signature": "no base64"},
        {"SignatureVersion": "3"},
        {"Type": "Other"},
        {"SigningCertURL": "https://sns.eu-west-1.amazonaws.com.evil.example/a.pem"},
        {"SigningCertURL": "https://evil.example/sns.eu-west-1.amazonaws.com/a.pem"},
        {"SigningCertURL": "https://sns.eu-west-1.amazonaws.com@evil.example/a.pem"},
        {"SigningCertURL": "https://bucket.s3.eu-west-1.amazonaws.com/a.pem"},
        {"SigningCertURL": "http://sns.eu-west-1.amazonaws.com/a.pem"},
        {"SigningCertURL": "https://sns.eu-west-1.amazonaws.com:8443/a.pem"},
        {"SigningCertURL": "https://sns.eu-west-1.amazonaws.com/a.txt"},
        {"SigningCertURL": "https://[/a.pem"},
    ],
)
def test_what_amazon_did_not_sign_is_refused(
    site: Site, amazon: Amazon, change: dict[str, str]
) -> None:
    assert site.sns(amazon.message(notice(site)) | change).status_code == 401
    assert site.mails() == []
    assert set(amazon.asked) <= {CERTIFICATE}, "nothing else may be asked for"


def test_what_amazon_signed_for_another_topic_is_refused(site: Site, amazon: Amazon) -> None:
    """Anybody may have a topic of their own, and Amazon's signature on it."""
    answer = site.sns(amazon.message(notice(site), TopicArn=f"{TOPIC}-of-another"))
    assert answer.status_code == 401
    assert site.mails() == []


def test_without_the_certificate_it_is_to_be_sent_again(site: Site, amazon: Amazon) -> None:
    amazon.fails = True
    assert site.sns(amazon.message(notice(site))).status_code == 503
    amazon.fails = False
    assert site.sns(amazon.message(notice(site))).status_code == 200


def test_a_rule_without_content_is_told(site: Site, amazon: Amazon) -> None:
    stored = notice(site, content=None)
    stored["receipt"]["action"] = {"type": "S3", "bucketName": "b", "objectKey": "k"}
    answer = site.sns(amazon.message(stored))
    assert answer.status_code == 422
    assert "SNS action, not S3" in (answer.json or {})["error"]
    for odd in ({"receipt": 1}, {"content": 1}, {"content": "a"}, {"mail": None}):
        assert site.sns(amazon.message(notice(site) | odd)).status_code == 422
    assert site.sns(amazon.message("[]")).status_code == 422
    setup = {"notificationType": "AMAZON_SES_SETUP_NOTIFICATION"}
    assert site.sns(amazon.message(setup)).json == {"taken": 0}
    nobody = notice(site, receipt={"recipients": ["nobody@paleopost.test"], "action": {}})
    assert site.sns(amazon.message(nobody | {"content": "x"})).status_code == 200
    assert site.mails() == []


def test_a_subscription_is_confirmed_with_amazon_alone(site: Site, amazon: Amazon) -> None:
    def subscribed(url: str) -> TestResponse:
        return site.sns(
            amazon.message("x", "SubscriptionConfirmation", SubscribeURL=url, Token="t")
        )

    good = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t"
    assert subscribed(good).status_code == 200
    assert amazon.asked == [CERTIFICATE, good]
    assert subscribed("https://evil.example/?Action=ConfirmSubscription").status_code == 422
    assert amazon.asked == [CERTIFICATE, good]


def test_elsewhere_forms_are_still_guarded(site: Site) -> None:
    assert site.client.post("/sign-out").status_code == 400


DEEP = 90_000
HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "cut": b'{"Type": "Notif',
    "null": b"null",
    "number": b"1",
    "huge-number": b"1" * 5000,
    "huge-number-in-field": b'{"Type": ' + b"9" * 5000 + b"}",
    "infinity": b'{"Type": 1e999, "RawEmail": -1e999}',
    "nan": b'{"Type": NaN}',
    "list": b"[]",
    "text": b'"mail"',
    "deep-lists": b"[" * DEEP,
    "deep-lists-closed": b"[" * DEEP + b"]" * DEEP,
    "deep-objects": b'{"a":' * DEEP,
    "deep-unknown-field": b'{"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep-known-field": b'{"Message":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "no-utf8": b'{"Type": "\xff\xfe\x80"}',
    "latin-1": '{"RawEmail": "Zoé"}'.encode("latin-1"),
    "utf-16": '{"Type": "x"}'.encode("utf-16"),
    "surrogate": b'{"RawEmail": "\\ud800", "OriginalRecipient": "\\udfff", "Type": "\\udbff"}',
    "nul": b'{"Type": "\\u0000"}\0',
    "empty-object": b"{}",
    "same-field-twice": b'{"Type": [], "Type": {}}',
}
"""Bodies that no provider posts."""

ODD: dict[str, Any] = {
    "null": None,
    "number": 1,
    "fraction": 1.5,
    "true": True,
    "list": [],
    "object": {},
    "nested": [[{"a": [1]}]],
    "surrogate": "\ud800",
}
"""What may stand where a text should."""


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_no_body_breaks_a_webhook(site: Site, amazon: Amazon, body: bytes, signed: bool) -> None:
    text_of_it = body.decode("utf-8", "replace")
    wrong = {} if signed else {"X-Paleopost-Signature": "0" * 64}
    password = PASSWORD if signed else "guess"
    message = amazon.message(text_of_it) | ({} if signed else {"Signature": "AAAA"})
    # Mailgun does not sign what the mail says: any bytes are a mail there, to an address or none.
    form = {} if signed else {"signature": "0" * 64}
    answers = {
        "raw": site.raw(body, wrong),
        "postmark": site.client.post(
            "/inbound/postmark", data=body, auth=("paleopost", password), content_type="text/json"
        ),
        "ses": site.client.post("/inbound/ses", data=body),
        "ses, in the message": site.sns(message),
        "mailgun, no form": site.client.post(
            "/inbound/mailgun/mime", data=body, content_type="application/json"
        ),
        "mailgun, a broken form": site.client.post(
            "/inbound/mailgun/mime", data=body, content_type="multipart/form-data; boundary=x"
        ),
        "mailgun": site.mailgun(body_mime=body, recipient="nobody@paleopost.test", **form),
    }
    told = {name: answer.status_code for name, answer in answers.items()}
    assert {name: status for name, status in told.items() if not 400 <= status < 500} == {}
    assert site.mails() == []


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize(
    "field",
    [
        *("Type", "MessageId", "TopicArn", "Message", "Timestamp"),
        *("SignatureVersion", "SigningCertURL", "Signature"),
    ],
)
def test_no_field_of_amazons_breaks_it(site: Site, amazon: Amazon, field: str, odd: object) -> None:
    status = site.sns(amazon.message(notice(site)) | {field: odd}).status_code
    assert 400 <= status < 500
    assert site.mails() == []


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("field", ["RawEmail", "OriginalRecipient"])
def test_no_field_of_postmarks_breaks_it(site: Site, field: str, odd: object) -> None:
    for password in (PASSWORD, "guess"):
        assert 400 <= site.postmark(password, **{field: odd}).status_code < 500
    assert site.mails() == []


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("field", ["notificationType", "mail", "receipt", "content"])
def test_no_notice_that_amazon_signed_breaks_it(
    site: Site, amazon: Amazon, field: str, odd: object
) -> None:
    answer = site.sns(amazon.message(notice(site) | {field: odd}))
    assert 400 <= answer.status_code < 500
    assert site.mails() == []


@pytest.mark.parametrize(
    "url",
    [
        "https://sns.eu-west-1.amazonaws.com/a b.pem",
        "https://sns.eu-west-1.amazonaws.com/\x7f.pem",
        "https://sns.eu-west-1.amazonaws.com/é.pem",
        "https://sns.eu-west-1.amazonaws.com:99999/a.pem",
        "https://sns.eu-west-1.amazonaws.com/\n.pem",
    ],
)
def test_no_address_of_a_certificate_breaks_it(site: Site, url: str) -> None:
    """With the true fetching: it never comes to it."""
    message = Amazon().message(notice(site), SigningCertURL=url)
    assert site.sns(message).status_code == 401


@pytest.mark.parametrize(("status", "answered"), [(403, 401), (404, 401), (500, 503)])
def test_a_certificate_that_is_not_there_is_none(
    site: Site, monkeypatch: pytest.MonkeyPatch, status: int, answered: int
) -> None:
    """A stranger may name any file at Amazon's."""

    def refuse(url: str) -> bytes:
        raise HTTPError(url, status, "no", Message(), None)

    monkeypatch.setattr(sns, "fetch", refuse)
    sns.key_at.cache_clear()
    assert site.sns(Amazon().message(notice(site))).status_code == answered


@pytest.mark.parametrize("timestamp", ["9" * 5000, "-1", "1e9", "²", "١٢٣", "soon"])
def test_mailguns_time_is_a_time(site: Site, timestamp: str) -> None:
    signature = hmac.new(SECRET.encode(), (timestamp + "t" * 50).encode(), hashlib.sha256)
    answer = site.mailgun(timestamp=timestamp, signature=signature.hexdigest())
    assert answer.status_code == 401
    assert site.mails() == []


class HistoryEntry:
    """A letter that went out by SES, and what SES tells of it."""

    def __init__(self, site: Site) -> None:
        with site.service.database.write() as work:
            player = meet(site.service, work.session, "bob@example.org")
            now = site.service.now()
            letter = Letter(
                dedupe="turn.x",
                kind="turn",
                player_id=player.id,
                details=NoDetails(),
                status="sent",
            )
            letter.created_at = letter.sent_at = now
            work.session.add(letter)
            work.session.flush()
            self.letter, self.player = letter.id, player.id
            self.address = identity.bounce_address(site.service, letter)

    def bounce(self, kind: str = "Permanent", **more: Any) -> dict[str, Any]:
        """A bounce, as "Amazon SNS notification contents" has it."""
        recipient = {"emailAddress": "bob@example.org", "action": "failed"} | more
        return {
            "notificationType": "Bounce",
            "bounce": {
                "bounceType": kind,
                "bounceSubType": "General",
                "bouncedRecipients": [recipient],
                "timestamp": "2026-11-22T07:00:00.000Z",
                "feedbackId": "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
            },
            "mail": {"source": self.address, "messageId": "1", "destination": ["bob@example.org"]},
        }

    def complaint(self) -> dict[str, Any]:
        """A complaint of the same form."""
        told = {
            "complainedRecipients": [{"emailAddress": "bob@example.org"}],
            "feedbackId": "00000138111222aa-44455566-cccc-cccc-cccc-ddddaaaa068a-000000",
        }
        found = self.bounce() | {"notificationType": "Complaint", "complaint": told}
        del found["bounce"]
        return found


def handled(site: Site) -> list[str | None]:
    """The verdicts of all that was stored."""
    return [inbound.handle(site.service, mail.id).verdict for mail in site.mails()]


@pytest.mark.parametrize(
    ("kind", "more", "score"),
    [
        ("Permanent", {"status": "5.1.1", "diagnosticCode": "smtp; 550 5.1.1 no such user"}, 1.0),
        ("Permanent", {}, 1.0),
        ("Transient", {"status": "5.2.2", "diagnosticCode": "smtp; 552 5.2.2 full\r\nX: y"}, 0.25),
        ("Undetermined", {}, 0.25),
    ],
)
def test_a_bounce_that_amazon_signed_counts(
    each: Site, amazon: Amazon, kind: str, more: dict[str, str], score: float
) -> None:
    told = HistoryEntry(each)
    for _ in range(2):
        answer = each.sns(amazon.message(told.bounce(kind, **more)))
        assert (answer.status_code, answer.json) == (200, {"taken": 1})
    assert handled(each) == ["report"]
    with each.service.database.read() as session:
        assert session.get_one(Player, told.player).bounce_score == score


def test_a_complaint_that_amazon_signed_counts(site: Site, amazon: Amazon) -> None:
    told = HistoryEntry(site)
    assert site.sns(amazon.message(told.complaint())).status_code == 200
    assert handled(site) == ["complaint"]


def test_what_is_told_of_letters_is_believed_of_amazon_alone(site: Site, amazon: Amazon) -> None:
    told = HistoryEntry(site)
    for found in (told.bounce(), told.complaint()):
        assert site.sns(amazon.message(found) | {"Signature": "AAAA"}).status_code == 401
    elsewhere = told.bounce() | {"mail": {"source": "play@paleopost.test"}}
    assert site.sns(amazon.message(elsewhere)).json == {"error": "no such address"}
    odds: list[dict[str, Any]] = [
        {"mail": None},
        {"bounce": None},
        {"bounce": []},
        {"bounce": {"bounceType": 1}},
    ]
    for odd in odds:
        assert site.sns(amazon.message(told.bounce() | odd)).status_code == 422
    assert site.mails() == []
