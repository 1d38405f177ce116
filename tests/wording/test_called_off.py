"""What is said of a turn that is not asked any more, as the one before it was taken back."""

from __future__ import annotations

import pytest

from service.core.verdicts import TakenBack, Verdict, Withdrawn
from service.render.templating import environment


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "The turn before yours was taken back"), ("fr", "Le tour d’avant a été repris")],
)
@pytest.mark.parametrize("verdict", [TakenBack(), Withdrawn()])
def test_a_turn_that_was_called_off_is_told_so(verdict: Verdict, lang: str, said: str) -> None:
    templates = environment(lang)
    words = templates.get_template("games/sapiens/wording.txt").module
    errors = templates.get_template("wording/errors.txt").module
    told = str(errors.verdict(verdict, ["Ana", "Bruno"], 0, words))  # type: ignore[attr-defined]
    assert told.strip().startswith(said)
