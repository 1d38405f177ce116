"""The receiving mail server's word on the sender (RFC 8601, RFC 7489 §3.1).

It says so in Authentication-Results. Anybody can write that field, so only what stands under our
own server's name counts, and of each method only its topmost word: ours is above whatever the
sender put in. The server must take such fields out of what comes in (RFC 8601 §5); this is the
second lock, not the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from typing import Literal

from authres import AuthenticationResultsHeader, AuthResError

from service.mail.parse.headers import LONGEST

Verdict = Literal["pass", "fail", "none"]

# SPF's "probably not theirs" (RFC 7208 §8.5) is no reason to refuse a mail, but neither to play for
# somebody.
_FAILED = frozenset({"fail", "hardfail", "softfail"})


def verdict(message: EmailMessage, authserv_id: str | None, sender: str) -> Verdict:
    """The finding of the server `authserv_id` on the address `sender` in From.

    "pass" if DMARC passes, or DKIM or SPF does for the sender's own domain; "fail" if one of them
    fails for it and none passes; "none" if nothing was said of that domain (or no server is
    trusted to say it).
    """
    domain = _domain(sender)
    if not authserv_id or not domain:
        return "none"
    found = _results(message, authserv_id)
    said = {result for result, of in found.get("dmarc", []) if not of or _domain(of) == domain}
    if "pass" in said:
        return "pass"
    if said & _FAILED:
        # DMARC has weighed the other two, by what the domain's owner asked for.
        return "fail"
    own = {
        result
        for method in ("dkim", "spf")
        for result, of in found.get(method, [])
        if _aligned(_domain(of), domain)
    }
    if "pass" in own:
        return "pass"
    return "fail" if own & _FAILED else "none"


def _results(message: EmailMessage, authserv_id: str) -> dict[str, list[tuple[str, str]]]:
    """By method its results, each with the domain or address it is about: those of the topmost
    field that names the method. Fields below a Received are from before our server.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for field in _trusted(message, authserv_id):
        here: dict[str, list[tuple[str, str]]] = {}
        for result in field.results:
            about = {f"{p.type}.{p.name}".lower(): str(p.value) for p in result.properties}
            method = str(result.method).lower()
            of = {
                "dkim": about.get("header.d") or about.get("header.i", ""),
                "spf": about.get("smtp.mailfrom") or about.get("smtp.from", ""),
                "dmarc": about.get("header.from", ""),
            }.get(method, "")
            here.setdefault(method, []).append((str(result.result).lower(), of))
        for method, results in here.items():
            found.setdefault(method, results)
    return found


def _trusted(message: EmailMessage, authserv_id: str) -> Iterator[AuthenticationResultsHeader]:
    """The fields of the trusted server, from the top to the first Received below one of them."""
    begun = False
    for name, raw in message.raw_items():
        match name.lower():
            case "received" if begun:
                return
            case "authentication-results":
                field = _parsed(str(raw))
                if field is not None and str(field.authserv_id).lower() == authserv_id.lower():
                    begun = True
                    yield field


def _parsed(raw: str) -> AuthenticationResultsHeader | None:
    """None for what is not in the form of RFC 8601: it says nothing, then."""
    text = " ".join(raw.split())
    if len(text) >= LONGEST:
        return None
    try:
        return AuthenticationResultsHeader.parse_value(text)
    except (AuthResError, ValueError, AttributeError, IndexError, RecursionError):
        return None


def _domain(text: str) -> str:
    """The domain of an address, of a bare domain, or of DKIM's "@domain"."""
    return text.rpartition("@")[2].strip().strip(">.").lower()


def _aligned(one: str, other: str) -> bool:
    """Relaxed alignment (RFC 7489 §3.1): the same domain, or one within the other. Sisters below a
    common parent do not count: which parents belong to one owner takes a list we do not have.
    """
    if not one or "." not in one or "." not in other:
        return False
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
