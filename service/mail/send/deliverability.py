"""The DNS records that letters need to arrive: which this set-up wants, and which there are.

Nothing is changed and nothing is sent. A question is asked of the system's resolver, or of a given
one, and has to be answered soon.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, cast
from urllib.parse import urlsplit

import dns.exception
import dns.resolver
import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey

from service.core.settings import Settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

TIMEOUT: Final = 2.0
"""Seconds that one server may take; a question as a whole twice that."""

LOOKUPS: Final = 10
"""RFC 7208 §4.6.4: what an SPF record may have a receiver look up."""

LEAST_BITS: Final = 1024

# Whose records let the well-known providers send; others say it in their documentation.
_SPF_OF: Final = {
    "amazonaws.com": "amazonses.com",
    "gmail.com": "_spf.google.com",
    "google.com": "_spf.google.com",
    "mailgun.org": "mailgun.org",
    "office365.com": "spf.protection.outlook.com",
    "postmarkapp.com": "spf.mtasv.net",
    "sendgrid.net": "sendgrid.net",
}

WANTED_BY_PROVIDERS: Final = (
    "SPF and DKIM both pass, and one of them is aligned with the domain in From (DMARC)",
    "a DMARC record, p=none at least; who sends much is expected to come to p=quarantine",
    "one-click unsubscribe (RFC 8058): every letter of a table has it, if BASE_URL is https",
    "complaints below 0.3 % of letters, better 0.1 % (Google Postmaster Tools, Yahoo Sender Hub)",
    "TLS on the way: SMTP_URL as smtps:// or smtp+starttls://, and your mail server using it",
    "a name for the sending address (PTR) that leads back to it, and a HELO of that name",
    "RFC 5322 form, one From, no address of their own domains in From",
)
"""What Google, Yahoo, Microsoft and Apple ask of senders in 2026, in short."""


class Verdict(StrEnum):
    """The comparison of what stands with what should."""

    RIGHT = "right"
    MISSING = "missing"
    OTHER = "other"
    UNKNOWN = "unknown"
    NOTE = "note"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One record: `wanted` is what should stand at `place`, `found` what does; `said` is why."""

    what: str
    place: str
    wanted: str
    verdict: Verdict
    found: tuple[str, ...] = ()
    said: str = ""


class _Record(msgspec.Struct, frozen=True):
    """A record that is looked for."""

    what: str
    place: str
    wanted: str

    def told(self, verdict: Verdict, said: str = "", *found: str) -> Finding:
        """The finding on it."""
        return Finding(
            what=self.what,
            place=self.place,
            wanted=self.wanted,
            verdict=verdict,
            found=found,
            said=said,
        )


class _NoAnswer(Exception):
    """The DNS did not answer in time, or with an error of its own."""


class Lookup:
    """Asks the DNS. `server`: whom, and at which port; None: whom the system asks."""

    def __init__(self, server: tuple[str, int] | None = None) -> None:
        self._resolver = dns.resolver.Resolver(configure=server is None)
        if server is not None:
            self._resolver.nameservers = [server[0]]
            self._resolver.port = server[1]
        self._resolver.timeout = TIMEOUT
        self._resolver.lifetime = 2 * TIMEOUT

    def texts(self, name: str) -> list[str]:
        """TXT records, their parts put together."""
        return [
            b"".join(record.strings).decode("utf-8", "replace")
            for record in self._records(name, "TXT")
        ]

    def servers(self, name: str) -> list[tuple[int, str]]:
        """MX records, the first choice first."""
        found = [(r.preference, _plain(r.exchange)) for r in self._records(name, "MX")]
        return sorted(found)

    def addresses(self, name: str) -> list[Address]:
        """A and AAAA records; an address is its own."""
        try:
            return [ipaddress.ip_address(name)]
        except ValueError:
            kinds = ("A", "AAAA")
        return [
            ipaddress.ip_address(r.address) for kind in kinds for r in self._records(name, kind)
        ]

    def names(self, address: Address) -> list[str]:
        """PTR records."""
        place = address.reverse_pointer
        return [_plain(record.target) for record in self._records(place, "PTR")]

    def _records(self, name: str, kind: str) -> list[Any]:
        try:
            return list(self._resolver.resolve(name, kind))
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise _NoAnswer(f"{name} {kind}: {type(error).__name__}") from error


def findings(settings: Settings, lookup: Lookup, sending: Sequence[Address]) -> list[Finding]:
    """The findings on each record this set-up needs. `sending` are the addresses that letters leave
    from, as far as they are known.
    """
    author = settings.mail_from.rpartition("@")[2]
    return [
        _spf(settings, lookup, sending),
        _dkim(settings, lookup),
        _dmarc(lookup, author),
        _alignment(settings, author),
        _mx(settings, lookup),
        *_ptr(settings, lookup, sending),
        *_transport(settings, lookup),
    ]


def envelope_domain(settings: Settings) -> str:
    """The domain of the envelope senders, which SPF is about (RFC 7208 §2.4)."""
    address = settings.mail_from if not settings.verp else settings.plus_address
    return address.rpartition("@")[2] if address is not None else settings.mail_domain


def _spf(settings: Settings, lookup: Lookup, sending: Sequence[Address]) -> Finding:
    domain = envelope_domain(settings)
    wanted = f"v=spf1 {_senders(settings, sending)} -all"
    told = _Record("SPF", f"{domain} TXT", wanted).told
    try:
        found = [one for one in lookup.texts(domain) if _begins(one, "v=spf1")]
        if not found:
            return told(Verdict.MISSING, "nobody is named who may send for this domain")
        if len(found) > 1:
            return told(Verdict.OTHER, "more than one is an error (RFC 7208 §4.5)", *found)
        budget = [LOOKUPS]
        refused = [
            str(one) for one in sending if not _may_send(lookup, domain, found[0], one, budget)
        ]
    except _NoAnswer as error:
        return told(Verdict.UNKNOWN, str(error))
    except _SpfError as error:
        return told(Verdict.OTHER, str(error), *found)
    if refused:
        return told(Verdict.OTHER, f"it does not let {', '.join(refused)} send", *found)
    if _ends(found[0]) not in ("-all", "~all") and "redirect=" not in found[0]:
        return told(Verdict.OTHER, "it lets everybody send: it should end in -all or ~all", *found)
    provider = _provider_spf(settings)
    if not sending and provider is not None and not _names(found[0], provider):
        return told(Verdict.OTHER, f"it does not name {provider}", *found)
    if not sending and provider is None:
        said = "whether it names your mail server is not known: tell its address by --address"
        return told(Verdict.RIGHT, said, *found)
    return told(Verdict.RIGHT, "", *found)


def _senders(settings: Settings, sending: Sequence[Address]) -> str:
    if sending:
        return " ".join(f"ip{one.version}:{one}" for one in sending)
    provider = _provider_spf(settings)
    return f"include:{provider}" if provider else "ip4:ADDRESS-OF-YOUR-MAIL-SERVER"


def _provider_spf(settings: Settings) -> str | None:
    host = urlsplit(settings.smtp_url).hostname or ""
    known = (whose for name, whose in _SPF_OF.items() if _is_within(host, name))
    return next(known, None)


class _SpfError(Exception):
    """A record that receivers cannot use."""


def _may_send(
    lookup: Lookup, domain: str, record: str, address: Address, budget: list[int]
) -> bool:
    """RFC 7208 §4.6, without macros: whether the record lets this address send."""
    redirect = None
    for term in record.split()[1:]:
        if term.lower().startswith("redirect="):
            redirect = term.partition("=")[2]
            continue
        sign, plain = (term[0], term[1:]) if term[0] in "+-~?" else ("+", term)
        if _matches(lookup, domain, plain.lower(), address, budget):
            return sign == "+"
    if redirect is None:
        return False
    _spend(budget)
    return _may_send(lookup, redirect, _spf_of(lookup, redirect), address, budget)


def _matches(lookup: Lookup, domain: str, term: str, address: Address, budget: list[int]) -> bool:
    kind, _, value = term.partition(":")
    kind, _, bits = kind.partition("/") if not value else (kind, "", "")
    if kind == "all":
        return True
    if kind in ("ip4", "ip6"):
        return _is_in(address, value)
    if kind not in ("a", "mx", "include"):
        return False  # "exists" and "ptr" want more than this; nobody needs them
    _spend(budget)
    name, _, length = value.partition("/")
    name, length = name or domain, length or bits
    if kind == "include":
        return _may_send(lookup, name, _spf_of(lookup, name), address, budget)
    hosts = [name] if kind == "a" else [host for _, host in lookup.servers(name)]
    return any(
        _is_in(address, f"{each}/{length.partition('//')[0]}" if length else str(each))
        for host in hosts
        for each in lookup.addresses(host)
        if each.version == address.version
    )


def _spf_of(lookup: Lookup, domain: str) -> str:
    found = [one for one in lookup.texts(domain) if _begins(one, "v=spf1")]
    if len(found) != 1:
        raise _SpfError(f"{domain}, which it refers to, has {len(found)} SPF records")
    return found[0]


def _spend(budget: list[int]) -> None:
    budget[0] -= 1
    if budget[0] < 0:
        raise _SpfError(f"it wants more than {LOOKUPS} look-ups (RFC 7208 §4.6.4)")


def _is_in(address: Address, network: str) -> bool:
    try:
        return address in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False


def _dkim(settings: Settings, lookup: Lookup) -> Finding:
    if settings.dkim_key is None:
        said = "no DKIM_KEY: your mail server or provider has to sign, in the domain of MAIL_FROM"
        place = f"SELECTOR._domainkey.{settings.dkim_domain} TXT"
        return _Record("DKIM", place, "what it says itself").told(Verdict.NOTE, said)
    public = _public_key(settings.dkim_key)
    name = f"{settings.dkim_selector}._domainkey.{settings.dkim_domain}"
    der = public.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    wanted = f"v=DKIM1; k=rsa; p={base64.b64encode(der).decode()}"
    told = _Record("DKIM", f"{name} TXT", wanted).told
    try:
        found = lookup.texts(name)
    except _NoAnswer as error:
        return told(Verdict.UNKNOWN, str(error))
    if not found:
        return told(Verdict.MISSING, "nobody can check our signature")
    if not any(_is_key(one, public) for one in found):
        return told(Verdict.OTHER, "it is not the other half of DKIM_KEY", *found)
    if public.key_size < LEAST_BITS:
        said = f"a key of {public.key_size} bits is not believed: make one of 2048"
        return told(Verdict.OTHER, said, *found)
    return told(Verdict.RIGHT, "", *found)


def _public_key(pem: str) -> RSAPublicKey:
    return cast(
        RSAPrivateKey, serialization.load_pem_private_key(pem.encode(), password=None)
    ).public_key()


def _is_key(record: str, ours: RSAPublicKey) -> bool:
    try:
        der = base64.b64decode("".join(_tags(record).get("p", "").split()), validate=True)
        theirs = serialization.load_der_public_key(der)
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        return False
    same = isinstance(theirs, RSAPublicKey)
    return same and cast(RSAPublicKey, theirs).public_numbers() == ours.public_numbers()


def _dmarc(lookup: Lookup, author: str) -> Finding:
    wanted = f"v=DMARC1; p=quarantine; rua=mailto:postmaster@{author}"
    told = _Record("DMARC", f"_dmarc.{author} TXT", wanted).told
    labels = author.split(".")
    try:
        # A domain without one has that of the nearest above it.
        for start in range(max(1, len(labels) - 1)):
            name = ".".join(labels[start:])
            found = [one for one in lookup.texts(f"_dmarc.{name}") if _begins(one, "v=dmarc1")]
            if found:
                break
    except _NoAnswer as error:
        return told(Verdict.UNKNOWN, str(error))
    if not found:
        return told(Verdict.MISSING, "large providers refuse or sort out mail of such a domain")
    if len(found) > 1:
        return told(Verdict.OTHER, "of more than one none counts", *found)
    policy = _tags(found[0]).get("p", "").lower()
    if policy not in ("none", "quarantine", "reject"):
        return told(Verdict.OTHER, "it has no p= of none, quarantine or reject", *found)
    said = "" if name == author else f"it stands at {name} and holds for what is below"
    if policy == "none":
        said = "p=none asks nobody to refuse what is forged: change it once the reports are clean"
    return told(Verdict.RIGHT, said, *found)


def _alignment(settings: Settings, author: str) -> Finding:
    envelope, signer = envelope_domain(settings), settings.dkim_domain
    by = [
        name
        for name, domain, there in (
            ("SPF", envelope, True),
            ("DKIM", signer, settings.dkim_key is not None),
        )
        if there and (_is_within(domain, author) or _is_within(author, domain))
    ]
    record = _Record(
        "alignment",
        f"From: {settings.mail_from}",
        f"the envelope ({envelope}) or the signature is of {author}",
    )
    if by:
        return record.told(Verdict.RIGHT, "", f"by {' and '.join(by)}")
    said = "DMARC fails even where SPF and DKIM pass: set DKIM_KEY, or MAIL_FROM"
    return record.told(Verdict.OTHER, said)


def _mx(settings: Settings, lookup: Lookup) -> Finding:
    plus = settings.plus_address
    domain = plus.rpartition("@")[2] if plus is not None else settings.mail_domain
    wanted, theirs = _receiver(settings)
    told = _Record("MX", f"{domain} MX", wanted).told
    try:
        servers = lookup.servers(domain)
        stand = tuple(f"{preference} {host}" for preference, host in servers)
        if not servers or servers[0][1] == "":
            return told(Verdict.MISSING, "replies and reports come back to their senders", *stand)
        lost = [host for _, host in servers if not lookup.addresses(host)]
    except _NoAnswer as error:
        return told(Verdict.UNKNOWN, str(error))
    if lost:
        return told(Verdict.OTHER, f"{', '.join(lost)} has no address", *stand)
    if theirs is not None and not any(_is_within(host, theirs) for _, host in servers):
        return told(Verdict.OTHER, "mail goes to somebody else than who hands it on to us", *stand)
    return told(Verdict.RIGHT, "", *stand)


def _receiver(settings: Settings) -> tuple[str, str | None]:
    """Who has to receive our mail, as an MX record and as a domain it must lie in."""
    if settings.plus_address is not None:
        return "what your provider has set", None
    if settings.lmtp_listen is not None or settings.smtp_listen is not None or settings.imap_url:
        return "10 NAME-OF-YOUR-MAIL-SERVER", None
    if settings.mailgun_signing_key is not None:
        return "10 mxa.mailgun.org and 10 mxb.mailgun.org (or their names in the EU)", "mailgun.org"
    if settings.postmark_secret is not None:
        return "10 inbound.postmarkapp.com", "inbound.postmarkapp.com"
    if settings.ses_topic is not None:
        region = settings.ses_topic.split(":")[3:4]
        host = f"inbound-smtp.{''.join(region)}.amazonaws.com"
        return f"10 {host}", host
    return "10 NAME-OF-YOUR-MAIL-SERVER", None


def _ptr(settings: Settings, lookup: Lookup, sending: Sequence[Address]) -> list[Finding]:
    if not sending:
        provider = _provider_spf(settings) is not None
        said = (
            "your provider's business"
            if provider
            else "the address your letters leave from is not known: tell it by --address"
        )
        record = _Record("PTR", "-", "a name that leads back to the address")
        return [record.told(Verdict.NOTE, said)]
    return [_reverse(lookup, one) for one in sending]


def _reverse(lookup: Lookup, address: Address) -> Finding:
    wanted = "the name of your mail server, whose A or AAAA record is this address"
    told = _Record("PTR", f"{address.reverse_pointer} PTR", wanted).told
    try:
        names = lookup.names(address)
        if not names:
            return told(Verdict.MISSING, "large providers refuse mail from an address without one")
        if not any(address in lookup.addresses(name) for name in names):
            return told(Verdict.OTHER, f"the name does not lead back to {address}", *names)
    except _NoAnswer as error:
        return told(Verdict.UNKNOWN, str(error))
    return told(Verdict.RIGHT, "", *names)


def _transport(settings: Settings, lookup: Lookup) -> list[Finding]:
    """MTA-STS (RFC 8461) and TLS-RPT (RFC 8460): good to have, and nobody asks for them."""
    if settings.plus_address is not None:
        return []
    domain = settings.mail_domain
    found = []
    for what, name, wanted in (
        ("MTA-STS", f"_mta-sts.{domain}", "v=STSv1; id=20260101"),
        ("TLS-RPT", f"_smtp._tls.{domain}", f"v=TLSRPTv1; rua=mailto:postmaster@{domain}"),
    ):
        try:
            texts = lookup.texts(name)
        except _NoAnswer:
            texts = []
        there = tuple(one for one in texts if _begins(one, wanted.partition(";")[0].lower()))
        verdict = Verdict.RIGHT if there else Verdict.NOTE
        said = "" if there else "not needed; it tells senders to insist on TLS, or reports"
        found.append(_Record(what, f"{name} TXT", wanted).told(verdict, said, *there))
    return found


def _tags(record: str) -> dict[str, str]:
    """RFC 6376 §3.2: tag=value; tag=value."""
    pairs = (part.partition("=") for part in record.split(";") if "=" in part)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _begins(record: str, version: str) -> bool:
    """True if the record's first word is this version (RFC 7208 §4.5, RFC 7489 §6.6.3)."""
    return record.replace(";", " ").lower().split()[:1] == [version]


def _ends(record: str) -> str:
    return record.lower().split()[-1]


def _names(record: str, domain: str) -> bool:
    return any(term.lower().endswith(f":{domain}") for term in record.split())


def _is_within(host: str, domain: str) -> bool:
    host, domain = host.lower(), domain.lower()
    return host == domain or host.endswith(f".{domain}")


def _plain(name: object) -> str:
    return str(name).rstrip(".").lower()
