"""The product with any one game alone, and with several, whichever is the lightest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from engine.games import games
from engine.kit.lessons import HasLesson
from service.cli.tables import open_table
from service.core.settings import SettingsError
from service.dev.demonstration import demo
from service.render.templating import TEMPLATES, TRANSLATIONS, environment
from tests.engine.toy import GAME as TOY
from tests.support.games import KNOWN, Outside, offered, twin
from tests.support.tables import settings_for
from tests.support.undrawn import not_drawn
from tests.toy import FOLDER
from tests.web.conftest import Site
from workers.runtime import warm_up

BEFORE, AFTER = "aaa", TOY.key
"""Keys that sort before those of the product's games, and after."""


COPY = "copy"
"""The key of a game with the rules of one of the product's."""


class Offer(NamedTuple):
    """Games besides the product's or instead of them, and the setting FEATURED."""

    besides: tuple[str, ...] = ()
    alone: bool = False
    featured: str = ""


OFFERS = {
    "the product's": Offer(),
    "the toy alone": Offer((AFTER,), alone=True),
    "the toy first": Offer((BEFORE,)),
    "the toy last": Offer((AFTER,)),
    "the last featured": Offer((BEFORE, AFTER), featured=AFTER),
}

USUAL = ("the product's", "the toy last")
"""Where each game is opened and its letters are sent in `make test`, too: which of them is first
or featured changes neither.
"""


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outside]:
    """The toy game, which sorts after the product's, and the same that sorts before them."""
    toy = Outside(TOY, FOLDER)
    return {AFTER: toy, BEFORE: twin(toy, BEFORE, tmp_path_factory.mktemp("toys"))}


@pytest.fixture(params=OFFERS)
def offer(request: pytest.FixtureRequest, toys: dict[str, Outside]) -> Iterator[Offer]:
    """The games there are."""
    chosen = OFFERS[request.param]
    with offered([toys[key] for key in chosen.besides], alone=chosen.alone):
        yield chosen


@pytest.fixture
def featured(offer: Offer) -> str:
    """The game that is to be shown to newcomers."""
    return offer.featured or next(iter(games()))


@pytest.fixture
def undrawn() -> Iterator[None]:
    """Letters tell what their pictures would be of: `tests/games/test_templates.py` draws those of
    each game.
    """
    with not_drawn(pages=True):
        yield


@pytest.fixture
def offering(make_site: Callable[..., Site], offer: Offer) -> Site:
    """The pages with these games."""
    return make_site(FEATURED=offer.featured, GALLERY="1")


def title(key: str) -> str:
    """What a game is called."""
    return str(environment("en").get_template(f"games/{key}/pitch.txt").module.title())  # type: ignore[attr-defined]


def test_the_front_page_shows_the_featured_game_and_lists_all(
    offering: Site, featured: str
) -> None:
    reader = offering.reader()
    front = reader.get("/")
    assert f"A position from a game of {title(featured)}," in front.text
    assert f"/board.png?game={featured}&" in front.source.replace("&amp;", "&")
    assert ("The beginning of a real letter." in front.text) == (
        f"/letters/{featured}.en" in front.source
    )
    drawn = {key: reader.client.get(f"/board.png?game={key}").data for key in games()}
    assert reader.client.get("/board.png").data == drawn[featured]
    assert all(f"/board.svg?game={key}&" in front.source.replace("&amp;", "&") for key in games())
    for address in ("/", "/rules"):
        page = reader.get(address)
        for key in games():
            assert f"/play/{key}" in [to for _, to in page.links], (address, key)
            assert title(key) in page.text
    for key in games():
        assert reader.get(f"/rules/{key}").status == 200


def test_every_game_is_played_against_a_bot_after_one_press(offering: Site) -> None:
    reader = offering.signed_in("zoe@example.org")
    for key in games():
        page = reader.press(reader.get(f"/play/{key}").form(f"/play/{key}"))
        assert page.status == 200, key
        assert "/m/" in reader.at, key
        learnt = isinstance(games()[key], HasLesson)
        assert reader.get(f"/learn/{key}").status == (200 if learnt else 404)
        assert (f'href="/learn/{key}"' in reader.get("/").source) == learnt


@pytest.mark.parametrize(
    "offer",
    [pytest.param(name, marks=[] if name in USUAL else [pytest.mark.rarely]) for name in OFFERS],
    indirect=True,
)
@pytest.mark.usefixtures("undrawn")
def test_every_game_is_opened_by_its_form_and_sends_its_letters(offering: Site) -> None:
    host = offering.signed_in("ana@example.org")
    for key, game in games().items():
        page = host.get("/tables/new")
        if len(games()) > 1:
            assert not [form for form in page.forms if form.action == "/tables/new"]
            assert f"/tables/new?game={key}" in [to for _, to in page.links]
            page = host.get(f"/tables/new?game={key}")
        form = page.form("/tables/new")
        assert form["game"] == key
        form.put("way", "seats")
        places = [name for name, _ in form.choices if name.endswith("-who")]
        assert places == [f"seat{n}-who" for n in range(1, game.seats[-1])]
        for n in range(1, game.seats[-1]):
            form.put(f"seat{n}-who", f"bot:{next(iter(game.bots))}")
        form.put("seat1-who", "guest")
        form.put("seat1-address", f"bruno.{key}@example.org")
        form.put("seat1-lang", "fr")
        assert host.press(form).status == 200
        match_id = max(letter.match_id or 0 for letter in offering.letters(kind="invitation"))
        assert offering.match(match_id).game == key
        offering.hear(mail=True)
        offering.everybody_accepts(match_id)
        offering.hear(mail=True)
        sent = {letter.kind for letter in offering.letters(match_id) if letter.status == "sent"}
        # Where all are asked at once there is nobody who only hears that it begins.
        assert {"invitation", "turn"} <= sent <= {"invitation", "start", "turn"}
        called = offering.match(match_id).name
        subjects = [
            message_from_bytes(raw, policy=default)["Subject"] for *_, raw in offering.post.sent
        ]
        assert any(f"{called}: {title(key)}" in subject for subject in subjects)


def test_the_demonstration_is_of_the_featured_game(offering: Site, featured: str) -> None:
    service = offering.service
    with service.database.write() as work:
        match = demo(service, work, "you@example.org", "You", "en")
        assert match is not None
        assert match.game == featured


@pytest.mark.parametrize("seats", [range(2, 3), range(5, 7)])
def test_a_game_for_few_or_many_is_demonstrated(
    make_site: Callable[..., Site], tmp_path: Path, seats: range
) -> None:
    """At the front page's board and at a table, with as many as it is for."""
    shaped = twin(Outside(TOY, FOLDER), f"from{seats[0]}", tmp_path)
    vars(shaped.game)["seats"] = seats
    with offered([shaped], alone=True):
        site = make_site(GALLERY="1")
        assert f"A position from a game of {title(shaped.game.key)}," in site.reader().get("/").text
        with site.service.database.write() as work:
            match = demo(site.service, work, "you@example.org", "You", "en")
            assert match is not None
            assert len(match.invitees) == seats[0]
        opened = site.signed_in("you@example.org").get("/tables/new")
        sizes = dict(opened.form("/tables/new").choices)["players"]
        assert sizes == [str(size) for size in seats]


@pytest.mark.rarely
@pytest.mark.slow
def test_the_gallery_shows_a_game_for_many(make_site: Callable[..., Site], tmp_path: Path) -> None:
    many = twin(Outside(TOY, FOLDER), "many", tmp_path)
    vars(many.game)["seats"] = range(5, 7)
    with offered([many], alone=True):
        letter = make_site(GALLERY="1").reader().get("/gallery/letters/turn")
        assert 'src="/gallery/letter/' in letter.source


def test_a_form_that_names_no_game_is_of_the_featured_one(offering: Site, featured: str) -> None:
    reader = offering.signed_in("ana@example.org")
    form = reader.get(f"/tables/new?game={featured}").form("/tables/new")
    form.put("game", "poker")
    page = reader.press(form)
    assert "There is no game called" in page.text
    assert page.form("/tables/new")["game"] == featured


def test_workers_prepare_every_game(toys: dict[str, Outside]) -> None:
    with offered([toys[AFTER]], alone=True):
        warm_up()


def test_the_help_of_a_command_has_an_example_for_each_game(offer: Offer) -> None:
    said = CliRunner().invoke(open_table, ["--help"]).output
    for key in games():
        assert f"Game {key}:" in said
        assert f"paleopost open-table {key} --host" in said


def test_an_unknown_game_cannot_be_featured(offer: Offer, sqlite_url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_for(sqlite_url, FEATURED="poker")
    known = ", ".join(games())
    assert str(caught.value) == f"FEATURED: there is no game 'poker'; there are: {known}"


@pytest.mark.rarely
@pytest.mark.slow
def test_the_gallery_shows_each_game(make_site: Callable[..., Site], tmp_path: Path) -> None:
    product, folder = tmp_path / "product", tmp_path / "twin"
    product.mkdir()
    (product / "templates").symlink_to(TEMPLATES)
    (product / "translations").symlink_to(TRANSLATIONS)
    with offered([twin(Outside(games()[KNOWN], product), COPY, folder)]):
        reader = make_site(GALLERY="1").reader()
        page = reader.get(f"/gallery/letters/turn?game={COPY}")
        assert title(COPY) in page.source.split('id="letter-')[1].split("</h2>")[0]
        frame = page.source.split('src="/gallery/letter/')[1].split('"')[0]
        assert reader.get("/gallery/letter/" + frame.replace("&amp;", "&")).status == 200
        shown = f"/gallery/parts/shown/{COPY}"
        assert shown in reader.get(f"/gallery/parts?game={COPY}").source
        assert f'href="{shown}?' in reader.get(shown).source
        for key in games():
            assert f"/gallery/?game={key}&scheme=own&pictures=on" in [
                to for _, to in reader.get("/gallery/").links
            ]
