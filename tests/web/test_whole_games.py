"""Whole games through the forms alone, by choosing anything that is offered anywhere."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import select

from service.core.models import EntryRow, Submission
from tests.support.reader import Form, Reader
from tests.web.conftest import Site

NO_BONUS = {"lay", "abandon", "take", "done", "remove", "token", "retrieve", "out"}


def choose(form: Form, whim: random.Random) -> int:
    """Choose something in one of the steps, of any kind with equal odds; which step, or -1 if there
    is only one thing to do.
    """
    steps = [n for n, (_, options) in enumerate(form.choices) if len(options) > 1]
    if not steps:
        return -1
    step = whim.choice(steps)
    kinds = sorted({text.split()[0] for text in form.choices[step][1]})
    kind = whim.choice(kinds)
    options = [text for text in form.choices[step][1] if text.split()[0] == kind]
    form.put("a", whim.choice(options), at=step)
    return step


def play_turn(site: Site, reader: Reader, link: str, whim: random.Random) -> list[str]:
    """Change steps, update, play; the actions that were played."""
    page = reader.get(link)
    form = page.form("handing")
    for _ in range(whim.randrange(5)):
        step = choose(form, whim)
        if step < 0:
            break
        selected = form.all("a")
        page = reader.press(form, "Update")
        form = page.form("handing")
        assert form.all("a")[: step + 1] == selected[: step + 1]
        assert form.all("a") == form.all("w")
    form = reader.whole(page).form("/play/")
    page = reader.press(form, "Play this turn")
    assert "Your turn is played." in page.text, page.text
    return form.all("a")


def play_match(site: Site, guests: int, seed: int) -> list[list[str]]:
    """The first words of the actions of every turn of a match that was played to its end."""
    whim = random.Random(seed)
    match = site.table(guests=guests, seed=seed)
    reader = site.reader()
    turns: list[list[str]] = []
    while site.match(match.id).status == "playing":
        played = play_turn(site, reader, site.turn_link(match), whim)
        turns.append([text.split()[0] for text in played])
    with site.service.database.read() as session:
        sent = session.scalars(select(Submission).where(Submission.match_id == match.id)).all()
        assert {s.status for s in sent} == {"played"}
        query = select(EntryRow).where(EntryRow.match_id == match.id, EntryRow.n > 0)
        assert len(session.scalars(query).all()) == len(sent) == len(turns)
    assert any("remove" in turn for turn in turns) == (guests == 1), "S§13: two players remove"
    return turns


@pytest.mark.rarely
@pytest.mark.parametrize(
    ("matches", "unplayed"),
    [
        (((1, 16),), {"hunt"}),
        (((1, 12), (1, 16), (2, 13), (3, 14)), set()),
    ],
    ids=["one", "four"],
)
def test_anything_that_is_offered_can_be_played_to_the_end(
    site: Site, matches: tuple[tuple[int, int], ...], unplayed: set[str]
) -> None:
    turns = [turn for guests, seed in matches for turn in play_match(site, guests, seed)]
    every = {
        *("lay", "abandon", "take", "remove", "token", "retrieve"),
        *("feast", "picking", "ritual", "fight", "water", "camp", "hunt", "fire"),
    }
    assert {verb for turn in turns for verb in turn} >= every - unplayed
    assert any(turn[0] == "token" for turn in turns), "a token before the tile"
    assert any("token" in turn[1:] for turn in turns), "a token after it"
    bonuses = [[verb for verb in turn if verb not in NO_BONUS] for turn in turns]
    assert any(len(turn) > 1 for turn in bonuses), "two bonuses in a chosen order"
