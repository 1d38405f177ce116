"""The DNS records of a set-up, compared with what a real name server says."""

from __future__ import annotations

import base64
import ipaddress
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from service.mail.send.deliverability import Finding, Lookup, Verdict, findings
from tests.support.commands import command
from tests.support.nameserver import NameServer, Records
from tests.support.tables import settings_for

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = ipaddress.ip_address("203.0.113.5")
KEY = rsa.generate_private_key(65537, 2048)
PEM = KEY.private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.TraditionalOpenSSL,
    serialization.NoEncryption(),
).decode()


def public(key: rsa.RSAPrivateKey) -> str:
    der = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return base64.b64encode(der).decode()


def txt(*parts: str) -> str:
    return " ".join(f'"{part}"' for part in parts)


SPF = ("play.example.org", "TXT")
DKIM = ("paleopost._domainkey.play.example.org", "TXT")
DMARC = ("_dmarc.play.example.org", "TXT")
MX = ("play.example.org", "MX")
PTR = ("5.113.0.203.in-addr.arpa", "PTR")
A = ("mx.example.org", "A")

GOOD: Records = {
    SPF: [txt("some other word"), txt("v=spf1 mx -all")],
    DKIM: [txt("v=DKIM1; k=rsa; p=" + public(KEY)[:180], public(KEY)[180:])],
    DMARC: [txt("v=DMARC1; p=quarantine")],
    MX: ["10 mx.example.org."],
    PTR: ["mx.example.org."],
    A: ["203.0.113.5"],
    ("_mta-sts.play.example.org", "TXT"): [txt("v=STSv1; id=7")],
    ("_smtp._tls.play.example.org", "TXT"): [txt("v=TLSRPTv1; rua=mailto:a@example.org")],
}
ENV = {
    "BASE_URL": "https://play.example.org",
    "MAIL_DOMAIN": "play.example.org",
    "LMTP_LISTEN": "127.0.0.1:1",
    "DKIM_KEY": PEM,
}


@pytest.fixture
def serve() -> Iterator[Callable[[Records], NameServer]]:
    servers: list[NameServer] = []

    def start(records: Records) -> NameServer:
        servers.append(NameServer(records))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


Ask = Callable[..., dict[str, Finding]]


@pytest.fixture
def ask(serve: Callable[[Records], NameServer]) -> Ask:
    """What is found with these records changed, and these settings."""

    def look(
        changed: Records | None = None, *, sending: bool = True, **env: str
    ) -> dict[str, Finding]:
        server = serve(GOOD | (changed or {}))
        settings = settings_for("sqlite:///unused.db", **ENV | env)
        lookup = Lookup(("127.0.0.1", server.port))
        found = findings(settings, lookup, [ADDRESS] if sending else [])
        return {one.what: one for one in found}

    return look


def test_all_is_right(ask: Ask) -> None:
    found = ask()
    assert {one.verdict for one in found.values()} == {Verdict.RIGHT}
    assert list(found) == ["SPF", "DKIM", "DMARC", "alignment", "MX", "PTR", "MTA-STS", "TLS-RPT"]
    assert found["SPF"].wanted == "v=spf1 ip4:203.0.113.5 -all"
    assert found["DKIM"].wanted == f"v=DKIM1; k=rsa; p={public(KEY)}"
    assert found["MX"].found == ("10 mx.example.org",)


def test_nothing_is_there(serve: Callable[[Records], NameServer]) -> None:
    lookup = Lookup(("127.0.0.1", serve({}).port))
    found = findings(settings_for("sqlite:///unused.db", **ENV), lookup, [ADDRESS])
    missing = {one.what for one in found if one.verdict is Verdict.MISSING}
    assert missing == {"SPF", "DKIM", "DMARC", "MX", "PTR"}


@pytest.mark.parametrize(
    ("name", "values", "what", "said"),
    [
        (SPF, ["v=spf1 ip4:198.51.100.0/24 -all"], "SPF", "does not let 203.0.113.5 send"),
        (SPF, ["v=spf1 ip4:203.0.113.0/24 +all"], "SPF", "lets everybody send"),
        (SPF, ["v=spf1 mx -all", "v=spf1 -all"], "SPF", "more than one"),
        (SPF, ["v=spf1 include:nowhere.example.org -all"], "SPF", "has 0 SPF records"),
        (SPF, ["v=spf1 include:play.example.org -all"], "SPF", "more than 10 look-ups"),
        (DKIM, ["v=DKIM1; p="], "DKIM", "other half"),
        (DKIM, ["v=DKIM1; p=no base64"], "DKIM", "other half"),
        (DMARC, ["v=DMARC1; p=whatever"], "DMARC", "no p="),
        (DMARC, ["v=DMARC1; p=none", "v=DMARC1; p=reject"], "DMARC", "none counts"),
    ],
)
def test_another_record_stands(
    ask: Ask, name: tuple[str, str], values: list[str], what: str, said: str
) -> None:
    found = ask({name: [txt(value) for value in values]})[what]
    assert found.verdict is Verdict.OTHER
    assert said in found.said
    assert sorted(found.found) == sorted(values)


@pytest.mark.parametrize(
    "record",
    [
        "v=spf1 a:mx.example.org -all",
        "v=spf1 a:mx.example.org/24 -all",
        "V=SPF1 ip4:198.51.100.1 ip4:203.0.113.0/29 ~all",
        "v=spf1 include:_spf.example.org -all",
        "v=spf1 redirect=_spf.example.org",
    ],
)
def test_ways_to_let_an_address_send(ask: Ask, record: str) -> None:
    included = {("_spf.example.org", "TXT"): [txt("v=spf1 ip4:203.0.113.5 -all")]}
    assert ask({SPF: [txt(record)], **included})["SPF"].verdict is Verdict.RIGHT


def test_a_refusal_before_it_counts(ask: Ask) -> None:
    found = ask({SPF: [txt("v=spf1 -ip4:203.0.113.5 mx -all")]})["SPF"]
    assert found.verdict is Verdict.OTHER


def test_a_name_that_does_not_lead_back(ask: Ask) -> None:
    found = ask({PTR: ["host.example.net."], ("host.example.net", "A"): ["192.0.2.1"]})["PTR"]
    assert found.verdict is Verdict.OTHER
    assert "does not lead back" in found.said


def test_a_mail_server_without_an_address(ask: Ask) -> None:
    found = ask({MX: ["10 gone.example.org."]})["MX"]
    assert (found.verdict, found.said) == (Verdict.OTHER, "gone.example.org has no address")


def test_a_domain_that_takes_no_mail(ask: Ask) -> None:
    """RFC 7505."""
    assert ask({MX: ["0 ."]})["MX"].verdict is Verdict.MISSING


def test_a_dmarc_record_above(ask: Ask) -> None:
    found = ask({DMARC: [], ("_dmarc.example.org", "TXT"): [txt("v=DMARC1; p=none")]})["DMARC"]
    assert found.verdict is Verdict.RIGHT
    assert found.said.startswith("p=none asks nobody")


def test_a_provider_that_posts_has_to_receive(ask: Ask) -> None:
    env = {"LMTP_LISTEN": "", "POSTMARK_SECRET": "s" * 20}
    found = ask(**env)["MX"]
    assert (found.verdict, found.wanted) == (Verdict.OTHER, "10 inbound.postmarkapp.com")
    there = {MX: ["10 inbound.postmarkapp.com."], ("inbound.postmarkapp.com", "A"): ["192.0.2.2"]}
    assert ask(there, **env)["MX"].verdict is Verdict.RIGHT


def test_a_provider_that_sends_has_to_be_named(ask: Ask) -> None:
    env = {"SMTP_URL": "smtps://u:p@smtp.mailgun.org"}
    found = ask(sending=False, **env)
    assert found["SPF"].verdict is Verdict.OTHER
    assert found["SPF"].wanted == "v=spf1 include:mailgun.org -all"
    assert found["PTR"].verdict is Verdict.NOTE
    named = {SPF: [txt("v=spf1 include:mailgun.org ~all")]}
    assert ask(named, sending=False, **env)["SPF"].verdict is Verdict.RIGHT


def test_what_is_not_aligned(ask: Ask) -> None:
    env = {"MAIL_FROM": "play@elsewhere.example", "VERP": "1", "DKIM_DOMAIN": "play.example.org"}
    assert ask(**env)["alignment"].verdict is Verdict.OTHER
    env |= {"DKIM_DOMAIN": "elsewhere.example"}
    assert ask(**env)["alignment"].found == ("by DKIM",)


def test_a_server_that_says_nothing_is_not_waited_for(ask: Ask) -> None:
    found = ask({SPF: ["SILENCE"], DKIM: ["SERVFAIL"]})
    assert found["SPF"].verdict is Verdict.UNKNOWN
    assert found["DKIM"].verdict is Verdict.UNKNOWN
    assert found["DMARC"].verdict is Verdict.RIGHT


def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    settings = {
        "SECRET_KEY": "k" * 32,
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SMTP_URL": "smtp://127.0.0.1:1",
        **ENV,
    }
    return command("check", *words, env={**os.environ, **settings, **env})


def test_the_command_prints_what_should_stand_and_what_does(
    serve: Callable[[Records], NameServer],
) -> None:
    server = serve(GOOD | {DMARC: [], SPF: [txt("v=spf1 -all")]})
    words = ("--dns", "--resolver", f"127.0.0.1:{server.port}", "--address", str(ADDRESS))
    done = run(*words)
    assert (done.returncode, done.stderr) == (1, "")
    assert "missing  DMARC      _dmarc.play.example.org TXT" in done.stdout
    assert "should: v=DMARC1; p=quarantine; rua=mailto:postmaster@play.example.org" in done.stdout
    assert "other    SPF" in done.stdout
    assert "stands: v=spf1 -all" in done.stdout
    assert "0.3 %" in done.stdout
    server.records |= GOOD
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "missing" not in done.stdout


@pytest.mark.parametrize(
    "words", [("--resolver", "127.0.0.1:no"), ("--resolver", "x"), ("--address", "me")]
)
def test_what_cannot_be_asked(words: tuple[str, ...]) -> None:
    done = run("--dns", *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_nothing_is_needed_where_no_letter_leaves() -> None:
    done = run("--dns", MAILBOX="1")
    assert done.returncode == 0
    assert "no records are needed" in done.stdout


def test_it_is_said_that_nobody_checks_senders() -> None:
    said = [line for line in run().stdout.splitlines() if "senders" in line]
    assert len(said) == 1
    assert said[0].startswith("note   senders    SENDER_CHECK=prefer, but no AUTHSERV_ID is set")
    said = run(AUTHSERV_ID="mx.example.org").stdout.splitlines()
    assert any(line.startswith("ok     senders    SENDER_CHECK=prefer, by what") for line in said)
