"""The end of a turn: survival, births, sowing, tricks, victory (M§11 to M§13, M§15.4)."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec.structs import asdict

from engine.kit.tuples import place_in
from engine.mammoths import losses
from engine.mammoths.actions import Births, Feast, Sow, Stores, Unfed
from engine.mammoths.components import CAMPS_TO_WIN, SEASON_TURNS, Hex, Sex
from engine.mammoths.moving import sowable
from engine.mammoths.ranking import standing
from engine.mammoths.table import Facts, Table
from engine.protocol import Seat

_DRIED_MEAT: Final = 4
_DRIED_MEAT_WITH_FIRE: Final = 6
_FISH_RUN: Final = 4
_SOW_WITH: Final = 3
"""By default a tribe sows while it has so much food (M§13.2)."""


def rest_of_turn(table: Table) -> None:
    """Phases 6 to 10. Raises Over."""
    table.chapter = "survival"
    _survive(table)
    if table.state.last_turn:
        table.chapter = "births"
        _give_birth(table)
    table.chapter = "dusk"
    if table.state.last_turn and table.state.season == "winter":
        _sow(table)
    if table.state.last_turn:
        _draw(table)
    _end(table)


# Survival


class _Income(NamedTuple):
    """What a tribe's hexes give: 1 fish each of those that have fish."""

    fish: int
    forage: int
    harvest: int


def fishes(table: Table, at: Hex, seat: Seat) -> bool:
    """True if a hex gives fish to this tribe now (M§11.1)."""
    place, event = table.board.places[at], table.state.event
    holder = table.has_fire(seat)
    if event == "N02" and not holder:
        return False
    if place.lakeside:
        return True
    if event == "N01" and not holder:
        return False
    return place.great or (place.small and "S08" not in table.state.lasting)


def forage(table: Table, at: Hex) -> int:
    """The food that foraging gives on a hex now."""
    if table.board.places[at].terrain != "forest" or table.closed.get(at) == "flood":
        return 0
    if table.state.season == "summer":
        return 2 if "S11" in table.state.lasting else 1
    return int(table.state.event == "N11")


def income(table: Table, seat: Seat) -> _Income:
    """The income of the hexes a tribe occupies."""
    hexes = table.hexes_of(seat)
    fishing = sum(fishes(table, at, seat) for at in hexes)
    harvest = 0
    if table.state.season == "summer" and table.state.last_turn:
        two, one = (10, 5) if "S03" in table.state.lasting else (8, 4)
        harvest = sum(two if table.fields[at] == 2 else one for at in hexes if at in table.fields)
    return _Income(fishing, sum(forage(table, at) for at in hexes), harvest)


def cost(table: Table, seat: Seat, spared: int = 0) -> int:
    """The upkeep of a tribe, of which so many pawns cost nothing, the dearest first (M§11.2)."""
    holder = table.has_fire(seat)
    cold = table.options.fire_rules and table.state.season == "winter" and not holder
    pawns = max(0, table.total(seat) - spared)
    food = 3 * pawns // 2 if cold else pawns
    if table.state.event == "N08" and not holder:
        there = (at for at in table.hexes_of(seat) if not table.owns_camp(at, seat))
        food += max(0, sum(table.count(at, seat) for at in there) - spared)
    return food


def _survive(table: Table) -> None:
    for seat in table.on_map():
        table.breath()
        _settle(table, seat)
    if table.state.season == "summer" and table.state.last_turn:
        for at in sorted(table.fields):
            table.lose_ears(at, 2, "harvest")
    table.loss_check("starvation")
    table.check_end()


def _settle(table: Table, seat: Seat) -> None:
    """One settlement: income, cost, and who starves (M§11.3)."""
    gained = income(table, seat)
    before = table.tribes[seat].all_food
    fish = gained.fish
    unfed = table.order_of(seat, Unfed)
    for at, sex in losses.pawn_by_pawn(unfed.pawns) if unfed else []:
        if table.of_sex(at, seat, sex):
            table.kill(at, seat, sex, "unfed")

    def have() -> int:
        return before + fish + gained.forage + gained.harvest

    spared = 0
    for title in ("T15", "T14"):
        order = next(
            (o for o in table.orders_of(seat) if isinstance(o, Stores) and o.title == title), None
        )
        trigger = order.trigger if order else "starving"
        drop = order.drop if order else ""
        copies = table.tribes[seat].hand.count(title)
        for used in range(min(copies, 1) if title == "T15" else copies):
            starving = cost(table, seat, spared) > have()
            if trigger == "never" or not (starving or (trigger == "always" and not used)):
                break
            if title == "T15":
                if not gained.fish:
                    break
                fish += min(_FISH_RUN, gained.fish)
            else:
                spared += _DRIED_MEAT_WITH_FIRE if table.has_fire(seat) else _DRIED_MEAT
            table.play_card(seat, title, drop=drop)
    plan = losses.starvation_plan(table, seat)
    while cost(table, seat, spared) > have():
        at, sex = losses.next_to_starve(table, seat, plan)
        table.kill(at, seat, sex, "starved")
    paid = cost(table, seat, spared)
    table.gain(seat, fish + gained.forage, gained.harvest)
    table.spend(seat, paid)
    fed, after = table.total(seat), table.tribes[seat].all_food
    told: Facts = {"before": before, **gained._replace(fish=fish)._asdict(), "cost": paid}
    table.tell("settled", seat, **told, fed=fed, after=after, spared=min(spared, fed))


# Births


def _give_birth(table: Table) -> None:
    for seat in table.on_map():
        numbers = {at: births_in(table, at, seat) for at in table.camps_of(seat)}
        order = table.order_of(seat, Births)
        wanted = order.hexes if order else ()
        camps = sorted(
            numbers, key=lambda at: (place_in(wanted, at), table.of_sex(at, seat, "f"), at)
        )
        feasts = {o.at: o for o in table.orders_of(seat) if isinstance(o, Feast)}
        for at in camps:
            table.breath()
            feast = feasts.get(at)
            if feast is not None and "T17" in table.tribes[seat].hand and numbers[at]:
                table.play_card(seat, "T17", (at,), at, feast.drop)
                other: Sex = "f" if feast.sex == "w" else "w"
                _born(table, at, seat, feast.sex, "T17", other)
            for _ in range(numbers[at]):
                _birth(table, at, seat)


def births_in(table: Table, at: Hex, seat: Seat) -> int:
    """The births of a camp (M§12.1, M§17.3)."""
    w, f = table.at(at, seat)
    if table.options.births_need_man:
        return f if w else 0
    return min(f, 2)


def _birth(table: Table, at: Hex, seat: Seat) -> None:
    die = table.chance.below("birth", 6) + 1
    twins: tuple[int, ...] = ()
    if die == 6:
        twins = tuple(table.chance.below("twin", 6) + 1 for _ in range(2))
    table.tell("birth_rolled", seat, (at,), die=die, twins=twins)
    for rolled in twins or (die,):
        _born(table, at, seat, "f" if rolled <= 2 else "w", "twin" if twins else "die")


def _born(
    table: Table, at: Hex, seat: Seat, sex: Sex, how: str, instead: Sex | None = None
) -> None:
    sex = sex if table.in_hand(seat, sex) else instead or sex
    if not table.in_hand(seat, sex):
        table.tell("birth_cancelled", seat, (at,), sex=sex)
        return
    table.add(at, seat, w=sex == "w", f=sex == "f")
    table.tell("child_born", seat, (at,), sex=sex, how=how)


# Sowing, tricks, end


def _sow(table: Table) -> None:
    for seat in table.on_map():
        if seat in table.state.sown:
            continue
        table.breath()
        order = table.order_of(seat, Sow)
        for at in order.hexes if order else sowable(table, seat):
            least = 1 if order else _SOW_WITH
            if at in sowable(table, seat) and table.tribes[seat].all_food >= least:
                table.sow(at, seat, 1)


def hand_limit(seats: int) -> int:
    """Tricks in a hand, the whole game through (RULING 24)."""
    return 5 if seats <= 4 else 4


def _draw(table: Table) -> None:
    limit = hand_limit(len(table.tribes))
    below = [seat for seat in table.on_map() if len(table.tribes[seat].hand) < limit]
    drawn = table.draw_tricks(below, 1)
    table.breath()
    told = tuple((seat, len(titles)) for seat, titles in drawn.items())
    table.tell("tricks_counted", drawn=told, pile=len(table.state.deck))
    for seat, titles in drawn.items():
        if titles:
            table.tell("trick_received", seat, only=seat, titles=titles)


def _end(table: Table) -> None:
    if table.options.food_spoils:
        _spoil(table)
    _announce(table)
    _turn_season(table)


def _spoil(table: Table) -> None:
    """All food but the farm's is thrown away (M§17.1)."""
    for seat in table.on_map():
        tribe = table.tribes[seat]
        if tribe.food:
            table.breath()
            table.tribe(seat, food=0)
            before = tribe.all_food
            table.tell("food_spoiled", seat, lost=tribe.food, before=before, after=tribe.farm)


def _announce(table: Table) -> None:
    """Who has four camps, and who has had them twice (M§15.4, M§15.5)."""
    there = table.on_map()
    enough = [seat for seat in there if len(table.camps_of(seat)) >= CAMPS_TO_WIN]
    twice = [seat for seat in enough if table.tribes[seat].announced]
    if table.options.fire_rules:
        twice = [seat for seat in twice if table.has_fire(seat)]

    for seat in enough:
        table.breath()
        table.tell("tribe_announced", seat, camps=len(table.camps_of(seat)))
    if twice:
        best = max(map(table.wealth, twice))
        table.end(tuple(seat for seat in twice if table.wealth(seat) == best), "camps")
    for seat in range(len(table.tribes)):
        table.tribe(seat, announced=seat in enough)


def _turn_season(table: Table) -> None:
    """The marker moves on, unless it is held (M§15.7)."""
    state = table.state
    if not state.held:
        number = state.number + 1
        if number > SEASON_TURNS:
            number = 1
            to_summer = state.season == "winter"
            table.set(
                season="summer" if to_summer else "winter",
                lengthened=False,
                lasting=(),
                first_year=state.first_year and not to_summer,
            )
        table.set(number=number)
    state = table.state
    table.breath()
    table.tell("season_turned", season=state.season, number=state.number, held=state.held)
    table.set(turn=state.turn + 1)


def tell_end(table: Table) -> None:
    """The last event of a match, with the final standing (M§15.8)."""
    table.breath()
    state = table.freeze()
    rows = tuple(asdict(row) for row in standing(state))
    table.tell("game_ended", None, termination=state.termination, rows=rows)
