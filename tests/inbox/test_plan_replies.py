"""What a match of a game with plans does with replies that hold some: good, wrong and ambiguous."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.core.schema import upgrade
from tests.inbox.kept import Kept, kept
from tests.inbox.plan_match import PlanTable

REPLIES = kept("plan_replies")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlanTable]:
    """The match that all of them answer."""
    folder = tmp_path_factory.mktemp("plans")
    upgrade(f"sqlite:///{folder / 'match.db'}")
    found = PlanTable(folder)
    yield found
    found.close()


def test_replies_with_plans_do_what_they_say(table: PlanTable) -> None:
    for mail in REPLIES:
        handled = table.receive(mail)
        assert handled.verdict == mail.facts["verdict"], mail.name
        assert table.played() == mail.facts["played"], mail.name
        assert table.on_file() == mail.facts["on_file"], mail.name
        assert len(table.world.letters(table.number, "answer")) == 1, mail.name


def test_the_answer_shows_a_checked_plan_in_words_and_tells_what_a_plan_did(
    table: PlanTable,
) -> None:
    """F§19.8: in either language, and then the turn goes on as planned."""
    by_name = {mail.name.partition("/")[2]: mail for mail in REPLIES}
    checked = table.answer(table.receive(by_name["gmail-en-check"]))
    assert checked.codes == ["checked"]
    assert "~ go Namib" in checked.text
    for said in ("Where something can be gathered: take", "you would still be asked at a forest"):
        assert said.casefold() in checked.said.casefold()
    played = table.answer(table.receive(by_name["gmail-en-move-and-plan"])).said
    assert "walked to the Namib" in played
    assert "into the light column" in played, "what the plan did is told with the turn"


def test_replies_with_plans_are_of_all_sorts() -> None:
    """At least forty, good and bad ones in both languages."""

    def found(lang: str, *verdicts: str) -> list[Kept]:
        return [
            mail
            for mail in REPLIES
            if f"-{lang}-" in mail.name and mail.facts["verdict"] in verdicts
        ]

    assert len(REPLIES) >= 40
    for lang in ("en", "fr"):
        assert len(found(lang, "played", "filed")) >= 10
        assert len(found(lang, "mend")) >= 4
        assert len(found(lang, "question")) >= 4
