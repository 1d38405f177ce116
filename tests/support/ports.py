"""Ports for the servers of tests, which no other process of the same run chooses."""

from __future__ import annotations

import os

from service.dev.embedded import ports

# A process of pytest-xdist ("gw3") takes its ports from a part of its own: a product is started
# seconds after its port was chosen, and stopped and started again with the same one.
_FIRST = 10_100
"""Browsers open no page at 10080, the port of another protocol."""
_PART = 490
_PARTS = 20
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _PARTS
_OURS = range(_FIRST + _WORKER * _PART, _FIRST + (_WORKER + 1) * _PART)
_given: set[int] = set()


def free_port() -> int:
    """A port of this machine that nobody has now, and that was not given before."""
    while (port := ports.free_port(among=_OURS)) in _given:
        if len(_given) >= _PART // 2:
            _given.clear()
    _given.add(port)
    return port
