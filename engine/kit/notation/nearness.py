"""Distances between actions: what to offer with the answer to an illegal one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

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
