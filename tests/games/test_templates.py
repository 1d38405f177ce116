"""What every game gives the service in templates (docs/adding-a-game.md): all of it is there, and
says and draws every position of whole matches, in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.chance import SeededChance
from engine.kit.presentation import Marks, Occasion, Wanted
from engine.protocol import Event, IllegalAction, Seat
from service.mail.render.letter_context import mail_environment
from service.render import pictures
from service.render.templating import LANGUAGES, TEMPLATES, environment, presentation_of
from tests.engine.contract.walks import SHOWN as GAMES
from tests.engine.contract.walks import Moment, met, sample, walk
from tests.engine.contract.walks import at_every_shown_table as at_every_table

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "service"
NAMES = ("Ana", "Bruno", "Chloé", "Dora", "Emil", "Fay")
MACROS: Mapping[str, Sequence[str]] = {
    "wording.txt": (
        "action",
        "advice",
        "colour",
        "error",
        "event",
        "gain",
        "grammar",
        "options",
        "phase",
        "score",
        "score_line",
        "story",
        "termination",
    ),
    "pitch.txt": ("bot", "called", "pitch", "title", "turns"),
    "letter.txt": ("SAID_AT_THE_END", "length", "numbers", "scoring"),
    "letter.html": ("owner", "standing"),
    "groups.txt": ("group",),
    "taps.txt": ("barred", "called", "prompt"),
    "icons.html": ("icon",),
}
"""What is imported of `templates/games/<game>/`."""
WHOLE = ("board.txt", "rules.en.html", "rules.fr.html")
"""What is rendered of it."""
DRAWN = ("alt.txt", "film.txt", "looks.svg")
"""What is in `templates/boards/<game>/`."""

of_every_game = pytest.mark.parametrize("key", GAMES)
in_both = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture
def undrawn() -> None:
    """Here pictures are drawn."""


def words(key: str, name: str, lang: str) -> Any:
    """The macros of one of a game's files."""
    return environment(lang).get_template(f"games/{key}/{name}").module


def plain(value: Any) -> Any:
    """A view or an action as templates have it."""
    return msgspec.to_builtins(value)


def told(events: Sequence[Event], me: Seat | None) -> list[dict[str, Any]]:
    """Events as templates have them, for one reader."""
    return [{"kind": e.kind, "seat": e.seat, "data": e.data} for e in events if e.is_for(me)]


def fit(text: str) -> str:
    """The text, which is finished: no placeholder, nothing that Python says of a value."""
    for leftover in ("%(", "None", "Undefined", "<built-in", "{{", "{'"):
        assert leftover not in text, text
    return text


def line(text: str) -> str:
    """The text, which is one line of finished words."""
    assert text
    assert text == text.strip()
    assert "\n" not in text
    assert "  " not in text
    return fit(text)


@of_every_game
@pytest.mark.parametrize("name", MACROS)
@in_both
def test_a_file_of_words_has_its_macros(key: str, name: str, lang: str) -> None:
    module = words(key, name, lang)
    assert [macro for macro in MACROS[name] if not hasattr(module, macro)] == []


@of_every_game
def test_every_file_is_there(key: str) -> None:
    known = environment("en").loader
    assert known is not None
    there = set(known.list_templates())
    needed = [*(f"games/{key}/{name}" for name in WHOLE), *(f"boards/{key}/{n}" for n in DRAWN)]
    assert [name for name in needed if name not in there] == []


def test_nothing_is_asked_for_that_nothing_shows() -> None:
    """A macro of a game's has its place in a letter or page; stories are made of `event`."""
    called = re.compile(
        r"\b(?:words|wording|pitch|about|other|position|ending|table|parts|groups|taps|icons)\.(\w+)"
    )
    shown = {
        macro
        for folder in (TEMPLATES / "mail", TEMPLATES / "pages", TEMPLATES / "wording", SERVICE)
        for path in folder.rglob("*.*")
        if path.suffix in (".html", ".txt", ".py")
        for macro in called.findall(path.read_text("utf-8"))
    }
    assert {macro for macros in MACROS.values() for macro in macros} - shown == {"event"}


def test_the_page_for_who_adds_a_game_names_all_of_it() -> None:
    said = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+(?:\.\w+)+)`|`(\w+)(?:\(|`)", said))
    told = {name for both in named for name in both if name}
    asked = {*MACROS, *WHOLE, *DRAWN, *(macro for macros in MACROS.values() for macro in macros)}
    assert asked - told == set()


@of_every_game
@in_both
def test_every_template_of_a_game_compiles(key: str, lang: str) -> None:
    names = [name for name in environment(lang).list_templates() if f"/{key}/" in name]
    for name in names:
        environment(lang).get_template(name)
    for name in names:
        if name.startswith("games/") and name.endswith((".txt", "/letter.html")):
            mail_environment(lang).get_template(name)


@at_every_table
@in_both
def test_every_event_and_action_of_a_match_is_told(key: str, seats: int, lang: str) -> None:
    game, say = GAMES[key], words(key, "wording.txt", lang)
    groups = words(key, "groups.txt", lang)
    for moment in _met(key, seats):
        for me in (None, *range(seats)):
            view = plain(game.view(moment.state, me))
            events = told(moment.step.events, me) if moment.step else []
            for event in events:
                line(say.event(event, NAMES, me))
            for chapter in {e.chapter for e in moment.step.events} - {""} if moment.step else ():
                line(say.chapter(chapter))
            fit(say.story(events, NAMES, me))
            fit(say.gain(events))
            for seat in range(seats):
                line(say.score_line(view, seat))
                line(say.score(view, seat))
        for decision in game.decisions(moment.state):
            view = plain(game.view(moment.state, decision.seat))
            line(say.phase(decision.kind))
            offered = [plain(action) for action in islice(decision.choices, 12)]
            fit(say.advice(decision.kind, view, offered))
            for action in offered:
                line(say.action(action, view, NAMES, decision.seat))
                line(groups.group(action))


@of_every_game
@in_both
def test_every_refusal_met_in_play_says_why(key: str, lang: str) -> None:
    say = words(key, "wording.txt", lang)
    refusals = list(_refused(key))
    assert refusals
    for seat, refusal in refusals:
        context = {**plain(refusal.context), "index": 0}
        line(say.error(refusal.code, refusal.rule, context, NAMES, seat))


@pytest.mark.rarely("en")
@at_every_table
@in_both
def test_positions_are_drawn_and_said(key: str, seats: int, lang: str) -> None:
    game, shown = GAMES[key], presentation_of(key)
    moments = [*sample(key, seats, 0, 3), walk(key, seats, 0)[-1]]
    marks = Marks(names=NAMES[:seats])
    for moment in moments:
        for reader in (None, 0, seats - 1):
            view = plain(game.view(moment.state, reader))
            occasion = Occasion.TURN if moment.decision else Occasion.END
            for wanted in shown.pictures(view, reader, occasion):
                given: dict[str, Any] = {"wanted": wanted, "marks": marks, "lang": lang}
                for each in pictures.board_alt(key, view, **given).splitlines():
                    line(each)
                text = fit(pictures.board_text(key, view, **given))
                assert max(map(len, text.splitlines())) <= 72
                svg = fit(pictures.board_svg(key, view, **given))
                assert svg.startswith("<svg")
            letter = mail_environment(lang).get_template(f"games/{key}/letter.html").module
            fit(getattr(letter, "standing")(view, NAMES[:seats], reader))  # noqa: B009
    view = plain(game.view(moments[1].state, 0))
    wanted = Wanted(reader=0)
    assert pictures.board_png(key, view, wanted=wanted, marks=marks, lang=lang)
    assert pictures.glance_svg(key, view, seat=0, lang=lang)
    public = plain(game.view(moments[1].state, None))
    assert pictures.card_png(key, public, shown=0, names=NAMES[:seats], lang=lang)


@at_every_table
@in_both
def test_a_whole_match_is_a_film_and_a_curve(key: str, seats: int, lang: str) -> None:
    moments = walk(key, seats, 0)
    views = [plain(GAMES[key].view(m.state, None)) for m in moments[:: max(1, len(moments) // 4)]]
    names = NAMES[:seats]
    assert pictures.film_gif(key, views, names=names, lang=lang)
    line(pictures.film_alt(key, views, names=names, lang=lang))
    if not pictures.has_plot(key):
        return
    for seat in (None, seats - 1):
        line(pictures.plot_alt(key, views, seat=seat, names=names, lang=lang))
        assert fit(pictures.plot_svg(key, views, seat=seat, names=names, lang=lang))
    assert pictures.plot_png(key, views, seat=0, names=names, lang=lang)


@of_every_game
@in_both
def test_a_game_is_introduced(key: str, lang: str) -> None:
    game, pitch = GAMES[key], words(key, "pitch.txt", lang)
    say, letter = words(key, "wording.txt", lang), words(key, "letter.txt", lang)
    for said in (pitch.title(), pitch.pitch(), pitch.turns(), letter.length(2)):
        line(said)
    grammar = say.grammar().splitlines()
    assert 3 <= len([line(rule) for rule in grammar]) <= 6
    line(letter.scoring())
    for bot in game.bots:
        line(pitch.bot(bot))
        line(pitch.called(bot))
    fit(say.options(plain(game.options_type())))
    colours = [line(say.colour(seat)) for seat in range(game.seats[-1])]
    assert len({colour[0] for colour in colours}) == len(colours), "initials tell seats apart"
    for seats in game.seats:
        state = walk(key, seats, 0)[-1].state
        view = plain(game.view(state, None))
        outcome = game.outcome(state)
        assert outcome is not None
        # Empty where the result says it.
        line(say.termination(outcome.termination) or say.result(view, NAMES, 0, outcome.winners))
        # Empty where the standing says it all.
        for numbers in filter(None, (letter.numbers(view, seat) for seat in range(seats))):
            line(numbers)


@of_every_game
def test_french_says_nothing_in_english(key: str) -> None:
    """What is longer than a name is said in other words."""
    spoken = {lang: list(_spoken(key, lang)) for lang in LANGUAGES}
    assert len(spoken["en"]) == len(spoken["fr"])
    same = {
        english
        for english, french in zip(spoken["en"], spoken["fr"], strict=True)
        if english == french and len(re.findall(r"[^\W\d_]{2,}", english)) > 1
    }
    assert same - {words(key, "pitch.txt", "en").title()} == set()


def _refused(key: str) -> Iterator[tuple[Seat, IllegalAction]]:
    """What is refused of actions that were offered elsewhere."""
    game = GAMES[key]
    seats = game.seats[0]
    for moment in (*sample(key, seats, 1, 12), walk(key, seats, 1)[-1]):
        for seat in range(seats):
            for action in met(key):
                try:
                    game.apply(moment.state, seat, action, SeededChance(b"tried"))
                except IllegalAction as refusal:
                    yield seat, refusal


def _spoken(key: str, lang: str) -> Iterator[str]:
    game, say = GAMES[key], words(key, "wording.txt", lang)
    pitch, groups = words(key, "pitch.txt", lang), words(key, "groups.txt", lang)
    yield from (pitch.title(), pitch.pitch(), say.grammar())
    for seats in game.seats:
        for moment in _met(key, seats):
            for me in (None, 0):
                for event in told(moment.step.events, me) if moment.step else ():
                    yield say.event(event, NAMES, me)
            for decision in game.decisions(moment.state):
                view = plain(game.view(moment.state, decision.seat))
                yield say.phase(decision.kind)
                for action in islice(decision.choices, 6):
                    yield groups.group(plain(action))
                    yield say.action(plain(action), view, NAMES, decision.seat)


@cache
def _met(key: str, seats: int) -> tuple[Moment, ...]:
    """The moments of a match in which something is told or asked for the first time, and the last;
    each kind of it in any of three matches.
    """
    known: set[Any] = set()
    found = []
    for number in range(3):
        moments = walk(key, seats, number)
        for moment in moments:
            kinds: set[Any] = {e.kind for e in moment.step.events} if moment.step else {"the end"}
            if moment.decision is not None:
                kinds |= {("asked", moment.decision.kind), type(moment.action).__name__}
            if not kinds <= known:
                known |= kinds
                found.append(moment)
    return tuple(found)
