"""Gathering columns of Fire & Stone and the cards they earn (F§9)."""

from __future__ import annotations

from tests.referee.fire_and_stone_match import Match
from tests.referee.fire_and_stone_names import GATHERING
from tests.referee.fire_and_stone_position import require


class Columns(Match):
    """The whole match: with what taking a gathering tile leads to."""

    def do_take(self, column: str) -> None:
        self.acting("take")
        self.gather(self.here, column)

    def do_forage(self, place: str, column: str) -> None:
        self.acting("forage")
        require(place in self.foraged(self.here), "F§10 `foraging_lore`")
        self.gather(place, column)

    def gather(self, place: str, column: str) -> None:
        """F§9.1-6."""
        player, kind = self.mover, self.up[place]
        require(column in player.fitting(kind), "F§9.3-5 not this column")
        self.up[place] = ""
        tiles = player.columns[column]
        if player.kind(column) not in (None, kind):
            gone = list(tiles)
            tiles.clear()
            self.told("column_emptied", column=column, tiles=gone)
            if player.has("gourd"):
                self.action_food(len(gone), "gourd")
        tiles.append(kind)
        self.told("gathered", kind=kind, place=place, column=column, count=len(tiles))
        if player.has("digging_stick"):
            self.action_food(1, "digging_stick")
        if len(tiles) not in self.spaces:
            self.done()
            return
        self.column = column
        if self.takeable() or (self.vp_cards and player.uncovered()):
            self.ask("card")
        else:
            self.after_card()

    def after_card(self) -> None:
        """F§9.7: a full column is discarded."""
        player = self.mover
        if len(player.columns[self.column]) < 3:
            self.done()
            return
        if player.has("gourd"):
            self.action_food(3, "gourd")
        if player.has("woven_basket"):
            self.ask("basket")
        else:
            self.discard_column(kept=False)

    def discard_column(self, kept: bool) -> None:
        tiles = self.mover.columns[self.column]
        self.told("column_discarded", column=self.column, tiles=list(tiles), kept=kept)
        tiles[:] = [tile for tile in tiles if tile in GATHERING][:kept]
        self.done()

    def do_hold(self) -> None:
        """Woven Basket: one tile stays (RULING 44). Council: the objective stays."""
        self.during("basket", "council")
        if self.phase == "basket":
            self.discard_column(kept=True)
        else:
            self.secret = True
            self.done()

    def do_drop(self) -> None:
        self.during("basket")
        self.discard_column(kept=False)

    def do_invent(self, card: str) -> None:
        """F§9.6, F§9.10; Flint Vein."""
        self.during("card", "action")
        require(card in self.takeable(), "F§9.10 not in the row, or owned")
        if self.phase == "action":
            self.acting("invent")
            self.pay(2, "flint_vein")
            revealed = self.from_the_row(card, "flint_vein")
            self.done()
        else:
            revealed = self.from_the_row(card, "column")
            self.after_card()
        self.revealed = self.revealed or revealed

    def do_score(self, covers: str) -> None:
        """F§9.11-12: a VP card on an own uncovered invention."""
        self.during("card")
        player = self.mover
        require(bool(self.vp_cards) and player.has(covers), "F§9.11 nothing to cover")
        value = self.vp_cards.pop(0)
        player.inventions[player.inventions.index([covers, 0])][1] = value
        self.told("vp_card", value=value, covers=covers)
        if covers == "clay_pots":
            self.spill()
        self.after_card()

    def do_decline(self) -> None:
        self.during("card")
        self.told("declined")
        self.after_card()
