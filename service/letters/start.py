"""The letter that says that a match has begun, to those who are not asked first."""

from __future__ import annotations

from service.letters.boards import board
from service.letters.desk import Desk
from service.letters.draft import Draft
from service.letters.table import Table


def write(desk: Desk) -> Draft:
    """Who plays in which order, what was dealt, and the hash by which the deal can be checked
    later.
    """
    table = Table.at(desk)
    own = board(table)
    return table.draft((own.picture,), board=own, waiting=table.sight.waiting_for)
