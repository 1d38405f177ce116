"""The gallery shows every letter and part of a page, and is not there in production."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.core.schema import upgrade
from service.dev.app import create_app
from service.dev.gallery.shown import kinds, spread
from service.dev.gallery.web import WIDTHS
from service.mail.render import KINDS
from service.render.templating import TEMPLATES
from tests.support.games import KNOWN
from tests.support.tables import Jobs, settings_for

LANGS = ("en", "fr")
TOGETHER = (KNOWN, "mammoths")
"""Games that together come to letters of every kind: one begins with one player's turn, the other
invites to file.
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    url = f"sqlite:///{tmp_path_factory.mktemp('gallery') / 'own.db'}"
    upgrade(url)
    return create_app(settings_for(url, GALLERY="1", FEATURED=KNOWN), Jobs())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def framed(source: str) -> list[str]:
    """The addresses of the frames of a page."""
    return [
        found.replace("&amp;", "&") for found in re.findall(r'<iframe[^>]* src="([^"]+)"', source)
    ]


def on_shelves(source: str) -> set[str]:
    """The kinds of letters that a page has links to."""
    return set(re.findall(r'href="/gallery/letters/(\w+)["?]', source))


def test_every_kind_of_letter_is_on_the_shelves(client: FlaskClient) -> None:
    folders = {path.parent.name for path in (TEMPLATES / "mail").glob("*/subject.txt")}
    assert folders == set(KINDS)
    kinds_of = {game: on_shelves(client.get(f"/gallery/?game={game}").text) for game in TOGETHER}
    assert set.union(*kinds_of.values()) == folders
    source = client.get("/gallery/").text
    small = framed(source)
    assert len(small) == len(kinds_of[KNOWN])
    assert "<html" in client.get(small[0], follow_redirects=True).text
    named = re.sub(r"<code.*?</code>", "", source)
    assert not re.search(r"</iframe></span>\s*</a>", named), "each has a name for people"


@pytest.mark.rarely("fire_and_stone")
@pytest.mark.parametrize("game", [KNOWN, "fire_and_stone"])
def test_no_letter_is_shown_that_the_game_never_sends(client: FlaskClient, game: str) -> None:
    assert "orders" not in on_shelves(client.get(f"/gallery/?game={game}").text)
    assert not framed(client.get(f"/gallery/letters/orders?game={game}").text)


@pytest.mark.rarely
@pytest.mark.parametrize("lang", LANGS)
def test_there_is_a_sample_of_every_letter(client: FlaskClient, lang: str) -> None:
    for kind in kinds():
        addresses = [f"/gallery/letters/{kind}?lang={lang}&game={game}" for game in TOGETHER]
        pages = [client.get(address) for address in addresses]
        assert {page.status_code for page in pages} == {200}
        frames = [frame for page in pages for frame in framed(page.text)]
        assert frames, f"nothing comes to a letter of the kind {kind}"
        letter = client.get(frames[0])
        assert letter.status_code == 200
        assert f'<html lang="{lang}">' in letter.text


@pytest.mark.parametrize("kind", ["turn", "reminder", "nudge", "answer", "digest"])
def test_letters_tell_the_deadline_they_had(client: FlaskClient, kind: str) -> None:
    """Also of what was decided in secret, and could be changed when the letter came to be shown."""
    frames = framed(client.get(f"/gallery/letters/{kind}?game=mammoths").text)
    assert frames
    for frame in frames[:: len(WIDTHS)]:
        letter = client.get(frame).text
        assert "no deadline" not in letter
        assert "clock is stopped" not in letter


def test_letters_and_parts_are_shown_by_day_and_by_night(client: FlaskClient) -> None:
    frame = framed(client.get("/gallery/letters/turn?scheme=dark").text)[0]
    assert "scheme=dark" in frame
    dark = client.get(frame).text
    assert "@media all{" in dark
    assert "prefers-color-scheme" not in dark
    assert '<meta name="color-scheme" content="dark">' in dark
    light = client.get(frame.replace("dark", "light")).text
    assert "@media not all{" in light
    assert "prefers-color-scheme" in client.get(frame.replace("dark", "own")).text
    assert "@media all {" in client.get("/gallery/dark.css").text
    assert "@media not all {" in client.get("/gallery/light.css").text


def test_pictures_can_be_off(client: FlaskClient) -> None:
    frame = framed(client.get("/gallery/letters/turn").text)[0]
    assert 'src="data:image/png;base64,' in client.get(frame).text
    off = client.get(frame.replace("pictures=on", "pictures=off")).text
    assert "data:image" not in off
    assert "cid:" not in off
    assert 'alt="' in off


@pytest.mark.rarely("en")
@pytest.mark.parametrize("lang", LANGS)
def test_every_class_of_the_style_sheet_that_parts_share_is_shown(
    client: FlaskClient, lang: str
) -> None:
    source = client.get(f"/gallery/parts/shown?lang={lang}").text
    shown = {name for names in re.findall(r'class="([^"]+)"', source) for name in names.split()}
    shared = {"button", "main", "plain", "card", "field", "hint", "notice", "good", "warning"}
    shared |= {"wrong", "chips", "pager", "scores", "story", "board", "plan", "suggested"}
    assert shared <= shown
    assert f'<html lang="{lang}">' in source
    assert 'class="spot' in source


def test_a_letter_runs_and_loads_nothing(client: FlaskClient) -> None:
    frame = framed(client.get("/gallery/letters/end").text)[0]
    policy = client.get(frame).headers["Content-Security-Policy"]
    assert policy.startswith("sandbox; default-src 'none'; img-src data:")
    assert "frame-src 'self'" in client.get("/gallery/parts").headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["letters/nothing", "letter/999999/html", "pink.css"])
def test_what_is_not_there_is_not_found(client: FlaskClient, address: str) -> None:
    assert client.get(f"/gallery/{address}").status_code == 404


@pytest.mark.parametrize(
    ("settings", "status"),
    [({}, 404), ({"MAILBOX": "1"}, 200), ({"MAILBOX": "1", "GALLERY": "0"}, 404)],
)
def test_it_is_there_outside_production_only(
    tmp_path: Path, settings: dict[str, str], status: int
) -> None:
    url = f"sqlite:///{tmp_path / 'own.db'}"
    upgrade(url)
    app = create_app(settings_for(url, **settings), Jobs())
    assert app.test_client().get("/gallery/").status_code == status


def test_samples_come_from_the_whole_story() -> None:
    assert spread([1, 2, 3], 4) == [1, 2, 3]
    assert spread(list(range(31)), 4) == [0, 10, 20, 30]
    assert spread([], 4) == []
