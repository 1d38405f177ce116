"""`make bench`: every row against its anchor, measured in this run; docs/performance.md explains
them.

`python -m bench [PART ...]` runs the parts named only. `python -m bench growth` tries two machines
(`bench.growth`), `python -m bench load` much of everything (`bench.load`).
"""

from __future__ import annotations

import logging
import sys
import time
from importlib import import_module
from pathlib import Path

from bench.table import Row, save, show
from service.core.logs import configure

PARTS = (
    *("engine", "pictures", "letters", "pages", "storage", "games", "players"),
    *("service", "databases"),
)
OUT = Path(__file__).resolve().parent / "out" / "table.json"


def main(wanted: list[str]) -> int:
    """Run the parts, print the table, write it as JSON; 1 if a target is missed."""
    if wanted[:1] in (["growth"], ["load"]):
        return int(import_module(f"bench.{wanted[0]}").main(wanted[1:]))
    unknown = set(wanted) - set(PARTS)
    if unknown:
        print(f"No such part: {', '.join(sorted(unknown))}. There are: {', '.join(PARTS)}.")
        return 2
    configure("WARNING")
    # Werkzeug tells each request unless it is told otherwise; there is no Redis for pages here.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    logging.getLogger("flask-limiter").setLevel(logging.ERROR)
    rows: list[Row] = []
    for part in wanted or PARTS:
        begin = time.monotonic()
        rows += import_module(f"bench.{part}").rows()
        print(f"{part}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
    print(show(rows))
    save(rows, OUT)
    return int(any(row.verdict == "missed" for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
