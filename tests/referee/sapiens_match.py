"""What can be done in a match of Sapiens, and what comes of it."""

from __future__ import annotations

from typing import Any

from tests.referee.sapiens_board import SCENES, SQUARES
from tests.referee.sapiens_position import Player, Position, require

STEAK_FP = [0, 1, 3, 5, 7, 10]
Action = dict[str, Any]


class Match(Position):
    """A position that plays on."""

    def play(self, action: Action) -> None:
        kind = action["do"]
        if kind in ("lay", "abandon"):
            self.lay(action, "start" if self.phase == "start" else LAYING[kind])
        elif kind == "out":
            require(self.phase == "stuck", "S§11.4 not stuck")
            self.leave()
        elif kind == "retrieve":
            self.tell(
                "fight_retrieved", self.seat, tile=action["tile"], pool=self.pool_of(action["tile"])
            )
            self.fights.remove((action["tile"], self.seat))
        elif kind == "token":
            self.token(action["effect"])
        elif kind == "take":
            self.take(action["tiles"])
        elif kind == "remove":
            self.remove(action["tile"])
        else:
            scene = BONUS[kind]
            require(self.phase == "bonus" and scene in self.bonuses, "S§6.3 bonus not earned")
            self.use(action, token=False)
            self.bonuses.remove(scene)
            if not self.bonuses:
                self.close()

    def lay(self, action: Action, how: str) -> None:
        tile, first, second = action["tile"], action["first"], action["second"]
        player, board = self.mover, self.mover.board
        require(tile in player.pool, "S§5 not in the own pool")
        if how == "abandon":
            require(not board.can(player.pool, "turn", self.plains), "S§11.1 a tile can be laid")
        require(how == "feast" or self.phase in ("start", "lay"), "S§4.1 not the time to lay")
        problem = board.problem(tile, first, second, how, self.plains)
        require(problem is None, str(problem))
        self.settle(tile, action.get("order") or [])
        cave = board.cave(first) or board.cave(second)
        if how == "abandon":
            assert cave is not None
            lost = cave["token"]
            self.tell("abandoned", self.seat, cave=cave["name"], discarded=lost, tribe=board.tribe)
            if lost is not None:
                player.lost.add(player.lift(cave["name"]))
            board.tribe += 1
        placed = {
            "tile": tile,
            "first": first,
            "second": second,
            "tribe": board.tribe,
            "turn": self.turn,
        }
        player.pool.remove(tile)
        board.tiles.append(placed)
        connected = board.connected(placed) if how == "turn" else []
        fp = sum(one["fp"] for one in connected)
        player.fp += fp
        self.tell(
            "laid",
            self.seat,
            tile=tile,
            first=first,
            second=second,
            how=how,
            fp=fp,
            connected=connected,
            tribe=board.tribe,
        )
        self.pending = cave["name"] if cave and how == "turn" else self.pending
        if how == "turn":
            self.phase = "bonus"
            self.bonuses = [s for s in SCENES if any(one["scene"] == s for one in connected)]
            if not self.bonuses:
                self.close()
            return
        if cave is not None:
            self.score_cave(cave["name"])
        if how != "feast":
            self.phase = "refill"

    def settle(self, tile: str, order: list[int]) -> None:
        """S§6.1, S§8.4: fight tokens on the tile about to be laid."""
        owners = sorted(owner for marked, owner in self.fights if marked == tile)
        rivals = [owner for owner in owners if owner != self.seat]
        require(not order or sorted(order) == rivals, "S§6.1 not the owners of the tokens")
        choice = len(set(rivals)) > 1 and 0 < self.mover.fp < len(rivals)
        require(bool(order) == choice, "S§6.1 an order exactly where it matters")
        for owner in order or rivals:
            if self.mover.fp:
                self.mover.fp -= 1
                self.players[owner].fp += 1
                self.tell("fight_paid", self.seat, tile=tile, owner=owner)
            else:
                self.tell("fight_unpaid", self.seat, tile=tile, owner=owner)
        if self.seat in owners:
            self.tell("fight_own", self.seat, tile=tile)
        self.fights = [(marked, owner) for marked, owner in self.fights if marked != tile]

    def score_cave(self, name: str) -> None:
        player = self.mover
        cave = player.board.cave(name)
        assert cave is not None
        value = "low" if cave["token"] is None else "high"
        player.sp += cave[value]
        self.tell("cave_scored", self.seat, cave=name, value=value, sp=cave[value])
        if value == "high":
            self.claim(name, "cave")

    def claim(self, place: str, by: str) -> None:
        scene = self.mover.lift(place)
        self.mover.claimed.add(scene)
        self.tell("token_claimed", self.seat, scene=scene, place=place, by=by)

    def close(self) -> None:
        """The end of the resolution of the mandatory tile (S§6.3-4)."""
        if self.phase != "bonus":
            return
        if self.bonuses:
            self.tell("declined", self.seat, scenes=self.bonuses)
        if self.pending is not None:
            self.score_cave(self.pending)
        self.phase, self.bonuses, self.pending = "refill", [], None

    def token(self, effect: Action) -> None:
        scene = BONUS[effect["do"]]
        require(self.phase in ("lay", "stuck", "bonus", "refill"), "S§4.3 not the time for a token")
        require(not self.token_played, "S§4.3 one token a turn")
        self.close()
        require(scene in self.mover.claimed, "S§9.1 not claimed")
        self.tell("token_played", self.seat, scene=scene)
        self.use(effect, token=True)
        self.mover.claimed.remove(scene)
        self.mover.used.add(scene)
        self.token_played = True
        if self.phase in ("lay", "stuck") and not self.ready():
            self.leave()

    def use(self, action: Action, token: bool) -> None:
        """S§8: the effect of a bonus or of a token."""
        player, kind, seat = self.mover, action["do"], self.seat
        if kind == "feast":
            self.lay(action, "feast")
        elif kind == "picking" and token:
            self.plains = True
            self.tell("plains_opened", seat)
        elif kind == "picking":
            player.fp += 1
            self.tell("picked", seat, fp=1)
        elif kind == "claim":
            require(action["place"] != self.pending, "S§6.3 the tile's own token")
            self.claim(action["place"], "ritual")
        elif kind == "recall":
            require(not set(player.lying()) - {self.pending}, "S§8.3 tokens still lie there")
            player.used.remove(action["scene"])
            player.claimed.add(action["scene"])
            self.tell("token_recalled", seat, scene=action["scene"])
        elif kind == "fight":
            moved = action.get("moved") or None
            out = [tile for tile, owner in self.fights if owner == seat]
            require((moved is not None) == (len(out) == 3), "S§8.4 moved exactly when all are out")
            self.tell(
                "fight_placed",
                seat,
                tile=action["tile"],
                pool=self.pool_of(action["tile"]),
                moved=moved,
            )
            if moved is not None:
                self.fights.remove((moved, seat))
            self.fights.append((action["tile"], seat))
        elif kind == "water":
            self.swap(action["give"], action["get"])
        elif kind == "camp":
            player.sp += 3
            self.tell("camped", seat, sp=3)
        elif kind == "hunt":
            self.hunt(action.get("convert", 0), token)
        elif kind == "bear":
            self.bear(action["board"], action["square"])
        else:
            player.board.bears.remove(action["square"])
            self.bears += 1
            self.tell("bear_removed", seat, square=action["square"])

    def swap(self, give: str, get: str) -> None:
        """S§8.5: each tile takes the other's place in its pool."""
        pool = self.pool_of(get)
        require(pool != self.seat, "S§8.5 a swap with the own pool")
        own = self.mover.pool
        other = self.common if pool is None else self.players[pool].pool
        own[own.index(give)], other[other.index(get)] = get, give
        self.tell("swapped", self.seat, gave=give, got=get, pool=pool)

    def hunt(self, convert: int, token: bool) -> None:
        require(not (token and convert), "S§9.2 no conversion")
        taken = min(1, self.steaks)
        left = self.mover.steaks + taken - convert
        require(left >= 0, "S§8.7 too few steaks")
        fp = STEAK_FP[min(convert, 5)]
        self.steaks += convert - taken
        self.mover.steaks = left
        self.mover.fp += fp
        self.tell("hunted", self.seat, taken=taken, converted=convert, fp=fp, left=left)

    def bear(self, seat: int, square: str) -> None:
        board = self.players[seat].board
        tiles = board.beside(square)
        free = square not in board.covers() and square not in board.bears
        require(
            bool(seat != self.seat and self.bears and free and tiles), "S§8.8 no place for a bear"
        )
        board.bears.append(square)
        self.bears -= 1
        self.mover.sp += len(tiles)
        self.tell("bear_put", self.seat, board=seat, square=square, tiles=tiles, sp=len(tiles))

    def take(self, tiles: list[str]) -> None:
        require(self.phase in ("bonus", "refill"), "S§4.1 not laid yet")
        self.close()
        player = self.mover
        require(len(tiles) == min(4 - len(player.pool), len(self.common)), "S§10.1 another number")
        require(tiles == [t for t in self.common if t in tiles], "S§10.1 not in pool order")
        player.pool += tiles
        self.common = [tile for tile in self.common if tile not in tiles]
        self.tell("took", self.seat, tiles=tiles)
        if len(self.players) == 2 and self.common:
            self.phase = "remove"
        else:
            self.reveal()

    def remove(self, tile: str) -> None:
        require(self.phase == "remove" and tile in self.common, "S§13.1 no removal")
        owners = sorted(owner for marked, owner in self.fights if marked == tile)
        self.fights = [(marked, owner) for marked, owner in self.fights if marked != tile]
        self.common.remove(tile)
        self.tell("removed", self.seat, tile=tile, fights=owners)
        self.reveal()

    def reveal(self) -> None:
        number = min(5 - len(self.common), len(self.stack))
        if number:
            new, self.stack = self.stack[:number], self.stack[number:]
            self.common = self.common + new
            self.tell("revealed", None, tiles=new, stack=len(self.stack))
        if not self.common and not self.ending:
            self.ending = True
            rest = [s for s in self.order(self.seat) if not self.players[s].out]
            self.tell("end_triggered", None, round=self.round, last=(rest or [self.seat])[-1])
        self.next_turn()

    def order(self, seat: int) -> list[int]:
        """The seats after this one that still have their turn in this round."""
        seats = len(self.players)
        done = (seat - self.first) % seats
        return [(self.first + k) % seats for k in range(done + 1, seats)]

    def leave(self) -> None:
        self.mover.out = True
        self.tell("out", self.seat)
        self.next_turn()

    def next_turn(self) -> None:
        number = self.turn + 1
        while True:
            if all(player.out for player in self.players):
                return self.over("normal" if self.ending else "all_out")
            seats = len(self.players)
            self.seat = (self.seat + 1) % seats
            if self.seat == self.first:
                if self.ending:
                    return self.over("normal")
                self.round += 1
            if self.mover.out:
                continue
            self.turn = number
            self.begin_turn("start" if self.round == 1 else "lay")
            if self.phase == "start" or self.ready():
                return None
            self.mover.out = True
            self.tell("out", self.seat)

    def ready(self) -> bool:
        """Whether the mover has something to do before laying; sets the phase."""
        board, pool = self.mover.board, self.mover.pool
        if board.can(pool, "turn", self.plains) or board.can(pool, "abandon", self.plains):
            self.phase = "lay"
        elif not self.token_played and any(map(self.playable, self.mover.claimed)):
            self.phase = "stuck"
        else:
            return False
        return True

    def playable(self, scene: str) -> bool:
        """Whether a token of this scene has a use although no tile can be laid (S§11.4)."""
        player = self.mover
        others = [p for p in self.players if p is not player]
        if scene == "feast":
            return player.board.can(player.pool, "feast", self.plains)
        if scene == "ritual":
            return bool(player.lying() or player.used)
        if scene == "fight":
            tiles = {tile for p in self.players for tile in p.pool} | set(self.common)
            out = {tile for tile, owner in self.fights if owner == self.seat}
            count = sum(owner == self.seat for _, owner in self.fights)
            return bool(tiles) if count < 3 else bool(tiles - out) or len(out) > 1
        if scene == "water":
            return bool(player.pool) and bool(self.common or any(p.pool for p in others))
        if scene == "fire":
            return bool(player.board.bears) or bool(self.bears and any(map(bear_room, others)))
        return True

    def over(self, termination: str) -> None:
        self.phase, self.termination = "over", termination
        outcome = self.outcome()
        assert outcome is not None
        self.tell(
            "over",
            None,
            scores=outcome["scores"],
            fp=[p.fp for p in self.players],
            sp=[p.sp for p in self.players],
            winners=outcome["winners"],
            termination=termination,
        )


LAYING = {"lay": "turn", "abandon": "abandon"}
BONUS = {
    "feast": "feast", "picking": "picking", "claim": "ritual", "recall": "ritual",
    "fight": "fight", "water": "water", "camp": "camp", "hunt": "hunt", "bear": "fire",
    "unbear": "fire",
}  # fmt: skip


def bear_room(player: Player) -> bool:
    """Whether a bear can be put on this player's board (S§8.8)."""
    taken = set(player.board.covers()) | set(player.board.bears)
    return any(square not in taken and player.board.beside(square) for square in SQUARES)
