"""A whole match as one animated picture, to share: every position of its journal for a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from service.render.pictures.boards import Pixels, on_one_line, pixels_of, template_of
from service.render.pictures.fonts import drawable
from service.render.pictures.gif import Shot, encode
from service.render.pictures.store import PictureStore, key_of
from service.render.templating import presentation_of

KEPT_BYTES: Final = 2 << 20
"""Films kept by a process."""

TURN_MS: Final = 900
"""How long a position is seen, and the last one: long enough to read its scores."""
END_MS: Final = 6000

_finished = PictureStore(KEPT_BYTES)


def film_gif(
    game_key: str, views: Sequence[Mapping[str, Any]], *, names: Sequence[str], lang: str
) -> bytes:
    """The match as a GIF, for nobody in particular.

    `views` are the public positions (`Game.view` for no seat, as built-in types) after the set-up
    and after each turn; what each has laid is marked. Equal matches give equal bytes. It takes some
    tenths of a second: ask for it when somebody wants it, not in a letter. It moves for longer than
    five seconds, so a page links to it, or shows it only where motion is not unwelcome.
    """
    asked = key_of(game_key, views, names, lang)
    film = _finished.get(asked)
    if film is None:
        film = draw(game_key, views, names=names, lang=lang)
        _finished.put(asked, film)
    return film


def film_alt(
    game_key: str, views: Sequence[Mapping[str, Any]], *, names: Sequence[str], lang: str
) -> str:
    """The film in words, on one line."""
    template = template_of(game_key, "film.txt", lang)
    return on_one_line(template.render(views=views, names=names))


def draw(
    game_key: str, views: Sequence[Mapping[str, Any]], *, names: Sequence[str], lang: str
) -> bytes:
    """`film_gif` of a match that was not drawn yet. Raises ValueError if it has no position."""
    called = [drawable(name, "") for name in names]
    shown = presentation_of(game_key)

    def drawn(number: int) -> Pixels:
        before = views[number - 1] if number else None
        return pixels_of(shown.film(views[number], before, called), game_key, lang)

    def shots() -> Iterator[Shot]:
        last = len(views) - 1
        for number in range(last):
            yield Shot((first if not number else drawn(number)).rows, TURN_MS)
        yield Shot((first if not last else drawn(last)).rows, END_MS)

    if not views:
        raise ValueError("a film has at least one position")
    first = drawn(0)
    return encode(shots(), first.width, first.height, first.palette)
