"""Room for tokens: all of them in the largest form that fits, else summed up."""

from __future__ import annotations

import pytest

from engine.kit.layout import HEIGHTS, row_of, settle, width_of
from engine.kit.scene import Form, Token
from engine.kit.shapes import Hex, Point, Rect, Shape, box_of, contains
from tests.engine.kit.scenes import FULL, standing, valley

PHONE, DESK = Hex(100, 100, 31), Hex(100, 100, 52)


def corners(token: Token) -> list[Point]:
    """Of what a token covers, nearly: round ends may be out."""
    half, high = width_of(token) * 0.46, HEIGHTS[token.form] * token.size * 0.4
    x, y = token.at
    return [Point(x + dx * half, y + dy * high) for dx in (-1, 1) for dy in (-1, 1)]


def overlap(one: Token, other: Token) -> bool:
    across = (width_of(one) + width_of(other)) / 2 - abs(one.at.x - other.at.x)
    high = (HEIGHTS[one.form] * one.size + HEIGHTS[other.form] * other.size) / 2
    return across > 0.1 and high - abs(one.at.y - other.at.y) > 0.1


@pytest.mark.parametrize("shape", [PHONE, DESK])
@pytest.mark.parametrize("at", standing())
def test_all_tokens_lie_within_their_place_and_none_on_another(
    at: tuple[int, int], shape: Hex
) -> None:
    laid = settle(standing()[at], shape, top=shape.size * 0.33)
    for number, token in enumerate(laid):
        assert all(contains(shape, corner) for corner in corners(token)), token
        assert min(y for _, y in corners(token)) > box_of(shape.corners).top + shape.size * 0.33
        assert not any(overlap(token, other) for other in laid[:number]), token


def test_who_stands_alone_is_drawn_in_full_and_large() -> None:
    (alone,) = settle([Token(look="person", seat=1, counts=(4,))], DESK)
    assert alone.form is Form.FIGURE
    assert alone.size > 1
    assert alone.at == pytest.approx(DESK.middle, abs=1)


def test_the_fullest_hex_sums_up_herds_on_a_phone_and_nobody_else() -> None:
    laid = settle(standing()[FULL], PHONE, top=PHONE.size * 0.33)
    assert [token.seat for token in laid if token.usual] == list(range(6))
    assert {token.form for token in laid} == {Form.BADGE}
    (herds,) = (token for token in laid if token.look == "herds")
    assert herds.counts == (12,)
    desk = settle(standing()[FULL], DESK, top=DESK.size * 0.33)
    assert len(desk) == len(standing()[FULL])


def test_what_has_a_total_is_a_small_figure_beside_chips() -> None:
    """A beast beside a camp and its people, on a phone: told apart by its drawing."""
    camp, people = Token(look="camp", seat=1), Token(look="person", seat=1, counts=(2, 1))
    beast = Token(look="wolf", total="herds")
    laid = {each.look: each for each in settle([camp, people, beast], PHONE, top=10)}
    assert [laid[look].form for look in ("camp", "person")] == [Form.CHIP] * 2
    assert laid["wolf"].form is Form.FIGURE
    assert width_of(laid["wolf"]) > 14


def test_chips_that_are_given_have_large_numbers_below_all_else() -> None:
    camp = Token(look="camp", seat=1)
    people = [
        Token(look="person", seat=seat, counts=(2, 1), form=Form.CHIP, usual=True)
        for seat in (0, 1)
    ]
    beast = Token(look="wolf", total="herds")
    laid = settle([camp, people[0], beast], PHONE, top=PHONE.size * 0.33)
    assert [token.look for token in laid] == ["camp", "person", "wolf"], "told as they are given"
    assert laid[1].size == 1.0
    assert max(laid[0].at.y, laid[2].at.y) < laid[1].at.y
    both = settle([camp, *people, beast], PHONE, top=PHONE.size * 0.33)
    assert min(token.size for token in both if token.look == "person") > 0.8


def test_one_of_a_total_alone_stays_what_it_is() -> None:
    tokens = [Token(look="wolf", counts=(3,), total="herds")]
    tokens += [Token(look="person", seat=seat, counts=(9, 9)) for seat in range(6)]
    laid = settle(tokens, Rect(0, 0, 60, 44))
    assert "wolf" in {token.look for token in laid}


@pytest.mark.parametrize("shape", [Rect(0, 0, 10, 10), Rect(0, 0, 200, 3)])
def test_what_never_fits_is_drawn_all_the_same(shape: Shape) -> None:
    tokens = [Token(look="person", seat=seat, counts=(1,)) for seat in range(6)]
    assert len(settle(tokens, shape)) == 6


def test_nothing_takes_no_room() -> None:
    assert settle([], PHONE) == ()


def test_a_scene_is_laid_out_the_same_every_time() -> None:
    assert valley(360) == valley(360)


@pytest.mark.parametrize("form", [Form.CHIP, Form.BADGE])
@pytest.mark.parametrize("seat", [None, 2])
@pytest.mark.parametrize("usual", [True, False])
@pytest.mark.parametrize("counts", [(), (7,), (12, 3), (1, 20, 300)])
def test_marks_and_numbers_of_a_chip_stand_side_by_side_within_it(
    form: Form, seat: int | None, usual: bool, counts: tuple[int, ...]
) -> None:
    token = Token(look="herd", seat=seat, usual=usual, counts=counts, form=form, size=2)
    row = row_of(token)
    marks = [x for x in (row.seat, row.glyph) if x is not None]
    lines = [x for number in row.numbers for x in (number.rule, number.x) if x is not None]
    assert [*marks, *lines] == sorted([*marks, *lines])
    assert all(abs(x) < row.width / 2 for x in (*marks, *lines))
    assert (row.seat is None, row.glyph is None) == (seat is None, seat is not None and usual)
    shown = counts if form is Form.CHIP else (sum(counts),) if counts else ()
    assert tuple(number.number for number in row.numbers) == shown
    assert [number.rule is None for number in row.numbers[:1]] == [True] * bool(shown)
