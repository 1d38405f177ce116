"""Actions as text: one line each, in the words of a language."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from engine.kit.plans.alternatives import Alternatives, If
from engine.mammoths import actions as do
from engine.mammoths.components import Hex
from engine.mammoths.notation import words


def write(action: Any, lang: str) -> str:
    """The canonical text of an action."""
    return " ".join(_Writer(lang).action(action))


class _Writer:
    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.warrior = "w" if lang == "en" else "g"

    def action(self, action: Any) -> Iterable[str]:
        order = self.order
        match action:
            case do.Place(hexes=hexes, sow=sow):
                yes = words.SOWN.write("yes" if sow else "no", self.lang)
                return order(
                    "place", *(self.hexes(hexes) or [self.small("none")]), *order("sow", yes)
                )
            case do.Move(w=w, f=f, path=path):
                return order("move", self.count(w, f), "-".join(map(str, path)))
            case do.Found(hex=at):
                return order("found", str(at))
            case do.TakeFire(hex=at, camp=camp):
                return order("fire", str(at), *([self.small("camp"), str(camp)] if camp else []))
            case do.Done():
                return order("done")
            case (
                do.Card() | do.CombatCard() | do.Retreat() | do.Spirits() | do.Beaters() | do.Bait()
            ):
                return self.card(action)
            case do.Stores() | do.Feast():
                return self.card(action)
            case do.Answer(orders=orders):
                return order("answer", *self.all(orders), *order("done"))
            case do.PlanMove(plan=plan):
                return order("plan", words.PLANS.write("move", self.lang), *self.plan(plan))
            case do.PlanFight(plan=plan):
                return order("plan", words.PLANS.write("combat", self.lang), *self.plan(plan))
            case do.Withdraw(plan=plan):
                return order("withdraw", words.PLANS.write(plan, self.lang))
            case do.Draft(lines=lines):
                return [*self.all(lines), *order("draft")]
            case do.Forget(word=word, title=title):
                return order(
                    "forget", words.FORGOTTEN.write(word, self.lang), *filter(None, [title])
                )
        return self.standing(action)

    def standing(self, action: Any) -> Iterable[str]:
        order = self.order
        match action:
            case do.Loss(at=at, letters=letters):
                return order("loss", self.place(at), self.letters(letters))
            case do.EventLoss(sex=sex):
                return order("event_loss", self.letters(sex))
            case do.Fights(hexes=hexes):
                return order("fights", *self.hexes(hexes))
            case do.Herds(at=at, species=species):
                return order("herds", str(at), *self.species(species))
            case do.CampChoice(at=at, burn=burn):
                choice = words.CAMP_CHOICES.write("burn" if burn else "take", self.lang)
                return order("camp", self.place(at), choice)
            case do.Starve(pawns=pawns):
                return order("starve", *self.pawns(pawns))
            case do.Unfed(pawns=pawns):
                return order("unfed", *self.pawns(pawns))
            case do.Births(hexes=hexes):
                return order("births", *self.hexes(hexes))
            case do.Sow(hexes=hexes):
                return order("sow", *(self.hexes(hexes) or [self.small("none")]))
            case do.Reenter(hexes=hexes):
                return order("reenter", *self.hexes(hexes))
        raise TypeError(type(action).__name__)

    def card(self, action: Any) -> Iterable[str]:
        drop = [self.small("drop"), action.drop] if action.drop else []
        title, said = self._card(action)
        return self.order("card", title, *said, *drop)

    def _card(self, action: Any) -> tuple[str, list[str]]:
        small = self.small
        match action:
            case do.Card(title=title, tribe=None, hexes=hexes):
                return title, self.hexes(hexes)
            case do.Card(title=title, tribe=tribe, fire=fire):
                return title, [self.tribe(tribe), *([small("fire")] if fire else [])]
            case do.CombatCard(title=title, at=at, against=against, trigger=trigger, most=most):
                said = [small("at"), str(at)] if at else []
                if against:
                    named = small("tribes") if against == "tribes" else self.species([against])[0]
                    said += [small("against"), named]
                said += [words.TRIGGERS.write(trigger, self.lang), *([str(most)] if most else [])]
                return title, said
            case do.Retreat(at=at, to=to, w=w, f=f):
                said = [small("at"), str(at), small("start"), small("to"), *self.hexes(to)]
                return "T20", [*said, *([self.count(w, f)] if w + f else [])]
            case do.Spirits(hexes=hexes):
                return "T13", [small("hit"), *(self.hexes(hexes) or [small("camps")])]
            case do.Beaters(species=species, direction=direction, herd=herd):
                said = [*self.species(species), small("dir"), str(direction + 1)]
                if herd is None:
                    return "T11", [*said, small("always")]
                near = [*self.species([herd]), str(action.near), str(action.distance)]
                return "T11", [*said, small("herd"), *near]
            case do.Bait(at=at, distance=distance, species=species):
                return "T12", [str(at), str(distance), *self.species(species)]
            case do.Stores(title=title, trigger=trigger):
                return title, [words.SUPPLIES.write(trigger, self.lang)]
            case do.Feast(at=at, sex=sex):
                return "T17", [str(at), self.letters(sex), small("always")]
        raise TypeError(type(action).__name__)

    def plan(self, plan: Alternatives[do.Condition, Any]) -> list[str]:
        said: list[str] = []
        for number, alternative in enumerate(plan.alternatives):
            said += self.order("or") if number else []
            for each in alternative.conditions:
                said += self.condition(each)
            said += self.all(alternative.lines)
        return [*said, *self.order("otherwise", words.CLOSINGS.write(plan.otherwise, self.lang))]

    def condition(self, each: If[do.Condition]) -> list[str]:
        condition = each.condition
        said = [words.CONDITIONS.write(condition.what, self.lang)]
        if condition.tribe is not None:
            said.append(self.tribe(condition.tribe))
        said += self.hexes(condition.hexes)
        if condition.species is not None:
            said += self.species([condition.species])
        if condition.what in ("opponents", "mine", "animals", "herd", "food", "camps"):
            limit = words.LIMITS.write(condition.most, self.lang)
            said += [limit, str(condition.number)]
        return self.order("if", *([self.small("not")] if each.negated else []), *said)

    # Parts

    def order(self, word: str, *said: str) -> list[str]:
        return [words.ORDERS.write(word, self.lang), *said]

    def small(self, word: str) -> str:
        return words.SMALL.write(word, self.lang)

    def all(self, actions: Iterable[Any]) -> list[str]:
        return [word for action in actions for word in self.action(action)]

    def hexes(self, hexes: Iterable[Hex]) -> list[str]:
        return [str(at) for at in hexes]

    def place(self, at: Hex) -> str:
        return str(at) if at else self.small("any")

    def tribe(self, seat: int | None) -> str:
        return words.TRIBES.write(seat or 0, self.lang)

    def species(self, species: Iterable[Any]) -> list[str]:
        return [words.SPECIES.write(each, self.lang) for each in species]

    def letters(self, letters: str) -> str:
        return letters.replace("w", self.warrior)

    def count(self, w: int, f: int) -> str:
        return (f"{w}{self.warrior}" if w else "") + (f"{f}f" if f else "")

    def pawns(self, pawns: Iterable[tuple[Hex, str]]) -> list[str]:
        said = []
        for at, letters in pawns:
            runs = ((len(list(run)), sex) for sex, run in groupby(letters))
            said += [str(at), "".join(f"{n}{self.letters(sex)}" for n, sex in runs)]
        return said
