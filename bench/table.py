"""A measured row: ours, an anchor measured in the same run, their ratio, and the target for it."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table. `ratio` is ours / anchor; `most` or `least` is what it should reach.

    `stretch` is the target beyond the target, in the same direction.
    """

    what: str
    ours: float
    anchor: float
    unit: str
    against: str
    most: float | None = None
    least: float | None = None
    stretch: float | None = None

    @property
    def ratio(self) -> float:
        return self.ours / self.anchor if self.anchor else float("inf")

    @property
    def verdict(self) -> str:
        """ "stretch", "met" or "missed"."""
        if self.most is not None:
            good, best = (
                self.ratio <= self.most,
                self.stretch is not None and self.ratio <= self.stretch,
            )
        else:
            good = self.least is None or self.ratio >= self.least
            best = self.stretch is not None and self.ratio >= self.stretch
        return "stretch" if good and best else "met" if good else "missed"

    def target(self) -> str:
        """The target in words, e.g. "<= 4 (2)"."""
        sign, value = ("<=", self.most) if self.most is not None else (">=", self.least)
        if value is None:
            return "-"
        return f"{sign} {value:g}" + (f" ({self.stretch:g})" if self.stretch is not None else "")


def median_seconds(call: Callable[[], object], repeat: int = 7, number: int = 1) -> float:
    """The median over `repeat` rounds of the CPU seconds one call takes, `number` calls a round."""
    rounds = []
    for _ in range(repeat):
        start = time.process_time()
        for _ in range(number):
            call()
        rounds.append((time.process_time() - start) / number)
    return statistics.median(rounds)


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of them do not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[max(0, min(len(ranked) - 1, round(percent / 100 * len(ranked) + 0.5) - 1))]


def show(rows: Sequence[Row]) -> str:
    """The table as text."""
    lines = [("what", "ours", "anchor", "ratio", "target", "", "against")]
    lines += [
        (
            row.what,
            f"{row.ours:,.4g} {row.unit}",
            f"{row.anchor:,.4g} {row.unit}",
            f"{row.ratio:.3g}",
            row.target(),
            row.verdict,
            row.against,
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def save(rows: Sequence[Row], path: Path) -> None:
    """The table as JSON, for comparing runs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [
        {**msgspec.to_builtins(row), "ratio": row.ratio, "verdict": row.verdict} for row in rows
    ]
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
