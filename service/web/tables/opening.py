"""Opening a table: who sits where, how fast, on which board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import inspect

from engine.fairness import PART_BYTES
from engine.games import games
from engine.protocol import Game, new_options
from service.core import randomness
from service.core.errors import Refused
from service.core.featured import featured_game
from service.core.names import BadAddress, clean_address
from service.core.plain import whole_number
from service.core.statuses import TimeoutPolicy
from service.core.verdicts import JsonObject
from service.matches import punctuality
from service.matches.fairness import part_typed
from service.matches.opening import commitment, open_once
from service.matches.opponents import middling
from service.matches.punctuality import Punctuality
from service.matches.tables import BotSeat, Guest, OpenSeat, Place
from service.players.pasted import Named, line_of, named
from service.render import bots
from service.render.boards import game_for_tables
from service.render.templating import LANGUAGES, environment
from service.time.terms import BANKS, INCREMENTS, PACES, Terms, timeout_policy
from service.web import identity, language
from service.web.errors import shown_again_by
from service.web.fields import Form
from service.web.here import service
from service.web.identity import members_only, to_sign_in
from service.web.rendering import page
from service.web.security import scripted
from service.web.tables import like

blueprint = Blueprint("tables", __name__)

# A new form: three days a turn on every weekday, five minutes to think better of a turn
USUAL = {
    "clock": "turn",
    "pace": "3",
    "bank": "10",
    "increment": "12",
    "timeout": TimeoutPolicy.WAIT,
    "hold": "5",
}
WEEKDAYS = range(7)
PACE_CHOICES = (1, 2, 3, 4, 5, 7, 10, 14, 21, 30)
TAKE_BACK = (0, 5, 30, 120)
GUEST, OPEN, BOT = "guest", "open", "bot:"


class Way(StrEnum):
    """A way to fill the seats: a link to hand on, guests by email, bots, or seat by seat."""

    LINK = "link"
    MAIL = "mail"
    BOTS = "bots"
    SEATS = "seats"


def _game(key: str) -> Game[Any, Any]:
    """The game that was asked for, or the featured one."""
    settings = service().settings
    return game_for_tables(settings, key if key in games() else featured_game(settings))


def _seats(game: Game[Any, Any]) -> range:
    """The seats besides the host's."""
    return range(1, game.seats.stop - 1)


def _choices(game: Game[Any, Any]) -> dict[str, bool]:
    """The game's options by field of the form, and whether several values can be chosen."""
    return {
        f"option-{field.name}": isinstance(
            inspect.type_info(field.type), (inspect.VarTupleType, inspect.ListType)
        )
        for field in msgspec.structs.fields(game.options_type)
    }


def _form(game: Game[Any, Any]) -> Form:
    seats = [
        f"seat{n}-{field}" for n in _seats(game) for field in ("who", "name", "address", "lang")
    ]
    choices = _choices(game)
    return Form(
        {"game", "nonce", *USUAL},
        [
            "way",
            "players",
            "bot",
            "guests",
            "part",
            "name",
            "greeting",
            *seats,
            *(name for name, several in choices.items() if not several),
        ],
        ["playing", *(name for name, several in choices.items() if several)],
    )


def _show(
    game: Game[Any, Any],
    typed: dict[str, str],
    several: dict[str, list[str]],
    problem: Refused | None = None,
    status: int = 200,
    punctual: dict[str, Punctuality | None] | None = None,
    left_out: Sequence[str] = (),
) -> Response:
    # A form of somebody else's may lack a field; the page shows the usual value then.
    typed = USUAL | typed
    options = f"games/{game.key}/options.html"
    known = environment(language.current()).loader
    host = identity.reader_id()
    assert host is not None
    nonce = typed.get("nonce") or randomness.token_hex(12)
    wrong = _wrong(game, typed, problem)
    shown = page(
        "table_new",
        status,
        game=game,
        typed=typed,
        several=several,
        defaults=new_options(game),
        problem=problem,
        wrong=[f"seat{n}-address" for n in wrong],
        wrong_seat=wrong[0] if wrong else None,
        nonce=nonce,
        commitment=commitment(service(), host, nonce),
        drawn=randomness.token_hex(PART_BYTES),
        places=_seats(game),
        way=_way(typed),
        middling=middling(game),
        punctual=punctual or {},
        left_out=left_out,
        paces=_paces(typed),
        table_of=max(game.seats.start, min(3, game.seats.stop - 1)),
        usual=USUAL,
        banks=range(BANKS.start // 24, BANKS.stop // 24 + 1),
        increments=INCREMENTS,
        weekdays=WEEKDAYS,
        policies=list(TimeoutPolicy),
        take_back=TAKE_BACK,
        guest_languages=LANGUAGES,
        options=options if known and options in known.list_templates() else None,
    )
    return scripted(shown)


def _way(typed: Mapping[str, str]) -> Way:
    """The way that was chosen; of an address or a form that names none, a link."""
    asked = typed.get("way", "")
    return Way(asked) if asked in set(Way) else Way.LINK


def _paces(typed: dict[str, str]) -> list[str]:
    """The paces to choose from, and one of another form that was typed."""
    known = [str(days) for days in PACE_CHOICES if days in PACES]
    other = typed.get("pace", "")
    return known if not other or other in known else [*known, other]


def _wrong(game: Game[Any, Any], typed: dict[str, str], problem: Refused | None) -> list[int]:
    """The seats whose addresses the refusal is about; of addresses that are none, all."""
    if problem is None:
        return []
    if problem.code == "no_guest":
        return [1]
    typed_at = {n: typed.get(f"seat{n}-address", "") for n in _seats(game)}
    if problem.code == "bad_address":
        guests = [n for n in typed_at if typed.get(f"seat{n}-who") == GUEST]
        return [n for n in guests if not _is_address(typed_at[n])]
    address = str(problem.context.get("address", "")).casefold()
    return [n for n in typed_at if address and typed_at[n][:100].casefold() == address]


def _is_address(text: str) -> bool:
    try:
        clean_address(text)
    except BadAddress:
        return False
    return True


@blueprint.get("/tables/new")
@members_only
def form() -> Response:
    """The form, with as many guests as the game needs; the games to choose from, where there are
    several and none is chosen.
    """
    asked = request.args.get("game", "")
    if len(games()) > 1 and asked not in games():
        return page("table_game")
    game = _game(asked)
    needed = {f"seat{n}-who": GUEST for n in range(1, game.seats.start)}
    way = {"way": request.args.get("way", "")}
    several = {"playing": [str(day) for day in WEEKDAYS]}
    again = _like(game, request.args.get("like", ""))
    if again is not None:
        return _show(game, again.typed, again.several, left_out=again.left_out)
    return _show(game, needed | way | USUAL, several)


def _like(game: Game[Any, Any], code: str) -> like.Filled | None:
    """The form as for the reader's table of this code that was called off; None for no such
    table.
    """
    host = identity.reader_id()
    if not code.isalnum() or host is None:
        return None
    with service().database.read() as database:
        return like.filled(database, code, host, game, _choices(game))


def _again() -> ResponseReturnValue:
    game = _game(request.form.get("game", ""))
    if identity.reader() is None:
        return to_sign_in(url_for("tables.form", game=game.key))
    typed = _form(game)
    return _show(game, typed.filled, typed.several, Refused("stale_form"), 400)


@blueprint.post("/tables/new")
@shown_again_by(_again)
@members_only
def open_table() -> ResponseReturnValue:
    """Open the table, once for every form shown."""
    host = identity.reader_id()
    assert host is not None
    game = _game(request.form.get("game", ""))
    typed = _form(game)
    shown = typed.filled
    try:
        places, left, shown = _read(game, typed)
        if typed["game"] not in games():
            raise Refused("unknown_game", game=typed["game"][:40])
        others = _others(game, places, left, language.current())
        code = open_once(
            service(),
            host,
            typed["nonce"],
            game.key,
            others,
            _terms(typed),
            _options(game, typed),
            part_typed(typed["part"]),
            name=typed["name"],
            greeting=typed["greeting"],
        )
    except Refused as refused:
        return _show(game, shown, typed.several, refused, 400)
    # A link that is to be handed on is on the page of the host.
    open_seats = any(isinstance(other, OpenSeat) for other in others)
    to = "host.form" if open_seats else "match.seat"
    return redirect(url_for(to, code=code, number=0), 303)


@blueprint.post("/tables/new/look")
@shown_again_by(_again)
@members_only
def look() -> ResponseReturnValue:
    """The form again, with how punctual those guests are who let hosts know it. Nobody is
    invited.
    """
    game = _game(request.form.get("game", ""))
    typed = _form(game)
    shown = typed.filled
    try:
        *_, shown = _read(game, typed)
    except Refused as refused:
        return _show(game, shown, typed.several, refused, 400)
    names = [f"seat{n}" for n in _seats(game) if shown.get(f"seat{n}-who") == GUEST]
    with service().database.read() as database:
        found = {
            name: punctuality.told_of(database, address)
            for name in names
            if (address := shown.get(f"{name}-address", ""))
        }
    return _show(game, shown, typed.several, punctual=found)


def _read(game: Game[Any, Any], typed: Form) -> tuple[dict[str, str], list[Named], dict[str, str]]:
    """As `_seated`, and the fields as they are shown again. Raises Refused("bad_form")."""
    # Before anything is read: what is too long would take its time.
    typed.check()
    places, left = _seated(game, typed)
    return places, left, places | {"guests": "\n".join(line_of(who) for who in left)}


def _seated(game: Game[Any, Any], typed: Form) -> tuple[dict[str, str], list[Named]]:
    """The fields with those whose addresses were pasted on seats of their own, in order, and those
    for whom there is none left.
    """
    fields = typed.filled
    way = _way(fields)
    if way in (Way.LINK, Way.BOTS):
        return fields, []
    if way == Way.MAIL:
        # An address is a guest; the seats that the game cannot do without wait for one.
        fields |= {
            f"seat{n}-who": GUEST if n < game.seats.start or fields.get(f"seat{n}-address") else ""
            for n in _seats(game)
        }
    guests = named(typed["guests"])
    for n in _seats(game):
        who, address = fields.get(f"seat{n}-who", ""), fields.get(f"seat{n}-address", "")
        if guests and not address and who in ("", GUEST):
            guest = guests.pop(0)
            fields |= {f"seat{n}-who": GUEST, f"seat{n}-address": guest.address}
            fields[f"seat{n}-name"] = fields.get(f"seat{n}-name") or guest.name
            fields.setdefault(f"seat{n}-lang", language.current())
    return fields, guests


def _others(
    game: Game[Any, Any], typed: dict[str, str], left: list[Named], lang: str
) -> list[Place]:
    """Who else sits at the table; those who are left make it too large, which is said so."""
    others: list[Place] = []
    way = _way(typed)
    if way in (Way.LINK, Way.BOTS):
        count = min(_whole(typed.get("players", "")), game.seats.stop) - 1
        bot = typed.get("bot", "")[:40]
        return [
            BotSeat(bot=bot, name=called(game, bot)) if way == Way.BOTS else OpenSeat()
            for _ in range(count)
        ]
    if (
        way == Way.MAIL
        and not left
        and not any(typed.get(f"seat{n}-address") for n in _seats(game))
    ):
        raise Refused("no_guest")
    for n in _seats(game):
        who, name, address, lang = (
            typed.get(f"seat{n}-{field}", "") for field in ("who", "name", "address", "lang")
        )
        if who.startswith(BOT):
            bot = who.removeprefix(BOT)[:40]
            others.append(BotSeat(bot=bot, name=name or called(game, bot)))
        elif who == OPEN and not address:
            others.append(OpenSeat())
        elif who == GUEST:
            others.append(Guest(address=address, name=name, lang=lang))
        elif who not in ("", OPEN):
            raise Refused("bad_form", problem="foreign", field=f"seat{n}-who")
        elif address:
            # Somebody typed an address and left the seat empty: a guest nobody would ask.
            raise Refused("empty_seat", address=address[:100])
    return [*others, *(Guest(address=who.address, name=who.name, lang=lang) for who in left)]


def called(game: Game[Any, Any], bot: str) -> str:
    """The game's name for this bot in the language of the page; "" for one it does not have."""
    if bot not in game.bots:
        return ""
    return bots.called(game.key, bot, language.current())


def _terms(typed: Form) -> Terms:
    """What was agreed on about time. Raises Refused for what cannot be read as such."""
    days = {str(day) for day in WEEKDAYS}
    for day in typed.all("playing"):
        if day not in days:
            raise Refused("bad_form", problem="foreign", field="playing")
    banked = typed["clock"] == "bank"
    return Terms(
        pace_days=0 if banked else _whole(typed["pace"]),
        bank_hours=24 * _whole(typed["bank"]) if banked else None,
        increment_hours=_whole(typed["increment"]) if banked else None,
        playing_days=sum(1 << int(day) for day in set(typed.all("playing"))),
        timeout=timeout_policy(typed["timeout"]),
        hold_minutes=_whole(typed["hold"]),
    )


def _whole(text: str) -> int:
    """A whole number as it was typed; what is none is out of every range."""
    found = whole_number(text)
    return -1 if found is None else found


def _options(game: Game[Any, Any], typed: Form) -> JsonObject:
    """The options that were chosen; what is left open is the rulebook's."""
    chosen = {
        name.removeprefix("option-"): typed.all(name) if several else typed[name]
        for name, several in _choices(game).items()
    }
    return {name: value for name, value in chosen.items() if value}
