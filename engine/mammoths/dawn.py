"""The event, the arrivals and the re-entries: phases 1 and 2 (M§4.5, M§5, M§6, M§15.2)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple, cast

from engine.mammoths import losses
from engine.mammoths.actions import Reenter, Spirits
from engine.mammoths.components import LONE_WOLF, SPECIES, Hex, Sex, Species
from engine.mammoths.state import Cause
from engine.mammoths.table import Facts, Table, in_order
from engine.protocol import Seat

QUIET_TURNS: Final = 2
"""The first turns have no event."""
REENTRY_FOOD: Final = 8
REENTRY_TRICKS: Final = 3

_REGIONS: Final = {
    **dict.fromkeys(("S05", "N03"), "forest"),
    **dict.fromkeys(("S08", "S10"), "plain"),
    **dict.fromkeys(("S13", "N04"), "mountain"),
}
"""The terrain of the region a card's die picks."""
_LASTING: Final = ("S03", "S08", "S11", "N05")


class Counter(NamedTuple):
    """A counter drawn from the bag."""

    species: Species
    letter: str


class Drawn(NamedTuple):
    """An event as it was drawn: its card, the hexes of its region, and of a second one (S08)."""

    card: str
    hexes: tuple[Hex, ...] = ()
    other: tuple[Hex, ...] = ()
    species: Species | None = None


def dawn(table: Table) -> None:
    """Phases 1 and 2, in the sequence of M§4.5. Raises Over."""
    table.chapter = "dawn"
    table.breath()
    _clear(table)
    drawn = _draw_event(table) if table.state.turn > QUIET_TURNS else Drawn("")
    counters = _draw_counters(table, drawn.card)
    table.breath()
    if drawn.card:
        protected = _spirits(table, drawn)
        counters = _apply(table, drawn, protected, counters)
        table.loss_check(drawn.card)
        table.check_end()
    table.chapter = "arrivals"
    _arrive(table, counters, drawn.card)
    _reenter(table)


def _clear(table: Table) -> None:
    """Markers and effects of the last turn go (M§4.5a)."""
    state = table.state
    table.tell("turn_began", season=state.season, number=state.number, held=state.held)
    if table.closed or table.frozen:
        table.tell("markers_cleared", None, sorted({*table.closed, *table.frozen}))
    table.closed.clear()
    table.frozen.clear()
    table.set(embers=(), event="", held=False, die=0, sown=())


# The event


def _draw_event(table: Table) -> Drawn:
    at = 0 if table.state.season == "summer" else 1
    piles, spent = list(table.state.piles), list(table.state.spent)
    if not piles[at]:
        piles[at], spent[at] = table.chance.shuffled("event discards", spent[at]), ()
    card, piles[at] = piles[at][0], piles[at][1:]
    spent[at] = (*spent[at], card)
    table.set(event=card, piles=tuple(piles), spent=tuple(spent))
    table.breath()
    table.tell("event_drawn", card=card)
    if card == "S01":
        species = SPECIES[_die(table, card, "species") - 1]
        return Drawn(card, species=species)
    if card not in _REGIONS:
        return Drawn(card)
    hexes = _region(table, _REGIONS[card])
    both = card == "S08" and table.options.fire_rules
    return Drawn(card, hexes, _region(table, "forest") if both else ())


def _region(table: Table, terrain: str) -> tuple[Hex, ...]:
    return table.board.regions[terrain, _die(table, table.state.event, terrain)]


def _die(table: Table, card: str, what: str) -> int:
    rolled = table.chance.below(f"event {what}", 6) + 1
    hexes: tuple[Hex, ...] = ()
    result = SPECIES[rolled - 1]
    if what != "species":
        hexes = table.board.regions[what, rolled]
        result = what  # type: ignore[assignment]
    table.tell("event_die", None, hexes, die=rolled, what=what, result=result)
    return rolled


def _hits(table: Table, drawn: Drawn) -> tuple[Hex, ...]:
    """The hexes an event hits: where T13 may help (M§23.6)."""
    board, card = table.board, drawn.card
    if card == "S04":
        lava = (h for hexes in board.lava.values() for h in hexes)
        return tuple(sorted({*board.lava, *lava}))
    if card in ("S06", "S07"):
        return tuple(
            at
            for at in board.hexes
            if board.places[at].terrain in ("plain", "forest")
            and (board.places[at].great if card == "S06" else board.places[at].small)
        )
    if card == "S13" and table.options.fire_rules:
        lava = (h for at in drawn.hexes for h in board.lava.get(at, ()))
        return tuple(sorted({*drawn.hexes, *lava}))
    if card == "S03" and table.options.fire_rules:
        return tuple(sorted(tribe.fire for tribe in table.tribes if tribe.fire))
    if card == "N03":
        pack = _pack_hex(table, drawn.hexes, frozenset())
        return (pack,) if pack else ()
    return tuple(sorted({*drawn.hexes, *drawn.other}))


def _spirits(table: Table, drawn: Drawn) -> dict[Hex, set[Seat]]:
    """T13: the hexes that the event leaves alone, with the tribes that played it (M§14.5)."""
    protected: dict[Hex, set[Seat]] = {}
    hits = () if drawn.card == "S01" else _hits(table, drawn)
    for seat in table.on_map():
        order = table.order_of(seat, Spirits)
        if order is None or "T13" not in table.tribes[seat].hand:
            continue
        wanted = order.hexes or table.camps_of(seat)
        for at in wanted:
            if at in hits and table.count(at, seat):
                table.play_card(seat, "T13", (at,), at, order.drop)
                protected.setdefault(at, set()).add(seat)
                break
    return protected


def _apply(
    table: Table, drawn: Drawn, protected: dict[Hex, set[Seat]], counters: list[Counter]
) -> list[Counter]:
    """What an event does; the counters that are still to arrive."""
    table.breath()
    card, safe = drawn.card, frozenset(protected)
    keepers = {seat for seats in protected.values() for seat in seats}
    hexes = [at for at in sorted(_hits(table, drawn)) if at not in safe]
    if hexes or protected:
        table.tell("event_hit", None, hexes, card=card, protected=tuple(sorted(safe)))
    if card in _LASTING:
        table.set(lasting=(*table.state.lasting, card))
    match card:
        case "S01":
            for at in sorted(table.herds):
                if drawn.species in table.herds[at]:
                    number = len(table.herds[at][drawn.species])
                    table.put_back(at, drawn.species, number, card)
            return _sent_back(table, counters, drawn.species)
        case "S02" | "N12":
            if not table.state.lengthened:
                table.set(held=True, lengthened=True)
        case "S03":
            for seat, tribe in enumerate(table.tribes):
                if tribe.fire and seat not in keepers:
                    table.lose_fire(seat, card)
        case "S04":
            for at in hexes:
                if at in table.board.lava:
                    _kill_all(table, at, "volcano")
                else:
                    _hurt(table, at, "animals", "field")
                    table.set(embers=(*table.state.embers, at))
        case "S05":
            for at in hexes:
                _kill_all(table, at, "burn")
        case "S06" | "S07":
            for at in hexes:
                _hurt(table, at, "animals", "camp", "field", keepers=keepers)
                _close(table, at, "flood")
        case "S08":
            _drought(table, drawn, safe)
        case "S10":
            _locusts(table, hexes)
        case "S13":
            for at in hexes:
                _hurt(table, at, "cave" if at in drawn.hexes else "", keepers=keepers)
                if at not in drawn.hexes:
                    table.set(embers=(*table.state.embers, at))
        case "N03":
            pack = _pack_hex(table, drawn.hexes, safe)
            number = min(3, table.aside)
            if pack and number:
                table.aside -= number
                table.put_herd(pack, "wolf", LONE_WOLF * number)
                table.tell("wolves_placed", None, (pack,), number=number)
        case "N04":
            for at in hexes:
                for species in [s for s in SPECIES if s in table.herds.get(at, {})]:
                    table.put_back(at, species, 1, card)
                _hurt(table, at)
                table.frozen.add(at)
                table.tell("hex_frozen", None, (at,))
        case "N10":
            for seat in table.on_map():
                part = 8 if table.has_fire(seat) else 4
                table.lose_food(seat, table.tribes[seat].all_food // part, card)
        case "N13":
            for seat in table.on_map():
                total = table.total(seat)
                lost = (2 if total >= 9 else 1 if total >= 5 else 0) - table.has_fire(seat)
                losses.starve(table, seat, max(0, lost), card)
    return counters


def _hurt(table: Table, at: Hex, *takes: str, keepers: Collection[Seat] = ()) -> None:
    """The event takes things of a hex: animals, all pawns or one of each tribe, a camp if it is
    named or is a cave that is, a field (M§5.2, M§5.3)."""
    card = table.state.event
    if "animals" in takes:
        for species, counters in list(table.herds.get(at, {}).items()):
            table.put_back(at, species, len(counters), card)
    for seat in table.tribes_at(at):
        w, f = table.at(at, seat)
        dying = "w" * w + "f" * f if "pawns" in takes else losses.event_loss(table, at, seat)
        for sex in dying:
            table.kill(at, seat, cast(Sex, sex), card)
    if at in table.camps and ("camp" in takes or table.board.camp_on(at) in takes):
        floods = card in ("S06", "S07") and table.camps[at].seat not in keepers
        table.remove_camp(at, card, takes_fire=floods)
    if "field" in takes and at in table.fields:
        table.lose_ears(at, 2, card)


def _kill_all(table: Table, at: Hex, cause: Cause) -> None:
    _hurt(table, at, "animals", "pawns", "camp", "field")
    _close(table, at, cause)


def _close(table: Table, at: Hex, cause: Cause) -> None:
    table.closed[at] = cause
    table.tell("hex_closed", None, (at,), cause=cause)


def _drought(table: Table, drawn: Drawn, safe: frozenset[Hex]) -> None:
    for at in sorted(drawn.hexes):
        if at in table.fields and at not in safe:
            table.lose_ears(at, 1, "S08")
    for seat in table.on_map():
        dry = [at for at in sorted(drawn.other) if table.count(at, seat) and at not in safe]
        if dry and table.has_fire(seat):
            table.lose_food(seat, len(dry), "S08", dry)


def _locusts(table: Table, hexes: list[Hex]) -> None:
    for at in hexes:
        if at in table.fields:
            smoked = any(table.has_fire(seat) for seat in table.tribes_at(at))
            table.lose_ears(at, 1 if smoked else 2, "S10")
    for seat in table.on_map():
        villages = [at for at in hexes if table.owns_camp(at, seat)]
        if villages:
            table.lose_food(seat, len(villages), "S10", villages)


def _pack_hex(table: Table, hexes: tuple[Hex, ...], safe: frozenset[Hex]) -> Hex:
    """The first-listed hex without T13 and without a holder of fire; 0 without one (N03)."""
    free = (at for at in hexes if at not in safe)
    return next((at for at in free if not any(map(table.has_fire, table.tribes_at(at)))), 0)


# Arrivals


def _draw_counters(table: Table, card: str) -> list[Counter]:
    state = table.state
    there = sum(tribe.status != "out" for tribe in table.tribes)
    number = 6 if state.turn == 1 else 4 if state.season == "summer" else 2
    number += 2 * (card == "S09") - (there < 4)
    inside = [(kind, letter) for kind, letters in enumerate(table.bag) for letter in letters]
    counters = []
    for _ in range(min(number, len(inside))):
        kind, letter = inside.pop(table.chance.below("counter", len(inside)))
        table.bag[kind] = table.bag[kind].replace(letter, "")
        counters.append(Counter(SPECIES[kind], letter))
    table.breath()
    table.tell("counters_drawn", counters=tuple((c.species, c.letter) for c in counters))
    return counters


def _sent_back(table: Table, counters: list[Counter], of: Species | None) -> list[Counter]:
    """The counters without those of a species, which go back to the bag."""
    table.chapter = "arrivals"
    for counter in (each for each in counters if each.species == of):
        _return(table, counter, table.state.event)
    table.chapter = "dawn"
    return [counter for counter in counters if counter.species != of]


def _return(table: Table, counter: Counter, cause: str, *at: Hex) -> None:
    species, letter = counter
    table.to_bag(species, letter)
    table.tell("counter_returned", None, at, species=species, letter=letter, cause=cause)


def _arrive(table: Table, counters: list[Counter], card: str) -> None:
    """Counters go to the hexes of their letters (M§6.2); those of one species that arrive together
    are one entry (RULING A11)."""
    arriving: dict[tuple[Hex, Species], str] = {}
    for counter in counters:
        at = table.board.by_letter[counter.letter]
        smoked = card == "S09" and any(table.has_fire(seat) for seat in table.tribes_at(at))
        if at in table.closed or smoked:
            table.breath()
            _return(table, counter, table.closed.get(at, "fire"), at)
        else:
            key = (at, counter.species)
            arriving[key] = in_order(arriving.get(key, "") + counter.letter)
    for (at, species), letters in arriving.items():
        table.breath()
        table.put_herd(at, species, letters)
        herd = len(table.herds[at][species])
        table.tell("herd_arrived", None, (at,), species=species, number=len(letters), herd=herd)
        trample(table, at, species, "arrival")


def trample(table: Table, at: Hex, species: Species, cause: str) -> None:
    """A herd that tramples has entered a hex (M§7.7)."""
    if species in ("bison", "rhino", "mammoth") and at in table.fields:
        table.lose_ears(at, 1, cause)


# Re-entry


def _reenter(table: Table) -> None:
    back = []
    for seat in table.state.order:
        tribe = table.tribes[seat]
        if tribe.status != "due" or tribe.due > table.state.turn:
            continue
        table.breath()
        free = [at for at in table.board.border if table.is_free(at, seat)]
        if not free:
            table.tell("reentry_waits", seat, notify=(seat,))
            continue
        order = table.order_of(seat, Reenter)
        wished = [at for at in (order.hexes if order else ()) if at in free]
        at = wished[0] if wished else max(free, key=lambda at: (_remote(table, at), -at))
        table.tribe(seat, status="map", due=0, returned=True, back=table.state.turn)
        table.gain(seat, 0, REENTRY_FOOD)
        table.add(at, seat, 3, 1)
        back.append(seat)
        told: Facts = {"food": REENTRY_FOOD, "tricks": REENTRY_TRICKS}
        table.tell("tribe_reentered", seat, (at,), notify=(seat,), **told)
        for owner, titles in table.draw_tricks([seat], REENTRY_TRICKS).items():
            table.tell("trick_received", owner, only=owner, titles=titles)


def _remote(table: Table, at: Hex) -> int:
    """The distance to the nearest animal."""
    return min((table.board.distance(at, herd) for herd in table.herds), default=99)
