"""The bot `planner`: whole turns, judged by how the game may end."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import NamedTuple

from engine.chance import Chance
from engine.protocol import Seat
from engine.sapiens import bonuses, legality
from engine.sapiens.actions import *
from engine.sapiens.bots import greedy
from engine.sapiens.bots.appraisal import fits
from engine.sapiens.bots.line import Line, begin
from engine.sapiens.bots.outlook import BONUS as AVG, Points, Weights, plan, potential, yield_of
from engine.sapiens.bots.uses import best_use
from engine.sapiens.components import *
from engine.sapiens.components import FEAST,PICKING,RITUAL,FIGHT,WATER,CAMP,HUNT,FIRE
from engine.sapiens.laying import close
from engine.sapiens.placing import ABANDONING, LAYING, Placement, orders, placements
from engine.sapiens.scoring import STEAK_VALUES
from engine.sapiens.state import *
from engine.sapiens.state import BONUS, LAY, NONE, OVER, REFILL, REMOVE, START, STUCK, Player, State, fight_owners

TOKENV = {FEAST:(0.8,1.2),PICKING:(1.0,0.5),RITUAL:(0.9,1.1),FIGHT:(0.8,0.0),WATER:(0.5,0.5),CAMP:(0,3.0),HUNT:(1.2,0),FIRE:(0,2.3)}
STEER = 0.16
DEPTH=2; WIDTH=3
HARM=0.6

def turns_left(state: State) -> float:
    active = sum(not p.out for p in state.players) or 1
    per = 2 if len(state.players) == 2 else 1
    return (len(state.stack) + len(state.common)) / (per * active)

def combine(f: float, s: float, r: float) -> float:
    lo, hi = (f, s) if f < s else (s, f)
    a = min(0.85, STEER * r)
    return lo + a * (hi - lo) / 2

def holdings(state: State, seat: Seat, r: float) -> Points:
    """tokens, steaks, fight tokens"""
    player = state.players[seat]
    f = s = 0.0
    if player.claimed:
        vals = sorted((TOKENV[sc] for sc in range(8) if player.claimed >> sc & 1), key=lambda v: -sum(v))
        n = r
        for v in vals:
            if n <= 0: break
            w = min(1.0, n)*0.85
            f += v[0]*w; s += v[1]*w
            n -= 1
    if player.steaks:
        f += min(1.0, r/3) * STEAK_VALUES[min(5, player.steaks)] * 0.7 + min(1.0,r/4)*0.5*min(player.steaks,4)
    if r > 0:
        for t in player.fights:
            try:
                h = holder(state, t)
            except KeyError:
                continue
            if h is None: f += 0.35
            elif h != seat and not state.players[h].out: f += 0.75
        for o, p in enumerate(state.players):
            if o != seat:
                f -= 0.5*sum(t in player.pool for t in p.fights)
    return Points(f, s)

def final(state: State, seat: Seat, r: float, depth: int, width: int) -> float:
    player = state.players[seat]
    h = holdings(state, seat, r)
    f0, s0 = player.fp + h.fp, player.sp + h.sp
    if player.out or r <= 0:
        return combine(f0, s0, 0)
    if depth:
        pot = potential(player, r)
        F, S = f0 + pot.fp, s0 + pot.sp
        # lower one matters more
        d = (S - F) / (2.0 + r)
        wf = 0.5 + max(-0.35, min(0.35, 0.12 * d))
        _, pts = plan(player, Weights(wf, 1 - wf), depth, width, r)
        return combine(f0 + pts.fp, s0 + pts.sp, r)
    pot = potential(player, r)
    return combine(f0 + pot.fp, s0 + pot.sp, r)

def value(state: State, seat: Seat, r: float, depth: int = 0, width: int = 3, base=None) -> float:
    mine = final(state, seat, r, depth, width)
    return mine

def hostile(state, seat, r):
    others = [final(state, o, r, 0, 0) for o in range(len(state.players)) if o != seat]
    return max(others)*0.5+ sum(others)/len(others)*0.5

def uses(state: State, scene: int, as_token: bool) -> list[Bonus]:
    player = state.mover
    if scene == CAMP: return [Camp()]
    if scene == PICKING: return [Picking()] if not as_token else []
    if scene == HUNT:
        if as_token: return [Hunt()] if state.steaks else []
        n = bonuses.steaks_after(state)
        return [Hunt(convert=k) for k in sorted({0, min(n, 5), min(n,3)})]
    if scene == FEAST:
        from engine.sapiens.bots.outlook import yield_of
        found = placements(player, "feast", state.turn.picking_on_plains)
        out = []
        sc = []
        for p in found:
            from engine.sapiens.scoring import cave_index, cave_value
            c = cave_index(player, p)
            sp = cave_value(player, c) if c != NONE else 0
            from engine.sapiens.bots.outlook import laid
            pt = potential(laid(player, p), 4.0)
            sc.append((sp + pt.fp*0.5 + pt.sp*0.5, p))
        sc.sort(reverse=True)
        for _, p in sc[:5]:
            out.append(Feast(tile=TILES[p.tile], first=PLACES[p.first], second=PLACES[p.second], order=next(orders(state, p.tile))))
        return out
    if scene == RITUAL:
        return list(bonuses.options(state, scene, as_token))
    if scene == FIGHT:
        u = best_use(state, scene, as_token=as_token)
        return [u.action] if u else []
    if scene == WATER:
        others = [t for q in state.players if q is not player for t in q.pool] + list(state.common)
        if not player.pool or not others: return []
        fit = fits(player, (*player.pool, *others))
        gives = sorted(player.pool, key=fit.__getitem__)[:2]
        gets = sorted(others, key=lambda t: -fit[t])[:3]
        return [Water(give=TILES[g], get=TILES[t]) for g in gives for t in gets]
    # fire
    best = []
    for action in bonuses.options(state, FIRE, as_token):
        if isinstance(action, PutBear):
            pl = state.players[action.board]
            n = len(bonuses.touching(pl, PLACE_INDEX[action.square]))
            best.append((n, pl.fp+pl.sp, action))
        else:
            best.append((2.5,0,action))
    best.sort(key=lambda x: (-x[0], -x[1]))
    return [a for _, _, a in best[:6]]

class Search:
    def __init__(self, state, seat, budget):
        self.seat = seat
        self.r = max(0.0, turns_left(state) - 1)
        self.budget = budget
        self.visited = 0

    def quick(self, line: Line) -> float:
        self.visited += 1
        s = line.state
        if s.turn.phase == BONUS:
            s = close(s, [])
        return value(s, self.seat, self.r) - HARM * hostile(s, self.seat, self.r)

    def resolve(self, line: Line, keep: int) -> list[tuple[float, Line]]:
        """all bonus lines"""
        out = []
        def go(l: Line):
            out.append((self.quick(l), l))
            if l.state.turn.phase != BONUS: return
            for scene in range(8):
                if l.state.turn.bonuses >> scene & 1:
                    for u in uses(l.state, scene, False):
                        go(l.play(u))
        go(line)
        out.sort(key=lambda x: -x[0])
        res=[]; seen=set()
        for v,l in out:
            res.append((v,l))
            if len(res)==keep: break
        return res

    def tokens(self, line: Line) -> list[Line]:
        s = line.state
        if s.turn.token_played or s.round == 1 or s.turn.phase not in (BONUS, REFILL): return [line]
        r = close(s, [])
        out=[line]
        best=[]
        for scene in range(8):
            if r.mover.claimed >> scene & 1:
                for u in uses(r, scene, True):
                    l = line.play(Token(effect=u))
                    best.append((self.quick(l), l))
        best.sort(key=lambda x:-x[0])
        return out+[l for _,l in best[:3]]

def play(state: State, seat: Seat, chance: Chance) -> tuple[Action, ...]:
    search = Search(state, seat, 0)
    r = search.r
    line = begin(state)
    phase = state.turn.phase
    roots: list[Line] = []
    if phase in (START, LAY):
        starts = [line]
        if phase == LAY and not state.turn.token_played and state.round > 1:
            if state.mover.claimed >> PICKING & 1 and Token(effect=Picking()) in legality.Choices(state):
                l = line.play(Token(effect=Picking()))
                if not l.made: starts.append(l)
            if state.mover.claimed >> WATER & 1:
                starts += [line.play(Token(effect=u)) for u in uses(state, WATER, True)[:3]]
            if not legality.can_lay(state) and state.mover.claimed >> FEAST & 1:
                starts += [line.play(Token(effect=u)) for u in uses(state, FEAST, True)[:3]]
        cands = []
        for st in starts:
            if st.made: continue
            for _, placement, how in greedy.ranked(st.state):
                l = st.play(greedy.laying(st.state, placement, how))
                s = close(l.state, []) if l.state.turn.phase == BONUS else l.state
                b = l.state.turn.bonuses if l.state.turn.phase==BONUS else 0
                p = s.players[seat]
                f = p.fp + sum(AVG[x].fp for x in range(8) if b >> x & 1)
                sp = p.sp + sum(AVG[x].sp for x in range(8) if b >> x & 1)
                pot = potential(p, r); h = holdings(s, seat, r)
                search.visited += 1
                cands.append((combine(f+pot.fp+h.fp, sp+pot.sp+h.sp, r), l))
        cands.sort(key=lambda x: -x[0])
        roots = [l for _, l in cands[:14]]
    else:
        return greedy.play(state, seat, chance)
    lines: list[tuple[float, Line]] = []
    for l in roots:
        lines += search.resolve(l, 2)
    lines.sort(key=lambda x: -x[0])
    ends = []
    for _, l in lines[:12]:
        for t in search.tokens(l):
            if t.made: ends.append((search.quick(t), t)); continue
            ends.append((search.quick(t), t))
    ends.sort(key=lambda x: -x[0])
    best = None
    for _, l in ends[:10]:
        if l.made:
            v = value(l.state, seat, r, DEPTH, WIDTH) - HARM*hostile(l.state, seat, r)
            if best is None or v > best[0]: best = (v, l)
            continue
        if l.state.turn.phase not in (BONUS, REFILL):
            l = greedy.finish(l); 
            v = value(l.state, seat, r, DEPTH, WIDTH)- HARM*hostile(l.state, seat, r)
            if best is None or v > best[0]: best = (v, l)
            continue
        hv = None
        n = legality.number_to_take(l.state)
        for tiles in combinations(l.state.common, n):
            t = l.play(Take(tiles=tuple(TILES[x] for x in tiles)))
            if hv is None:
                hv = HARM*hostile(t.state, seat, r)
            v = final(t.state, seat, r, DEPTH, WIDTH) - hv
            search.visited += 1
            if best is None or v > best[0]: best = (v, t)
    v, l = best
    return greedy.finish(l).actions
