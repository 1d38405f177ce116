"""What can be done in a match of Fire & Stone, and what comes of it."""

from __future__ import annotations

from typing import Any

from tests.referee.fire_and_stone_names import (
    COLUMNS,
    GATHERING,
    INVENTIONS,
    LAND,
    PIECES,
    PLACES,
    REGION,
)
from tests.referee.fire_and_stone_position import Position, require

Action = dict[str, Any]
BEGINS = ("lead", "piece", "name")
"""Actions that begin a decision and do not make it."""
COOKING = ("action", "ember")


class Match(Position):
    """A position that plays on.

    `made` counts the decisions of the turn, `pieces` are those named for cooking, `column` is the
    one that a card is due for, `ranks` are the rankings handed in and `plan` is what lies on file.
    After each action `revealed` says whether something came to light, `secret` whether what was
    done is.
    """

    def __init__(self, *setup: Any) -> None:
        super().__init__(*setup)
        self.made = 0
        self.pieces: list[str] = []
        self.column = ""
        self.ranks: dict[int, list[str]] = {}
        self.plan: Any = None
        self.looking = ""
        self.revealed = self.secret = False
        if not self.starting:
            self.begin_turn()

    def decision(self, seat: int) -> str:
        return f"0.rank.{seat}" if self.phase == "rank" else f"{self.turn}.{self.made}"

    def play(self, action: Action, seat: int) -> None:
        """Do it for the seat whose turn it is; rankings come from any."""
        self.revealed = self.secret = False
        kind, turn = action["do"], self.turn
        values = {key: value for key, value in action.items() if key != "do"}
        require(kind == "rank" or seat == self.seat, "not this player's turn")
        if kind == "rank":
            self.rank(seat, **values)
            return
        getattr(self, f"do_{kind}")(**values)
        if self.turn == turn and kind not in (*BEGINS, "plan"):
            self.made += 1

    def ask(self, phase: str) -> None:
        self.phase = phase

    def during(self, *phases: str) -> None:
        require(self.phase in phases, f"not asked: {self.phase}")

    # Turns

    def rank(self, seat: int, cards: list[str]) -> None:
        """F§3.12-13: with the last list the cards are handed out."""
        self.during("rank")
        require(sorted(cards) == sorted(self.starting), "F§3.13 not the revealed cards")
        require(self.ranks.get(seat) != cards, "the same ranking again")
        self.ranks[seat], self.secret = cards, True
        if len(self.ranks) < len(self.players):
            return
        for owner in [(self.first - 1 - k) % len(self.players) for k in range(len(self.players))]:
            card = next(card for card in self.ranks[owner] if card in self.starting)
            self.starting.remove(card)
            self.players[owner].inventions.append([card, 0])
            self.tell("starting_chosen", owner, card=card)
            self.instant(card, owner)
        self.starting, self.revealed = [], True
        self.begin_turn()

    def begin_turn(self) -> None:
        self.turn, self.made, self.moved, self.plan = self.turn + 1, 0, [], None
        self.told("turn_begun", number=self.turn, turns_left=self.turns_left)
        self.next_explorer()
        if self.mover.waiting:
            self.explorer = None
            self.ask("second")

    def next_explorer(self) -> None:
        """F§4.1-2: those that have not moved."""
        left = [n for n in range(1, len(self.mover.explorers) + 1) if n not in self.moved]
        self.explorer = left[0] if len(left) == 1 else None
        self.pieces, self.net_used = [], False
        if left:
            self.ask("move")
        elif self.turns_left == 0:
            self.over()
        else:
            if self.turns_left is not None:
                self.turns_left -= 1
            self.seat = (self.seat + 1) % len(self.players)
            self.begin_turn()

    done = next_explorer

    def over(self) -> None:
        self.phase, self.revealed = "over", True
        scores = self.scores()
        self.tell("over", None, scores=scores, winners=self.winners(), parts=self.parts())

    def winners(self) -> list[int]:
        scores = self.scores()
        return [seat for seat, score in enumerate(scores) if score == max(scores)]

    def outcome(self) -> dict[str, Any] | None:
        if self.phase != "over":
            return None
        return {"winners": self.winners(), "scores": self.scores(), "termination": "normal"}

    def do_plan(self, plan: Any) -> None:
        """F§19.1: the own turn alone; ruling 70: never the same again."""
        require(self.phase != "over", "the game is over")
        require(plan != self.plan, "ruling 70 the plan on file")
        self.plan, self.secret = plan, True

    # Moves and what is discovered

    def do_lead(self, explorer: int) -> None:
        self.during("move")
        require(self.explorer is None and explorer in (1, 2), "F§4.2 nothing to choose")
        self.explorer = explorer

    def do_go(self, place: str) -> None:
        self.during("move", "tunnel")
        require(self.explorer is not None, "F§4.2 which explorer")
        assert self.explorer is not None
        start = self.here
        if self.phase == "tunnel":
            require(place in self.tunnel_ends(), "RULING 52 no target")
            self.told("tunnel", place=place)
        else:
            require(place in self.destinations(start), "F§5.6 out of reach")
            self.moved = sorted([*self.moved, self.explorer])
            way = {"from": start, "place": place, "stayed": place == start}
            self.told("moved", explorer=self.explorer, **way)
        self.mover.explorers[self.explorer - 1] = place
        if place in self.hidden:
            self.discover(place)
        else:
            self.act()

    def discover(self, place: str) -> None:
        """F§7, the discovery effects."""
        kind, self.revealed = self.hidden.pop(place), True
        self.told("revealed", place=place, kind=kind)
        self.up[place] = "" if kind in ("hut", "cache") else kind
        if kind == "forest":
            self.forests[place] = self.stacks[REGION[place]].pop(0)
        elif kind == "fire":
            self.points(1, "fire")
        elif kind == "cache":
            self.bag(1, "cache")
            self.food(1, "cache")
            return self.done()
        elif kind == "hut":
            return self.hut_tile(place)
        elif kind == "cave":
            return self.cave()
        return self.act()

    def hut_tile(self, place: str) -> None:
        """F§7.9-10, F§8."""
        placed = self.mover.huts > 0
        if placed:
            self.hut(0)
        if self.mover.has("bone_needle"):
            self.food(2, "bone_needle")
        self.track += 1
        self.told("hut_tile", place=place, track=self.track, placed=placed)
        if self.track in (3, 9):
            self.told("region_opened", region=self.regions)
        if self.track == 11:
            self.trigger()
        self.ask("return")
        if self.track == 5:
            self.second_fires = [place for place in PLACES if self.is_fire(place)]
            for player in self.players:
                player.waiting = True
            self.told("second_explorers", fires=self.second_fires)
            self.ask("second")
        elif self.plays_forced and len(fires := self.returns()) == 1:
            self.do_return(fires[0])

    def cave(self) -> None:
        """F§12.1: the card and its discovery effect."""
        card, self.cave_known = self.cave_card, True
        self.told("cave_card", card=card)
        if card == "hidden_spring":
            self.bag(1, card)
            self.food(2, card)
        elif card == "hearth_hall":
            self.points(1, card)
        elif card == "old_store":
            for seat in self.order():
                self.bag(1, card, seat)
            self.food(2, card)
        elif card == "ice_bridges":
            for seat in self.order():
                if self.players[seat].has("boats"):
                    self.points(2, card, seat)
        elif card == "earthquake" and self.lookable(card):
            self.looking = card
            return self.ask("look")
        elif card == "collapsed_tunnel":
            self.cave_gone, self.up[self.here] = True, ""
            return self.ask("tunnel") if self.tunnel_ends() else self.done()
        return self.act()

    def tunnel_ends(self) -> list[str]:
        return [place for place in PLACES if place in self.hidden and REGION[place] < 3]

    def lookable(self, card: str) -> list[str]:
        """Face-down tiles in region 2 for the Earthquake, in open regions for the Lookout."""
        regions = (2,) if card == "earthquake" else range(1, self.regions + 1)
        return [place for place in PLACES if place in self.hidden and REGION[place] in regions]

    def do_second(self, fire: str) -> None:
        """F§8.3-5."""
        self.during("second")
        player = self.mover
        near = REGION[player.explorers[0]]
        require(fire in self.second_fires and REGION[fire] == near, "F§8.3 no such fire")
        player.explorers.append(fire)
        player.waiting = False
        self.told("second_placed", fire=fire)
        if self.moved:
            self.ask("return")
        else:
            self.next_explorer()

    def returns(self) -> list[str]:
        anywhere = self.mover.has("trail_markers")
        return self.fires(None if anywhere else REGION[self.here])

    def do_return(self, fire: str) -> None:
        """F§7.11, Trail Markers and Ember Carrier (RULING 47)."""
        self.during("return")
        assert self.explorer is not None
        require(fire in self.returns(), "F§7.11 no fire to return")
        self.mover.explorers[self.explorer - 1] = fire
        self.told("returned", explorer=self.explorer, fire=fire)
        if self.mover.has("ember_carrier") and self.mover.held:
            self.net_used = False
            self.ask("ember")
        else:
            self.done()

    # Actions

    def thing(self) -> str:
        """What is here: a tile, `fire`, `village` or `empty`."""
        place = self.here
        if self.is_fire(place):
            return "fire"
        return self.up[place] or ("village" if place in self.villages else "empty")

    def options(self) -> set[str]:
        """The actions there are here, but `pass` (F§6, F§7, F§12)."""
        thing, place, player = self.thing(), self.here, self.mover
        free = player.capacity - player.food
        if thing == "forest":
            return {"hunt"} if self.forests[place] else set()
        if thing == "fire":
            return {"piece"} if player.held else set()
        if thing in GATHERING:
            return {"take", "food"}
        if thing == "village":
            return {"build"} if player.huts and player.food >= self.cost(place) else set()
        if thing == "empty":
            found = {"food"} if free > 0 and self.land_food(place) > 0 else set()
            return found | ({"forage"} if self.foraged(place) else set())
        legal = {
            "hidden_spring": True,
            "lookout": True,
            "painted_walls": player.marker,
            "long_pilgrimage": player.marker,
            "council_of_elders": player.food >= 1,
            "garden_of_eden": player.huts and free >= sum(self.villages.get(place, ())),
            "burial_mound": player.huts and player.food >= self.cost(place),
            "flint_vein": player.food >= 2 and self.takeable(),
            "shaman_stone": any(map(player.kind, COLUMNS)),
            "barter_stone": any(map(self.takeable_for, player.uncovered())),
        }
        kinds = {
            "garden_of_eden": "build",
            "burial_mound": "build",
            "flint_vein": "invent",
            "shaman_stone": "discard",
            "barter_stone": "barter",
        }
        card = self.cave_card
        return {kinds.get(card, "use")} if legal.get(card) else set()

    def takeable_for(self, given: str) -> list[str]:
        return self.takeable(given) if given in INVENTIONS else []

    def foraged(self, place: str) -> list[str]:
        """Neighbours with a gathering tile that Foraging Lore reaches."""
        if not self.mover.has("foraging_lore"):
            return []
        return [
            near
            for near in LAND[place]
            if self.up[near] in GATHERING and REGION[near] <= self.regions
        ]

    def act(self) -> None:
        """RULING 62: who could only pass is not asked."""
        self.pieces, self.net_used = [], False
        if self.options():
            self.ask("action")
        else:
            self.done()

    def acting(self, kind: str) -> None:
        self.during("action")
        require(kind in self.options(), f"F§6 no {kind} here")

    def do_pass(self) -> None:
        self.during(*COOKING)
        require(not self.pieces, "pieces are named")
        self.told("passed")
        self.done()

    def do_food(self) -> None:
        self.acting("food")
        place = self.here
        kind = self.up[place]
        if kind:
            self.told("left_tile", kind=kind, place=place)
            self.action_food(self.tile_food(place), "gathering")
        else:
            self.action_food(self.land_food(place), "land")
        self.done()

    def do_hunt(self) -> None:
        self.acting("hunt")
        self.told("hunted", place=self.here)
        self.revealed = True
        self.ask("keep")
        if self.plays_forced and len(self.forests[self.here]) == 1:
            self.do_keep(self.forests[self.here][:])
            self.secret = False

    def do_keep(self, pieces: list[str]) -> None:
        """F§7.2-3; Tracking Pack, Throwing Spear."""
        self.during("keep")
        place, most = self.here, 1
        if self.cave_is("tracking_pack") and REGION[place] == 2:
            most = 2
        require(1 <= len(pieces) <= most, "F§7.3 another number")
        require(pieces == sorted(pieces, key=list(PIECES).index), "not in their order")
        for piece in pieces:
            require(piece in self.forests[place], "F§7.2 not in this forest")
            self.forests[place].remove(piece)
            self.mover.held.append(piece)
        self.secret = True
        self.told("took_game", place=place, number=len(pieces))
        if self.mover.has("throwing_spear"):
            self.action_food(len(pieces), "throwing_spear")
        self.done()

    def do_piece(self, piece: str) -> None:
        self.during(*COOKING)
        require(self.phase == "ember" or "piece" in self.options(), "F§7.5 no fire")
        require(self.pieces.count(piece) < self.mover.held.count(piece), "F§7.5 not held")
        self.pieces.append(piece)

    def do_done(self) -> None:
        self.during(*COOKING)
        require(bool(self.pieces), "F§16.5 nothing is cooked")
        bags, food = self.piece_sums(self.pieces)
        for piece in self.pieces:
            self.mover.held.remove(piece)
        pieces = sorted(self.pieces, key=list(PIECES).index)
        self.told("cooked", place=self.here, pieces=pieces, bags=bags, food=food)
        self.bag(bags, "cooking")
        self.action_food(food, "cooking")
        self.done()

    def do_build(self) -> None:
        """F§7.12; Garden of Eden, Burial Mound, Tribute."""
        self.acting("build")
        place = self.here
        if self.cave_is("garden_of_eden") and self.up[place] == "cave":
            before = sum(self.villages.get(place, ()))
            self.hut(0)
            self.action_food(before, "garden_of_eden")
        else:
            cost = self.cost(place)
            rival = self.majority(place) if place in self.villages else None
            if cost:
                self.pay(cost, "hut")
            self.hut(cost)
            if self.cave_is("tribute") and REGION[place] == 2 and rival not in (None, self.seat):
                self.food(cost, "tribute", rival)
        self.ask("return")

    def do_use(self) -> None:
        """F§12, the actions on the cave."""
        self.acting("use")
        card = self.cave_card
        if card == "hidden_spring":
            self.action_food(3, card)
        elif card == "lookout":
            if self.lookable(card):
                self.looking = card
                return self.ask("look")
            self.action_food(1, card)
        elif card == "council_of_elders":
            self.pay(1, card)
            self.told("council")
            self.revealed = True
            return self.ask("council")
        else:
            self.mover.marker = False
            self.told("marker", card=card)
            if card == "long_pilgrimage":
                assert self.explorer is not None
                self.mover.explorers[self.explorer - 1] = "cape"
                self.told("pilgrimage", explorer=self.explorer)
            self.points(3 if card == "long_pilgrimage" else 2, card)
        return self.done()

    def do_discard(self, column: str) -> None:
        """Shaman Stone."""
        self.acting("discard")
        require(self.mover.kind(column) is not None, "F§12 no ordinary tile")
        kind = self.mover.columns[column].pop()
        self.told("discarded", kind=kind, column=column)
        self.points(2, "shaman_stone")
        self.done()

    def do_barter(self, given: str, taken: str) -> None:
        """RULING 51, ruling 68."""
        self.acting("barter")
        require(self.mover.has(given) and taken in self.takeable_for(given), "RULING 51")
        self.mover.inventions.remove([given, 0])
        self.pile.append(given)
        self.bottom.append(given)
        self.told("bartered", given=given, taken=taken)
        self.spill()
        self.revealed = self.from_the_row(taken, "barter_stone")
        self.done()

    # Secret looks

    def do_name(self, place: str) -> None:
        """RULINGS 50, 57."""
        self.during("look")
        most = 3 if self.looking == "earthquake" else 2
        require(len(self.named) < most and place not in self.named, "RULING 57 named already")
        require(place in self.lookable(self.looking), "RULING 50 nothing to look at")
        self.named.append(place)

    def do_look(self) -> None:
        self.during("look")
        if self.named:
            self.revealed = True
            self.told("looked", places=self.named)
        if self.looking == "lookout":
            self.named = []
            self.action_food(1, "lookout")
            self.done()
        elif self.named:
            self.ask("arrange")
        else:
            self.act()

    def do_arrange(self, tiles: list[str]) -> None:
        self.during("arrange")
        places = self.looked()
        require(sorted(tiles) == sorted(self.hidden[p] for p in places), "F§12.8 other tiles")
        self.hidden.update(zip(places, tiles, strict=True))
        self.told("arranged", places=places)
        self.named, self.secret = [], True
        self.act()

    def looked(self) -> list[str]:
        """What was named, in file order."""
        return sorted(self.named, key=PLACES.index)

    def do_swap(self, objective: str) -> None:
        self.during("council")
        place = self.undealt.index(objective)
        self.undealt[place], self.mover.objective = self.mover.objective, objective
        self.secret = True
        self.done()
