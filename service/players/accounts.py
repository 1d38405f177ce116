"""Players are addresses: finding or meeting one, and signing in by a mailed link."""

from __future__ import annotations

import datetime as dt
from difflib import get_close_matches
from functools import cache
from importlib import resources
from zoneinfo import available_timezones

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from service.core import randomness
from service.core.context import Service
from service.core.db import Work, insert_once
from service.core.errors import Refused
from service.core.keys import digest_of
from service.core.letter_details import SignInDetails
from service.core.models import Alias, Key, Player
from service.core.names import BadAddress, clean_address, clean_name, name_from_address
from service.core.statuses import LetterKind
from service.outgoing.outbox import owe, owed_since
from service.players import bounces
from service.time import outages

SIGN_IN_FOR = dt.timedelta(hours=2)
SIGN_INS_PER_HOUR = 5
LANGUAGES = ("en", "fr")
MOST_NEAR = 3
_AREAS = frozenset(
    [
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    ]
)


@cache
def zones() -> frozenset[str]:
    """The names of the time zones: not what a system calls its own clock, or that it has none."""
    return frozenset(available_timezones()) - {"localtime", "Factory", "posixrules"}


@cache
def listed_zones() -> frozenset[str]:
    """Those to choose from: one for every place that zone.tab of the time zone database has, and
    UTC. The others are names from before, or of fixed distances, without the changes between summer
    and winter.
    """
    lines = _zone_file("zone.tab")
    placed = {line.split("\t")[2] for line in lines if line and not line.startswith("#")}
    return zones() & (placed | {"UTC"})


@cache
def renamed_zones() -> dict[str, str]:
    """The present names of zones by their earlier ones, which browsers go on telling
    ("Asia/Calcutta").
    """
    links = (line.split() for line in _zone_file("tzdata.zi") if line.startswith("L "))
    listed = listed_zones()
    return {old: new for _, new, old in links if new in listed and old not in listed}


def _zone_file(name: str) -> list[str]:
    return (resources.files("tzdata") / "zoneinfo" / name).read_text(encoding="utf-8").splitlines()


@cache
def _of_cities() -> frozenset[str]:
    """Those that are called after a place, by all its names: also as it was called before."""
    return frozenset(zone for zone in zones() if zone.split("/")[0] in _AREAS) | {"UTC"}


def zone_named(text: str) -> tuple[str | None, list[str]]:
    """The zone that somebody means by its name, or by the city in it alone, whatever the case; else
    None and the names that look most like it.
    """
    said = text.strip().replace(" ", "_").casefold()
    exact = next((name for name in zones() if name.casefold() == said), None)
    if exact is not None:
        return exact, []
    cities: dict[str, list[str]] = {}
    for name in sorted(_of_cities()):
        cities.setdefault(name.rpartition("/")[2].casefold(), []).append(name)
    if said in cities and len(cities[said]) == 1:
        return cities[said][0], []
    alike = get_close_matches(said.rpartition("/")[2], cities, MOST_NEAR)
    return None, [name for city in alike for name in cities[city]][:MOST_NEAR]


def language(text: str | None, otherwise: str = "en") -> str:
    """One of LANGUAGES."""
    return text if text in LANGUAGES else otherwise


def address_of(text: str) -> str:
    """The address somebody has typed, as it is stored. Raises Refused("bad_address")."""
    try:
        return clean_address(text)
    except BadAddress as error:
        raise Refused("bad_address", address=error.address) from error


def meet(
    service: Service,
    session: Session,
    address: str,
    name: str = "",
    lang: str = "en",
    zone: str = "",
) -> Player:
    """The player with this address, made known if new (an own name and language are then kept, and
    the zone as a first guess, if it is one). As much is done for one as for the other: strangers
    may ask with anybody's address, and the time it takes tells them nothing.

    Raises Refused("bad_address").
    """
    email = address_of(address)
    insert_once(
        session,
        Player,
        email=email,
        name=clean_name(name, name_from_address(email)),
        lang=language(lang),
        zone=zone if zone in zones() else service.settings.zone,
        created_at=service.now(),
    )
    return session.scalars(select(Player).where(Player.email == email)).one()


def invite(
    service: Service,
    session: Session,
    address: str,
    name: str = "",
    lang: str = "en",
    zone: str = "",
) -> Player:
    """The player somebody means by this address: whose confirmed other address it is, else as
    `meet`. So nobody comes to sit at a table twice. Whoever invites must not learn from what
    follows that two addresses are one person's. Raises Refused("bad_address").
    """
    email = address_of(address)
    whose = session.scalars(
        select(Player)
        .join(Alias, Alias.player_id == Player.id)
        .where(Alias.email == email, Alias.confirmed_at.is_not(None))
        .limit(2)
    ).all()
    # An address that two people share is nobody's other one.
    return whose[0] if len(whose) == 1 else meet(service, session, email, name, lang, zone)


def ask_sign_in(
    service: Service,
    work: Work,
    address: str,
    lang: str,
    zone: str = "",
    *,
    play: str | None = None,
) -> None:
    """Send the address a link that signs its owner in. The same answer whether it is known or not.
    The zone is that of the asking browser, for who is new; `play` is a game that the link is to
    start against a bot.

    Asked more than SIGN_INS_PER_HOUR times in an hour, nothing more is sent. Raises
    Refused("bad_address").
    """
    player = meet(service, work.session, address, lang=lang, zone=zone)
    now = service.now()
    hour = now - dt.timedelta(hours=1)
    if owed_since(work.session, player, LetterKind.SIGNIN, hour) >= SIGN_INS_PER_HOUR:
        return
    nonce = randomness.token_hex(8)
    service.keys.issue(
        work.session,
        "signin",
        nonce,
        player_id=player.id,
        expires_at=now + SIGN_IN_FOR,
    )
    owe(
        service,
        work,
        LetterKind.SIGNIN,
        player,
        dedupe=f"signin.{nonce}",
        details=SignInDetails(nonce=nonce, lang=lang, play=play),
    )


def sign_in_of(service: Service, session: Session, token: str) -> Player:
    """The player a sign-in link would sign in; it stays unused. Raises as `sign_in`."""
    key = service.keys.find(session, token, "signin")
    if key is None:
        raise Refused("unknown_link")
    if key.used_at is not None:
        raise Refused("used_link")
    if key.expires_at is not None and key.expires_at < outages.present(service, session):
        raise Refused("expired_link")
    player = session.get(Player, key.player_id)
    assert player is not None
    return player


def sign_in(service: Service, work: Work, token: str) -> Player:
    """Use a sign-in link, once. Raises Refused: "unknown_link", "used_link" or "expired_link"."""
    player = sign_in_of(service, work.session, token)
    claimed = work.session.execute(
        update(Key)
        .where(Key.digest == digest_of(token.strip().lower()), Key.used_at.is_(None))
        .values(used_at=service.now())
    )
    if claimed.rowcount != 1:  # type: ignore[attr-defined]
        raise Refused("used_link")
    # The letter with the link has arrived.
    bounces.revive(service, work, player)
    return player


def change(
    player: Player, name: str | None = None, lang: str | None = None, zone: str | None = None
) -> None:
    """Change how a player is called, in which language they are written to and by which clock.

    Raises Refused: "bad_name" (nothing printable in it), "bad_language", "bad_zone".
    """
    if name is not None and not clean_name(name):
        raise Refused("bad_name")
    if lang is not None and lang not in LANGUAGES:
        raise Refused("bad_language", languages=list(LANGUAGES))
    if zone is not None and zone not in zones():
        raise Refused("bad_zone", zone=clean_name(zone))
    if name is not None:
        player.name = clean_name(name)
    if lang is not None:
        player.lang = lang
    if zone is not None:
        player.zone = zone
