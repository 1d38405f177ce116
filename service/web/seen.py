"""Pages that show a position: who opens them has seen it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from flask.typing import ResponseReturnValue

from service.usecases import seeing
from service.web import grants
from service.web.here import service

P = ParamSpec("P")
Shown = TypeVar("Shown")
TIMES = 3


def noted(show: Callable[[], Shown], note: Callable[[], bool]) -> Shown:
    """What `show` makes once `note` has kept the newest position as seen.

    If a turn is played between the two, as `note` then tells, it is noted and shown again, TIMES
    times at most.
    """
    note()
    for _ in range(TIMES):
        answer = show()
        if not note():
            break
    return answer


def shows_a_match(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Note before the view shows it that the newest position is seen: by the seat `number`, or by
    everybody who watches where there is none. Rights are the view's own to check.
    """

    @wraps(view)
    def noting(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        code, number = str(kwargs["code"]), kwargs.get("number")
        seat = number if isinstance(number, int) else None
        return noted(lambda: view(*args, **kwargs), lambda: note_seen(code, seat))

    return noting


def note_seen(code: str, seat: int | None) -> bool:
    """Note that who may see this match here sees it; whether there was something to note."""
    with service().database.read() as database:
        if seat is not None:
            match = grants.seat(database, code, seat).match
        else:
            match = grants.match_of(database, code)
            if not grants.may_watch(match):
                return False
        if seeing.is_noted(match, seat):
            return False
        match_id = match.id
    seeing.note(service(), match_id, seat)
    return True
