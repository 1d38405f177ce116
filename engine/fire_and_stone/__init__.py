"""Fire & Stone, by Klaus-Jürgen Wrede: explore a map, gather, hunt, cook, build villages.

Sections of the rules are cited as F§5.3. The map, most cards and all objectives are original
substitutes for published ones (see `map` and `components`).
"""

from engine.fire_and_stone.game import FIRE_AND_STONE

GAME = FIRE_AND_STONE

__all__ = ["FIRE_AND_STONE", "GAME"]
