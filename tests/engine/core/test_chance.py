"""The draws: their algorithm, their fairness, and their record."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations

import msgspec
import pytest

from engine.bots import chance_of
from engine.chance import (
    Divergence,
    Draw,
    NoChance,
    RecordedChance,
    SeededChance,
    draw,
    seed_hash,
    seed_of_number,
)

SEED = bytes(range(32))

# docs/record.md has the same table: what changes them breaks every record there is.
VECTORS = [
    (0, "below", 6, (2,)),
    (1, "below", 6, (3,)),
    (2, "shuffle", 10, (9, 0, 2, 5, 3, 1, 7, 4, 8, 6)),
    (3, "below", 2**63 + 1, (7497726212419137645,)),
    (4, "shuffle", 1, (0,)),
]


@pytest.mark.parametrize(("index", "kind", "n", "result"), VECTORS)
def test_the_published_vectors(index: int, kind: str, n: int, result: tuple[int, ...]) -> None:
    made = draw(SEED, index, "x", kind, n)  # type: ignore[arg-type]
    assert made == Draw(index=index, what="x", kind=kind, n=n, result=result)  # type: ignore[arg-type]


def _words(index: int, count: int) -> list[int]:
    """The stream as the documentation has it, written a second time."""
    words: list[int] = []
    block = 0
    while len(words) < count:
        made = hashlib.sha256(
            SEED + b"paleopost draw" + index.to_bytes(8, "big") + block.to_bytes(4, "big")
        ).hexdigest()
        words += [int(made[at : at + 16], 16) for at in (0, 16, 32, 48)]
        block += 1
    return words[:count]


def test_a_shuffle_is_fisher_and_yates_from_the_end() -> None:
    items = list(range(10))
    for k, word in zip(range(9, 0, -1), _words(2, 9), strict=True):
        items[k], items[word % (k + 1)] = items[word % (k + 1)], items[k]
    assert draw(SEED, 2, "x", "shuffle", 10).result == tuple(items)


def test_words_that_would_favour_small_numbers_are_rejected() -> None:
    n = 2**63 + 1
    words = _words(3, 8)
    assert words[0] >= n
    assert words[1] >= n
    assert draw(SEED, 3, "x", "below", n).result == (next(w for w in words if w < n),)


def test_seeds_are_committed_to_and_named_by_numbers() -> None:
    assert seed_hash(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert seed_of_number(42) == hashlib.sha256(b"paleopost seed 42").digest()
    assert len({seed_of_number(n) for n in range(100)}) == 100


def test_bots_have_a_chance_of_their_own() -> None:
    plain = hashlib.sha256(SEED + b"paleopost bot" + bytes([0] * 7 + [2]) + bytes([0] * 7 + [17]))
    expected = SeededChance(plain.digest()).below("x", 2**40)
    assert chance_of(SEED, 2, 17).below("x", 2**40) == expected
    others = {chance_of(SEED, s, n).below("x", 2**40) for s in range(4) for n in range(20)}
    assert len(others) == 80


def test_numbers_are_even() -> None:
    chance = SeededChance(SEED)
    counts = Counter(chance.below("die", 6) for _ in range(6000))
    assert set(counts) == set(range(6))
    # Chi-square with 5 degrees of freedom: below 20.5 in 999 of 1000 seeds.
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


def test_shuffles_are_even() -> None:
    chance = SeededChance(SEED)
    counts = Counter(chance.shuffled("cards", "abc") for _ in range(3000))
    assert set(counts) == set(permutations("abc"))
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 20.5


def test_a_shuffle_gives_the_items_as_the_result_says() -> None:
    chance = SeededChance(SEED, 2)
    shuffled = chance.shuffled("letters", "abcdefghij")
    (made,) = chance.draws
    assert (made.index, made.what, made.kind, made.n) == (2, "letters", "shuffle", 10)
    assert shuffled == tuple("abcdefghij"[k] for k in made.result)
    assert chance.next == 3


@pytest.mark.parametrize("chance", [SeededChance(SEED), RecordedChance([])])
def test_nothing_cannot_be_drawn_from(chance: SeededChance) -> None:
    with pytest.raises(ValueError, match="nothing to draw from for cards"):
        chance.shuffled("cards", ())
    with pytest.raises(ValueError, match="nothing to draw from for die"):
        chance.below("die", 0)


RECORDED = tuple(draw(SEED, index, "die", "below", 6) for index in (5, 6))


def test_a_record_gives_back_what_it_holds() -> None:
    chance = RecordedChance(RECORDED, 5, SEED)
    assert (chance.below("die", 6), chance.below("die", 6)) == tuple(d.result[0] for d in RECORDED)
    with pytest.raises(Divergence) as caught:
        chance.below("die", 6)
    assert (caught.value.index, caught.value.found) == (7, None)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"index": 4}, "index"),
        ({"what": "coin"}, "what"),
        ({"kind": "shuffle"}, "kind"),
        ({"n": 7}, "n"),
        ({"result": (6,)}, "result"),
        ({"result": (-1,)}, "result"),
        ({"result": (1, 1)}, "result"),
        ({"result": ()}, "result"),
    ],
)
def test_another_draw_than_the_one_asked_for(changed: dict[str, object], field: str) -> None:
    chance = RecordedChance([msgspec.structs.replace(RECORDED[0], **changed)], 5)
    with pytest.raises(Divergence) as caught:
        chance.below("die", 6)
    assert (caught.value.index, caught.value.field) == (5, field)


@pytest.mark.parametrize("result", [(0, 1, 1), (0, 1), (1, 2, 3), (0, 1, 2, 3)])
def test_a_shuffle_must_be_a_permutation(result: tuple[int, ...]) -> None:
    made = Draw(index=0, what="cards", kind="shuffle", n=3, result=result)
    with pytest.raises(Divergence, match="shuffle of 3"):
        RecordedChance([made]).shuffled("cards", "abc")


def test_a_possible_result_is_believed_without_the_seed_and_found_out_with_it() -> None:
    made = Draw(index=5, what="die", kind="below", n=6, result=((RECORDED[0].result[0] + 1) % 6,))
    assert RecordedChance([made], 5).below("die", 6) == made.result[0]
    with pytest.raises(Divergence) as caught:
        RecordedChance([made], 5, SEED).below("die", 6)
    assert caught.value.field == "result[0]"
    assert (caught.value.expected, caught.value.found) == (
        RECORDED[0].result[0],
        made.result[0],
    )


def test_where_nothing_may_be_drawn() -> None:
    with pytest.raises(Divergence, match="below of 6 for die"):
        NoChance().below("die", 6)
