"""Fire & Stone, by Klaus-Jürgen Wrede: explore a map, gather, hunt, cook, build villages.

Sections of the rules are cited as F§5.3. The map, most cards and all objectives are original
substitutes for published ones (see `map` and `components`).
"""

from engine.fire_and_stone.bots import BOTS
from engine.fire_and_stone.bots.suggesting import suggestions
from engine.fire_and_stone.game import FireAndStone
from engine.fire_and_stone.notation import NOTATION

FIRE_AND_STONE = FireAndStone(NOTATION, BOTS, suggestions)
GAME = FIRE_AND_STONE

__all__ = ["FIRE_AND_STONE", "GAME"]
