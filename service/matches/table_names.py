"""Names of tables: the host's own, or that of a place where people lived long ago.

Subjects, lists and pages call a table by it. A name is the same text in every language: those we
give are the proper names of caves and sites.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from itertools import count

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.core.models import Match, Player, SeatRow
from service.core.names import NAME_LENGTH, clean_name

SITES = (
    "Abri Pataud",
    "Aldène",
    "Altamira",
    "Altxerri",
    "Arcy",
    "Ardales",
    "Bara Bahau",
    "Bernifal",
    "Blombos",
    "Boxgrove",
    "Brassempouy",
    "Carnac",
    "Castillo",
    "Chauvet",
    "Combarelles",
    "Cosquer",
    "Covalanas",
    "Creswell",
    "Cussac",
    "Ekain",
    "Foz Côa",
    "Gargas",
    "Gönnersdorf",
    "Goyet",
    "Hohle Fels",
    "Isturitz",
    "Jericho",
    "Kapova",
    "Klasies",
    "Kostenki",
    "Lascaux",
    "Lespugue",
    "Marsoulas",
    "Mas d’Azil",
    "Mezhyrich",
    "Montespan",
    "Nerja",
    "Niaux",
    "Pech Merle",
    "Pincevent",
    "Rouffignac",
    "Shanidar",
    "Sibudu",
    "Skara Brae",
    "Solutré",
    "Star Carr",
    "Sungir",
    "Tautavel",
    "Teyjat",
    "Tito Bustillo",
    "Villars",
    "Vogelherd",
    "Willendorf",
)


def name_for(
    session: Session,
    code: str,
    host: Player,
    people: Collection[Player | None],
    wished: str,
) -> str:
    """The name of a new table with this code: the host's wish, or one that none of these people has
    had a table of yet.

    A wish gets a number if the host has already had a table called so: what tables their guests
    have is not theirs to know.
    """
    wished = clean_name(wished)
    if wished:
        return _apart(wished, _taken(session, [host]))
    taken = _taken(session, people)
    at = int.from_bytes(hashlib.sha256(code.encode()).digest()[:4]) % len(SITES)
    sites = (*SITES[at:], *SITES[:at])
    free = next((site for site in sites if site.casefold() not in taken), None)
    return free or _apart(sites[0], taken)


def _taken(session: Session, people: Collection[Player | None]) -> set[str]:
    """The names of all tables that any of these people has had, in lower case."""
    known = [player.id for player in people if player is not None and player.id is not None]
    names = session.scalars(
        select(Match.name)
        .join(SeatRow, SeatRow.match_id == Match.id)
        .where(SeatRow.player_id.in_(known), Match.name.is_not(None))
    )
    return {name.casefold() for name in names if name is not None}


def _apart(name: str, taken: Collection[str]) -> str:
    """The name, with the first number behind it that tells it from all that are taken."""
    if name.casefold() not in taken:
        return name
    numbered = (f"{name[: NAME_LENGTH - 5].rstrip()} {n}" for n in count(2))
    return next(each for each in numbered if each.casefold() not in taken)
