"""Names of bots, as the games call them in each language, and of former players."""

from __future__ import annotations

from typing import Any

from engine.games import games
from service.core.names import former_number
from service.render.templating import LANGUAGES, environment


def called(game: str, bot: str, lang: str) -> str:
    """The name that a game gives one of its bots. Raises KeyError for a bot it does not have."""
    words: Any = environment(lang).get_template(f"games/{game}/pitch.txt").module
    return str(words.called(bot)).strip()


def shown_name(game: str, bot: str | None, name: str, lang: str) -> str:
    """The name of a seat for a reader of `lang`: that of a bot whom nobody gave another name than
    the game's is the game's in that language, and so is that of a former player. Seats keep the
    name in their host's.
    """
    number = former_number(name) if bot is None else None
    if number is not None:
        words: Any = environment(lang).get_template("wording/former.txt").module
        return str(words.called(number)).strip()
    if (
        bot is None
        or bot not in games()[game].bots
        or name not in {called(game, bot, each) for each in LANGUAGES}
    ):
        return name
    return called(game, bot, lang)
