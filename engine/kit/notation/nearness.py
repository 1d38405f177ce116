"""Distances between actions: what to offer with the answer to an illegal one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

A = TypeVar("A")

Metrics = Mapping[str, Callable[[Any, Any], float]]
"""By the name of a field, how far apart two of its values are."""


def field_distance(one: object, other: object, metrics: Metrics, other_type: float = 3) -> float:
    """The sum of the distances in the fields that two actions have. A field without a metric counts
    1 where it differs, another type of action `other_type`.
    """
    fields = getattr(one, "__struct_fields__", ())
    far = 0.0 if type(one) is type(other) else other_type
    for name in fields:
        if hasattr(other, name):
            metric = metrics.get(name, _differ)
            far += metric(getattr(one, name), getattr(other, name))
    return far


def _differ(one: object, other: object) -> float:
    return float(one != other)


def nearest(
    action: A,
    offered: Iterable[A],
    distance: Callable[[A], float],
    limit: int,
    form: Callable[[A], Hashable] = type,
    meaning: Callable[[A], Hashable] = lambda action: action,
) -> tuple[A, ...]:
    """Up to `limit` of the offered actions that have the form of one, those at the least distance
    first, those of equal meaning once. When none has it: the first of each other form.
    """
    offered, wanted = list(offered), form(action)
    alike = [other for other in offered if form(other) == wanted]
    if not alike:
        firsts = {form(other): other for other in reversed(offered)}
        return tuple(other for other in offered if firsts[form(other)] is other)[:limit]
    found: dict[Hashable, A] = {}
    for other in sorted(alike, key=distance):
        found.setdefault(meaning(other), other)
        if len(found) == limit:
            break
    return tuple(found.values())
