"""Games that lie outside the product: found with their templates and catalogue, and gone again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest

from engine.games import games, register, unregister
from service.mail.render.letter_context import mail_environment
from service.render.templating import environment
from tests.engine.toy import GAME as TOY

NAME = "games/toy/pitch.txt"
CATALOGUE = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Hill and Ford"
msgstr "La colline et le gué"
"""


@pytest.fixture
def registered(tmp_path: Path) -> Iterator[None]:
    """The game with a template and a catalogue of its own."""
    template = tmp_path / "templates" / NAME
    template.parent.mkdir(parents=True)
    template.write_text("{{ _('Hill and Ford') }} {{ _('Rules') }}", encoding="utf-8")
    catalogue = tmp_path / "translations" / "fr" / "LC_MESSAGES" / "messages.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    register(TOY, str(tmp_path))
    yield
    unregister(TOY.key)


def test_a_registered_game_is_found_with_its_words(registered: None) -> None:
    assert games()["toy"] is TOY
    assert list(games()) == sorted(games(), key=lambda key: (games()[key].weight, key))
    assert environment("en").get_template(NAME).render() == "Hill and Ford Rules"
    for env in (environment("fr"), mail_environment("fr")):
        assert env.get_template(NAME).render() == "La colline et le gué Règles"


@pytest.mark.parametrize("of_letters", [False, True])
def test_the_product_carries_none_of_it(of_letters: bool) -> None:
    assert "toy" not in games()
    for lang in ("en", "fr"):
        env = mail_environment(lang) if of_letters else environment(lang)
        with pytest.raises(jinja2.TemplateNotFound):
            env.get_template(NAME)


def test_an_environment_is_made_once(registered: None) -> None:
    assert environment("fr") is environment("fr")
    assert mail_environment("fr") is mail_environment("fr")


def test_two_games_have_no_key_in_common(registered: None, tmp_path: Path) -> None:
    class Other(type(TOY)):  # type: ignore[misc]
        """Another game with this key."""

    with pytest.raises(ValueError, match="toy"):
        register(Other(), str(tmp_path))
