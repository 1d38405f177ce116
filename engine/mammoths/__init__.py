"""La Vallée des Mammouths: tribes, beasts and winters.

Sections of the rules are cited as M§10.4. The game is `engine.mammoths.game.MAMMOTHS`; a package
that exports `GAME` is offered to players, and this one is not yet.
"""
