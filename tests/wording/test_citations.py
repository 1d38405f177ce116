"""Rules that a letter cites: named in words, and found on their page."""

from __future__ import annotations

from service.render.citations import citations


def test_a_rule_is_told_apart_from_the_sentence_that_cites_it() -> None:
    (said, rest) = citations("Hunt–fire is not in your pool. (S§5.1)")
    assert (said.text, said.number, said.anchor) == (
        "Hunt–fire is not in your pool. ",
        "5.1",
        "s5-1",
    )
    assert rest.text == ""
    assert [piece.number for piece in citations("Nothing (at all) is cited.")] == [""]
