"""Exact chances of fights (M§21): as the pawns stand, with the tricks that are ordered."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.mammoths.combat import AMBUSH_ROUNDS, HOUSE, Fight, herd_bonus, herds_in_order
from engine.mammoths.components import WARRIORS, Hex
from engine.mammoths.losses import loss_plan
from engine.mammoths.table import Table
from engine.protocol import Seat


class Odds(NamedTuple):
    """The chance to win, and the pawns left on average, lost fights counted as none."""

    win: float
    left: float


class Side(NamedTuple):
    """A side of a fight: `w` warriors or animals and `f` women, who may only look on. Each warrior
    or animal adds `each` to the die, each woman `woman`; a `camp` counts while there is a woman in
    it; `last` women fall last. `later` is what comes to `ambush` and `extra` once the side is
    behind; `plan` says who falls first."""

    w: int
    f: int = 0
    extra: int = 0
    fight: bool = True
    each: int = 1
    woman: int = 0
    camp: int = 0
    last: int = 0
    ambush: int = 0
    later: tuple[int, int] = (0, 0)
    plan: str = ""

    def fighters(self) -> int:
        return self.w + self.f * self.fight

    def bonus(self, unit: int) -> int:
        own = self.each * self.w + self.woman * self.f + self.extra
        return own + (self.camp if self.f else 0) + 2 * unit * (self.ambush > 0)

    def ready(self) -> Side:
        """The side with what it has kept for when it is behind."""
        ambush, extra = self.later
        return self._replace(ambush=self.ambush + ambush, extra=self.extra + extra, later=(0, 0))

    def rested(self) -> Side:
        """The side after a round: an ambush wears off."""
        return self._replace(ambush=max(0, self.ambush - 1))

    def hit(self) -> Side:
        """The same with one fewer: by the plan, else as in M§10.16."""
        wanted = self.plan[:1] or ("f" if self.w < 2 and self.fight and self.f > self.last else "w")
        woman = not self.w or (wanted == "f" and self.f > 0)
        fewer = self._replace(f=self.f - 1) if woman else self._replace(w=self.w - 1)
        return fewer.rested()._replace(plan=self.plan[1:])


@lru_cache(maxsize=1 << 12)
def _round(lead: int, unit: int) -> tuple[float, float]:
    """The chances that a side with such a lead wins and loses a round with a loser."""
    leads = [unit * (a - b) + lead for a in range(6) for b in range(6)]
    win, lose = sum(each > 0 for each in leads), sum(each < 0 for each in leads)
    return win / (win + lose), lose / (win + lose)


@lru_cache(maxsize=1 << 13)
def odds(own: Side, others: tuple[Side, ...], unit: int = 1) -> Odds:
    """A side against others, one after the other."""
    if not others:
        return Odds(1.0, own.w + own.f)
    other, rest = others[0], others[1:]
    if not other.fighters():
        return odds(own, rest, unit)
    if not own.fighters():
        return Odds(0.0, 0.0)
    if any(own.later) and own.bonus(unit) < other.bonus(unit):
        own = own.ready()
    won, lost = _round(own.bonus(unit) - other.bonus(unit), unit)
    after_win = odds(own.rested(), (other.hit(), *rest), unit)
    after_loss = odds(own.hit(), others, unit)
    return Odds(
        won * after_win.win + lost * after_loss.win, won * after_win.left + lost * after_loss.left
    )


def against_herd(w: int, f: int, extra: int, animals: int) -> Odds:
    """All pawns against a herd."""
    return odds(Side(w, f, extra), (Side(animals),))


def against_tribe(mine: int, theirs: int, lead: int) -> Odds:
    """Warriors against warriors; `lead` is the difference of all other bonuses."""
    return odds(Side(min(mine, WARRIORS + 1), 0, lead), (Side(min(theirs, 3 * WARRIORS)),))


def chance(table: Table, at: Hex, seat: Seat) -> int | None:
    """About the chance of a tribe to win its fight on a hex, in percent, if the others play no
    trick: against another tribe, else against the herds. None for several tribes, and for tricks
    against one of several herds.
    """
    rivals = [who for who in table.tribes_at(at) if who != seat]
    herds = [] if rivals else herds_in_order(table, at, seat)
    fight = Fight(table, at, herds[0] if herds else "")
    in_hand = ((title, fight.order(seat, title)) for title in table.tribes[seat].hand)
    cards = {title: each for title, each in in_hand if each and each.trigger != "never"}
    if len(rivals) > 1 or (len(herds) > 1 and cards):
        return None
    mine, best = fight.bonus(seat, rivals), [fight.bonus(who, [seat]) for who in rivals]
    best += [herd_bonus(table, at, species, seat) for species in herds]
    due = {title for title, o in cards.items() if fight.is_due(o, seat, mine, best[0], first=True)}
    fight.played[seat] = {"T04"} & due
    fight.women_fight = not any(table.at(at, who)[0] for who in (seat, *rivals))
    own, others = _side(fight, seat, rivals), [_side(fight, who, [seat]) for who in rivals]
    for species, bonus in zip(herds, best, strict=not rivals):
        number, each = len(table.herds[at][species]), HOUSE[species] if fight.unit == 2 else 1
        dies = "T09" in due and (2 if table.has_fire(seat) and number > 2 else 1)
        others.append(Side(number - dies, extra=bonus - each * number, each=each))
    kept = {title for title, order in cards.items() if order.trigger in ("start", "behind")} | due
    later = AMBUSH_ROUNDS * ("T08" in kept), fight.flint(seat) * ("T10" in kept)
    own = own._replace(later=later)
    won = odds(own.ready() if due & {"T08", "T10"} else own, tuple(others), fight.unit).win
    return round(100 * won) if won in (0, 1) else min(99, max(1, round(100 * won)))


def _side(fight: Fight, seat: Seat, against: list[Seat]) -> Side:
    table, at, unit = fight.table, fight.at, fight.unit
    w, f = table.at(at, seat)
    woman, camp = unit if fight.cries(seat) else unit - 1, fight.camp_bonus(seat, against)
    extra = fight.bonus(seat, against) - unit * w - woman * f - camp
    fights, last = fight.fighters(seat) > w, int(table.owns_camp(at, seat))
    plan = "".join(loss_plan(table, at, seat)) if fights else ""
    return Side(w, f, extra, fights, unit, woman, camp, last, plan=plan)
