"""Routes that are compiled once in a process, not once for every test's own application.

Werkzeug writes two functions for each route of an application, in a millisecond, and they depend on
nothing but what the route says. The tests make some hundred applications of forty routes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

_written: dict[object, Callable[..., Any]] = {}
_write = Rule._compile_builder


def _once(rule: Rule, append_unknown: bool = True) -> Callable[..., Any]:
    defaults = tuple(sorted((rule.defaults or {}).items()))
    kinds = tuple((name, type(each)) for name, each in rule._converters.items())
    key = (rule.rule, tuple(rule._trace), kinds, defaults, append_unknown)
    if key not in _written:
        _written[key] = _write(rule, append_unknown)
    return _written[key]


Rule._compile_builder = _once  # type: ignore[assignment,method-assign]
