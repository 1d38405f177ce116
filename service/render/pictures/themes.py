"""Colours of maps: roles by day, by night, and as a page sets them by the reader's wish."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Final

from service.render.pictures.palette import MOST, Palette
from service.render.templating import SOURCE_LANGUAGE, environment

Colours = Mapping[str, str]
"""Colours by role."""

PREFIX: Final = "--map-"
"""Of the names that style sheets have for roles."""


INSIDE: Final = 0.55
LIT: Final = 0.55
VEILED: Final = (("sunk", 0.42), ("closed", 0.5))
"""The strength of a ground's light tone within a place, of the glow on one, of veils."""


class Theme(StrEnum):
    """The light a map is looked at in. Letters have the day's: inboxes recolour text alone."""

    DAY = "LIGHT"
    NIGHT = "DARK"
    PAGE = "PAGE"
    """By day or by night, as the style sheet says; the day's where it says nothing."""


@cache
def colours_of(theme: Theme) -> Colours:
    """The colours of a theme by role."""
    if theme is Theme.PAGE:
        day = colours_of(Theme.DAY)
        return {role: f"var({PREFIX}{role.replace('_', '-')}, {day[role]})" for role in day}
    module = environment(SOURCE_LANGUAGE).get_template("boards/kit/colours.svg").module
    found: Colours = getattr(module, theme)
    return found


@cache
def palette_of(theme: Theme) -> Palette:
    """The colours that a map's pixels have: those of its roles; a ground and its light one where it
    shines through, and under glow; and what soft edges have between each of them and the few
    colours that things are outlined with.
    """
    colours = colours_of(theme)
    plain = list(dict.fromkeys(colours.values()))
    edges = [colours[role] for role in ("line", "casing", "grid")]
    mixed = (
        _mix(one, other, part) for part, other, one in product((0.5, 0.75, 0.25), edges, plain)
    )
    # One number is left for what a film does not change from one picture to the next.
    return Palette(tuple(dict.fromkeys((*surfaces(theme), *mixed)))[: MOST - 1])


@cache
def surfaces(theme: Theme) -> tuple[str, ...]:
    """The first colours of `palette_of`: those that more than soft edges have."""
    colours = colours_of(theme)
    grounds = [(colours[role], colours[f"{role}_light"]) for role in _grounds(colours)]
    inside = [_mix(ground, light, INSIDE) for ground, light in grounds]
    lit = [_mix(one, colours["glow"], LIT) for one in (*inside, *(one for one, _ in grounds))]
    veiled = [_mix(ground, colours[role], part) for role, part in VEILED for ground, _ in grounds]
    return tuple(dict.fromkeys((*colours.values(), *inside, *lit, *veiled)))


def _grounds(colours: Colours) -> list[str]:
    return [role for role in colours if f"{role}_light" in colours and f"{role}_deep" in colours]


def _mix(one: str, other: str, part: float) -> str:
    a, b = bytes.fromhex(one[1:]), bytes.fromhex(other[1:])
    mixed = (round(x + (y - x) * part) for x, y in zip(a, b, strict=True))
    return "#" + "".join(f"{value:02X}" for value in mixed)
