"""What is stored as a word is read as a type, and written as it was."""

from __future__ import annotations

import msgspec
import pytest

from service.core.results import Result
from service.core.statuses import Actor, Cause, MailVerdict
from service.core.verdicts import leaves
from service.mail.receive.mail_verdict import verdict_of


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("setup", Cause()),
        ("player", Cause(Actor.PLAYER)),
        ("default", Cause(Actor.CLOCK)),
        ("bot:greedy", Cause(Actor.BOT, "greedy")),
        ("bot:a:b", Cause(Actor.BOT, "a:b")),
    ],
)
def test_a_cause_is_its_text(text: str, cause: Cause) -> None:
    assert Cause.parse(text) == cause
    assert str(cause) == text


@pytest.mark.parametrize("text", ["", "bot", "bot:", "player:x", "default:", "setup:", "clock"])
def test_what_is_no_cause_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no cause of an entry"):
        Cause.parse(text)


@pytest.mark.parametrize("kind", [*leaves(Result)], ids=lambda kind: kind.__name__)
def test_every_result_of_a_mail_has_a_verdict(kind: type[Result]) -> None:
    default = {field.name: None for field in msgspec.structs.fields(kind) if field.required}
    assert verdict_of([kind(**default)]) in set(MailVerdict)
