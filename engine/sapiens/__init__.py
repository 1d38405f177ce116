"""Sapiens: guide a tribe through its valley.

Sections of the rules are cited as S§5.3; the product's rules page has them in words.
"""

from engine.sapiens.bot import BOTS
from engine.sapiens.bots.reasons import reasons
from engine.sapiens.bots.suggesting import suggestions
from engine.sapiens.game import Sapiens
from engine.sapiens.notation import NOTATION

GAME = Sapiens(NOTATION, BOTS, suggestions, reasons)

__all__ = ["GAME"]
