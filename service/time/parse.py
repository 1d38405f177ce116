"""Times as people write them, in both languages."""

from __future__ import annotations

import re

from service.core.plain import bare, plain

OFF = frozenset({"off", "none", "no", "never", "non", "aucun", "aucune", "jamais", "fini", "sans"})
"""How people say that there is to be none."""

_BEFORE = re.compile(r"(\d{1,3})\s*([a-z]+)")
_BEFORE_UNITS = {
    "m": "m",
    "min": "m",
    "mins": "m",
    "minute": "m",
    "minutes": "m",
    "h": "h",
    "hr": "h",
    "hrs": "h",
    "hour": "h",
    "hours": "h",
    "heure": "h",
    "heures": "h",
    "d": "d",
    "day": "d",
    "days": "d",
    "j": "d",
    "jour": "d",
    "jours": "d",
}
_FILLING = re.compile(r"\b(?:before|avant|and|et|at|a|la|the|of|du|(?<!-)temps|time)\b|[,;+]")
_HALF = frozenset({"half", "halfway", "moitie", "mi-temps", "demi"})


def reminders(text: str) -> list[str] | None:
    """The times to be reminded at, as they are kept: "12h", "half, 2 days"; an empty list for
    "off", None for what is no such time.
    """
    said = plain(bare(text))
    if said in OFF:
        return []
    said = _FILLING.sub(" ", said)
    found = [_reminder(part) for part in re.sub(r"(\d)\s+([a-z])", r"\1\2", said).split()]
    known = [when for when in found if when is not None]
    return list(dict.fromkeys(known)) if found and len(known) == len(found) else None


def _reminder(part: str) -> str | None:
    if part in _HALF:
        return "half"
    found = _BEFORE.fullmatch(part)
    unit = _BEFORE_UNITS.get(found[2]) if found else None
    if found is None or unit is None:
        return None
    number = int(found[1])
    return f"{number * 24}h" if unit == "d" else f"{number}{unit}"
