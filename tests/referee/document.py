"""The JSON of a record read as docs/record.md describes it: every key, each once, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.referee.draws import Wrong

HEX = re.compile(r"[0-9a-f]{64}")
CAUSE = re.compile(r"player|plan|default|bot:[a-z][a-z0-9_]*")
Plain = dict[str, Any]
LAST = 4
ACTION: dict[str, Plain] = {
    "lay": {"tile": str, "first": str, "second": str, "order": [int]},
    "abandon": {"tile": str, "first": str, "second": str, "order": [int]},
    "feast": {"tile": str, "first": str, "second": str, "order": [int]},
    "out": {},
    "picking": {},
    "claim": {"place": str},
    "recall": {"scene": str},
    "fight": {"tile": str, "moved": str},
    "water": {"give": str, "get": str},
    "camp": {},
    "hunt": {"convert": int},
    "bear": {"board": int, "square": str},
    "unbear": {"square": str},
    "retrieve": {"tile": str},
    "take": {"tiles": [str]},
    "remove": {"tile": str},
}
DRAW = {"index": int, "what": str, "kind": str, "n": int, "result": [int]}
EVENT = {"kind": str, "seat": (int, None), "data": dict}
SETUP = {"draws": [DRAW], "events": [EVENT], "state": dict, "digest": str}
ENTRY = {
    "n": int,
    "turn": str,
    "seat": int,
    "decision": str,
    "cause": str,
    "actions": [dict],
    "text": [str],
    **SETUP,
}
PART = {"seat": int, "name": str, "part": str}
LEAVING = {"seat": int, "why": str, "after": int}
OPTIONS: Plain = {"halves": [dict], "faces": [str], "first": (int, None)}
RECORD: Plain = {
    "format": str,
    "version": int,
    "game": str,
    "rules_version": int,
    "seats": int,
    "names": [str],
    "options": OPTIONS,
    "seed_hash": str,
    "seed": str,
    "fairness": ({"commitment": str, "secret": str, "parts": [PART]}, None),
    "setup": SETUP,
    "entries": [ENTRY],
    "leavings": [LEAVING],
    "outcome": ({"winners": [int], "scores": [int], "termination": str}, None),
}
HALF = {"id": str, "side": str, "rows": [str], "caves": [dict]}
CAVE = {"edge": str, "at": int, "shelter": [int]}


class Unfinished(Wrong):
    """The match was still running, or what came after was cut off."""


def read(data: bytes) -> Plain:
    """A record of Sapiens whose keys and types are right, as by `checked`."""
    return checked(data, check)


def checked(data: bytes, check: Callable[[Any], None]) -> Plain:
    """A record whose keys and types are right. Raises Wrong, or Unfinished for a running match."""
    record = parse(data)
    check(record)
    return record  # type: ignore[no-any-return]


def parse(data: bytes) -> Any:
    """The JSON of a document that can be read in one way only. Raises Wrong."""
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_once,
            parse_int=_whole,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError) as error:
        raise Wrong(f"no JSON: {error}") from error


def check(record: Any) -> None:
    """See that keys and types of a record of Sapiens are right."""
    check_of_every_game(record, OPTIONS)
    for half in record["options"]["halves"]:
        like(half, HALF, "options.halves")
        for cave in half["caves"]:
            like(cave, CAVE, "options.halves.caves")
    for entry in record["entries"]:
        if entry["cause"] == "plan":
            raise Wrong("there are no plans in Sapiens")
        for action in entry["actions"]:
            like_action(action)


def check_of_every_game(record: Any, options: Plain) -> None:
    """See that keys and types are right, but for what is in options and actions."""
    if not isinstance(record, dict) or record.get("format") != "paleopost record":
        raise Wrong("no record")
    version = record.get("version")
    if type(version) is not int or not 1 <= version <= LAST:
        raise Wrong(f"version {version}")
    shape = dict(RECORD)
    options = dict(options)
    if version < 4:
        shape["entries"] = [{key: kind for key, kind in ENTRY.items() if key != "turn"}]
    if version < 3:
        del shape["fairness"]
        if "first" not in record.get("options", {}):
            del options["first"]
    if version < 2:
        del shape["leavings"]
    shape["options"] = options
    if record.get("seed", "") is None:
        if record.get("outcome") is not None or record.get("setup", {}).get("draws") is not None:
            raise Wrong("no seed, and more than can be told without")
        raise Unfinished("the match was still running")
    like(record, shape, "record")
    for entry in record["entries"]:
        if not CAUSE.fullmatch(entry["cause"]):
            raise Wrong(f"cause {entry['cause']!r}")
    if record["names"] and len(record["names"]) != record["seats"]:
        raise Wrong("names")


def like_action(action: Plain, effect: bool = False) -> None:
    kind = action.get("do")
    if kind == "token" and not effect:
        like(action, {"do": str, "effect": dict}, "token")
        like_action(action["effect"], effect=True)
    elif isinstance(kind, str) and kind in ACTION:
        like(action, {"do": str, **ACTION[kind]}, kind)
    else:
        raise Wrong(f"action {kind!r}")


def like(value: Any, shape: Any, where: str) -> None:
    """See that a value has this shape: a type, a list, keys with shapes, or a shape or null."""
    if isinstance(shape, tuple):
        if value is not None:
            like(value, shape[0], where)
    elif isinstance(shape, list):
        if type(value) is not list:
            raise Wrong(f"{where}: no list")
        for item in value:
            like(item, shape[0], where)
    elif isinstance(shape, dict):
        if type(value) is not dict or value.keys() != shape.keys():
            raise Wrong(f"{where}: other keys than {sorted(shape)}")
        for key, inner in shape.items():
            like(value[key], inner, f"{where}.{key}")
    elif type(value) is not shape:
        raise Wrong(f"{where}: no {shape.__name__}")


def _once(pairs: list[tuple[str, Any]]) -> Plain:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Wrong("a key comes twice")
    return found


def _whole(text: str) -> int:
    if len(text) > 20 or str(int(text)) != text:
        raise Wrong(f"{text[:40]}: not as numbers are written")
    return int(text)


def _no_number(text: str) -> Any:
    raise Wrong(f"{text[:40]}: not a whole number")
