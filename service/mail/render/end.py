"""The last letter of a match: how it ended, and how to check that the chance was fair."""

from __future__ import annotations

from typing import Any

from engine.kit.presentation import Occasion
from service.mail.render.boards import boards, pictures
from service.mail.render.draft import Draft
from service.mail.render.letter_context import LetterContext, mail_environment
from service.mail.render.plots import plot
from service.mail.render.table import Table
from service.matches.journal import first_of, leavings
from service.matches.reading import HistoryEntry, history, outcome_of


def tells_more(told: HistoryEntry) -> bool:
    """True if chapters tell more of an entry than what its player did."""
    return len({event["chapter"] for event in told.events}) > 1


def write(context: LetterContext) -> Draft:
    """Final boards, who won and why, the story in numbers, the seed and what it was made of, a
    rematch.
    """
    table = Table.at(context)
    outcome = outcome_of(table.match)
    if outcome is None:
        raise ValueError(f"letter {context.letter.dedupe}: the match is not over at its entry")
    match, seat, last = table.match, table.seat, table.match_view.n
    turns = table.match_view.turn
    first = first_of(context.session, match, turns - len(table.names) + 1)
    shown = boards(table, occasion=Occasion.END)
    curves = plot(table)
    last_round = history(context.session, match, seat, first, last)
    out = table.match_view.out
    letter: Any = mail_environment(context.lang).get_template(f"games/{match.game}/letter.txt")
    whole = (
        history(context.session, match, seat, 1, last) if hasattr(letter.module, "turned") else ()
    )
    ranking = sorted(range(len(table.names)), key=lambda s: (s in out, -outcome.scores[s], s))
    return table.draft(
        (*pictures(shown), *([curves.picture] if curves else [])),
        boards=shown,
        plot=curves,
        outcome=outcome,
        ranking=ranking,
        turns=turns,
        left=leavings(match),
        story=[told for told in last_round if told.seat != seat or told.said or tells_more(told)],
        events=[event for told in whole for event in told.events],
        rematch=context.links.rematch(match, seat),
    )
