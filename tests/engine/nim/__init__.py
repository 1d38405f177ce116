"""Nim: three heaps of stones, two players, no chance and no secrets. The rules are N§1 to N§4 of
`tests/nim/templates/games/nim/rules.en.html`.
"""

from tests.engine.nim.game import GAME

__all__ = ["GAME"]
