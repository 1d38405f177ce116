"""La Vallée des Mammouths: tribes, beasts and winters.

Sections of the rules are cited as M§10.4. The boards, tricks and most events are
original substitutes for published ones.
"""

from engine.mammoths.game import MAMMOTHS as GAME

__all__ = ["GAME"]
