"""The table of a run: a row for each kind of fault."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.chaos.audit import Verdict
from tests.chaos.bad_sink import BadSink
from tests.chaos.site import Site

OUT = Path(__file__).resolve().parents[2] / "build" / "chaos"


class Window(msgspec.Struct):
    """From when a fault was put in until the product worked again; `recovery` counts from the end
    of the fault, None if it did not recover.
    """

    kind: str
    began: float
    ended: float
    recovery: float | None


def table(site: Site, windows: list[Window], verdict: Verdict) -> str:
    lines = [
        ("fault", "times", "moves", "lost", "letters", "again", "differing", "recovery (worst)")
    ]

    def line(kind: str, chosen: list[Window], inside: Callable[[float], bool]) -> None:
        times = [each.recovery for each in chosen]
        known = [each for each in times if each is not None]
        worst = "never" if None in times else f"{max(known):.1f} s" if known else "-"
        middle = f"{statistics.median(known):.1f} s " if known else ""
        copies = [copy for copy in site.sink.copies if inside(copy.at)]
        first = {copy.message_id: copy for copy in reversed(site.sink.copies)}
        lines.append(
            (
                kind,
                str(len(chosen)) if chosen else "",
                str(sum(inside(ack.at) for ack in site.acks)),
                str(sum(inside(ack.at) for ack in verdict.lost)),
                str(len({copy.message_id for copy in copies})),
                str(sum(first[copy.message_id] is not copy for copy in copies)),
                str(len({c.message_id for c in copies} & verdict.differing)),
                f"{middle}({worst})" if chosen else "",
            )
        )

    def within(chosen: list[Window]) -> Callable[[float], bool]:
        return lambda at: any(each.began <= at < each.ended for each in chosen)

    for kind in sorted({each.kind for each in windows}):
        chosen = [each for each in windows if each.kind == kind]
        if chosen:
            line(kind, chosen, within(chosen))
    line("between", [], lambda at: not within(windows)(at))
    line("all", windows, lambda _: True)
    widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in lines
    )


def keep(sink: BadSink) -> None:
    """Keep letters that differ under one Message-ID, side by side, to be looked at."""
    for number, texts_ in enumerate(sink.different.values()):
        OUT.mkdir(parents=True, exist_ok=True)
        for name, text in zip("ab", texts_, strict=True):
            (OUT / f"different-{number}-{name}.eml").write_bytes(text)
