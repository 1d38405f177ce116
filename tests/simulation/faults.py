"""The weather of a run: how often each fault strikes, drawn once for each seed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

import msgspec

POINTS = {
    "begin": (2, (3,)),
    "statement": (6, (8, 24, 96)),
    "commit": (3, (3,)),
    "committed": (3, (3,)),
    "enqueue": (2, (3,)),
    "connect": (1, (1,)),
    "text": (1, (1,)),
    "taken": (3, (1,)),
    "done": (1, (3,)),
}
"""Where a process can be killed: how likely that is to be chosen, and how many such points it may
pass before, one of these numbers at most: most tasks have few statements, some have a hundred.
"""

LETS_ON = {
    "begin": 1.0,
    "statement": 0.03,
    "commit": 0.1,
    "committed": 0.1,
    "enqueue": 0.5,
    "connect": 1.0,
    "text": 1.0,
    "taken": 1.0,
    "done": 1.0,
}
"""How much likelier, or less so, somebody gives way there than by the weather of the seed."""

ANSWERS = ("connect", "later", "no such user", "text refused", "timeout", "lost reply")
"""What a mail server does instead of saying 250; with the last it has taken the letter."""

OF_MAIL = ("connect", "text", "taken")
"""Points that only who hands a letter over passes."""

POWER = 0.35
"""Of the seeds, how many have a machine that loses its power when the mail server says 250."""

FAULTS = (
    "kill",
    "stop",
    "power",
    "early",
    "broker lost",
    "job lost",
    "job twice",
    "mail server",
    "outage",
    "frozen",
    "restored",
)
"""All kinds, as they can be left out of a run."""


class Weather(msgspec.Struct, frozen=True, kw_only=True):
    """How likely each fault is, where it can strike. `power`: when a letter was taken."""

    kill: float
    power: float
    gives_way: float
    job_lost: float
    job_twice: float
    mail_server: float
    answers: Sequence[str]

    @classmethod
    def drawn(cls, draw: Random, without: Collection[str]) -> Weather:
        """The weather of a seed. Some have a fault often, some hardly ever."""

        def rate(fault: str, most: float) -> float:
            drawn = draw.choice((0.0, most / 4, most / 2, most))
            return 0.0 if fault in without else drawn

        return cls(
            kill=rate("kill", 0.35),
            power=0.0 if draw.random() > POWER or "power" in without else 0.3,
            gives_way=draw.choice((0.0, 0.2, 0.4, 0.6)),
            job_lost=rate("job lost", 0.4),
            job_twice=rate("job twice", 0.4),
            mail_server=rate("mail server", 0.5),
            answers=draw.sample(ANSWERS, draw.randint(1, 4)),
        )


CALM = Weather(
    kill=0, power=0, gives_way=0, job_lost=0, job_twice=0, mail_server=0, answers=ANSWERS
)


def death(draw: Random, kinds: Collection[str] = tuple(POINTS)) -> tuple[str, int]:
    """The point at which a process is killed."""
    names = [name for name in POINTS if name in kinds]
    [kind] = draw.choices(names, [POINTS[name][0] for name in names])
    return kind, draw.randint(1, draw.choice(POINTS[kind][1]))
