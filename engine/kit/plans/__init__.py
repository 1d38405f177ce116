"""Plans: what to do when something comes up, or instead of being asked, written down beforehand.

Two forms: `reactions` (lines that answer what a turn reveals) and `alternatives` (whole moves with
conditions). A game gives the words, the conditions and what is legal; both keep plans as structs
that go through JSON, consult them, and explain them. docs/kit-plans-and-bots.md shows how.
"""
