"""The one position that the replies of the corpus answer: two people, first turn, Ana to move."""

from __future__ import annotations

from engine.chance import seed_hash, seed_of_number
from service.core import locks
from service.matches.tables import Guest
from tests.support.tables import World

GAME = "sapiens"
SEED = 2
ANA, BRUNO = "ana@example.org", "bruno@example.org"

LEGAL = {
    "en": (
        "lay picking-fire F5S F5, take feast-picking, remove hunt-fire",
        "lay water-fire B5 B5S, take hunt-fire, remove water-hunt",
        "lay fight-camp D1 D1N, take water-hunt, remove picking-fight",
        "lay picking-hunt A3 A3W, take feast-fire, remove feast-picking",
    ),
    "fr": (
        "pose cueillette-feu F5S F5, prends festin-cueillette, retire chasse-feu",
        "pose eau-feu B5 B5S, prends chasse-feu, retire eau-chasse",
        "pose baston-campement D1 D1N, prends eau-chasse, retire cueillette-baston",
        "pose cueillette-chasse A3 A3W, prends festin-feu, retire festin-cueillette",
    ),
}
"""Whole turns that Ana may play, the same ones in both languages. None of them is a sample of the
letter that the corpus quotes: a sample that is played would be seen.
"""


def known_match(world: World, lang: str = "en") -> int:
    """Open the match; its id. Ana (seat 0) speaks `lang` and is to move."""
    world.player(ANA, name="Ana", lang=lang)
    match_id = world.open([Guest(address=BRUNO, name="Bruno", lang="fr")], GAME)
    with world.service.database.write() as work:
        match = locks.lock_number(world.service, work, match_id)
        match.seed = seed_of_number(SEED)
        match.seed_hash = seed_hash(match.seed)
    world.everybody_accepts(match_id)
    assert world.awaited(match_id).seat == 0
    return match_id
