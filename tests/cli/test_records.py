"""Simulating and verifying on the command line: results, and sentences for what will not do."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engine.games import games
from tests.support.commands import command

ROOT = Path(__file__).resolve().parents[2]
GAME = next(iter(games()))
BOT = next(iter(games()[GAME].bots))
SEATS = games()[GAME].seats


def paleopost(*words: str | Path) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.endswith("_URL")}
    return command(*map(str, words), env=env)


def simulate(out: Path, **changes: Any) -> subprocess.CompletedProcess[str]:
    usual = {"game": GAME, "seats": SEATS[0], "seed": 42, "bots": BOT, "files": "", "games": 1}
    given: dict[str, Any] = usual | changes
    return paleopost(
        "simulate",
        given["game"],
        *(
            word
            for name in ("seats", "seed", "bots", "files", "games")
            for word in (f"--{name}", str(given[name]))
        ),
        *("--out", out),
    )


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("record") / "game.json"
    done = simulate(out)
    assert done.returncode == 0, done.stderr
    return out


def refused(done: subprocess.CompletedProcess[str], status: int) -> str:
    """The sentence, having seen that it is one and no traceback."""
    assert done.returncode == status
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stdout == ""
    return done.stderr


def test_the_same_words_give_the_same_record(record: Path, tmp_path: Path) -> None:
    assert simulate(tmp_path / "again.json").returncode == 0
    assert (tmp_path / "again.json").read_bytes() == record.read_bytes()
    assert simulate(tmp_path / "other.json", seed=43).returncode == 0
    assert (tmp_path / "other.json").read_bytes() != record.read_bytes()


def test_what_was_waited_for_is_told(tmp_path: Path) -> None:
    done = simulate(tmp_path / "game.json")
    found = re.search(r"Of (\d+) turns of players (\d+) were waited for \((\d+) in", done.stdout)
    assert found is not None, done.stdout
    turns, waited, percent = map(int, found.groups())
    record = json.loads((tmp_path / "game.json").read_bytes())
    assert turns == len({(e["seat"], e["turn"]) for e in record["entries"]})
    assert (waited, percent) == (len(record["entries"]), round(100 * waited / turns))


def test_waits_of_several_games_are_counted_together(tmp_path: Path, record: Path) -> None:
    """So many games of one seed after the other; the record is the first game's."""

    def waited(**changes: Any) -> list[int]:
        done = simulate(tmp_path / "game.json", **changes)
        found = re.search(r"Of (\d+) turns of players (\d+) were waited", done.stdout)
        assert found is not None, done.stdout + done.stderr
        return list(map(int, found.groups()))

    single = [waited(), waited(seed=43)]
    assert waited(games=2) == [sum(each) for each in zip(*single, strict=True)]
    assert (tmp_path / "game.json").read_bytes() == record.read_bytes()


def test_a_bot_for_each_seat(tmp_path: Path) -> None:
    bots = ",".join([BOT] * SEATS[-1])
    done = simulate(tmp_path / "game.json", seats=SEATS[-1], bots=bots)
    assert done.returncode == 0, done.stderr
    assert len(json.loads((tmp_path / "game.json").read_bytes())["outcome"]["scores"]) == SEATS[-1]


def test_a_right_record_verifies(record: Path) -> None:
    done = paleopost("verify", record)
    assert (done.returncode, done.stderr) == (0, "")
    assert "is right" in done.stdout
    assert "the seed itself was not made of parts" in done.stdout


def test_the_first_divergence_is_printed(record: Path, tmp_path: Path) -> None:
    data = json.loads(record.read_bytes())
    data["entries"][2]["digest"] = "0" * 64
    data["entries"][4]["digest"] = "0" * 64
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data))
    said = refused(paleopost("verify", wrong), 1)
    assert "It first fails at entry 3 (seat " in said
    assert "its fingerprint (digest) is not that of the position" in said
    assert f"the record says:  {'0' * 64}" in said


def test_a_changed_seed_is_a_divergence(record: Path, tmp_path: Path) -> None:
    data = json.loads(record.read_bytes())
    data["seed"] = "00" * 32
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data))
    assert "at the set-up: the fingerprint of the seed" in refused(paleopost("verify", wrong), 1)


def test_a_record_cut_short_is_unfinished(record: Path, tmp_path: Path) -> None:
    data = json.loads(record.read_bytes())
    data["entries"], data["outcome"] = data["entries"][:4], None
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps(data))
    said = refused(paleopost("verify", cut), 3)
    assert "is unfinished: it breaks off after entry 4, where the game goes on" in said


def test_the_record_of_a_running_match_is_unfinished(record: Path, tmp_path: Path) -> None:
    data = json.loads(record.read_bytes())
    data["entries"], data["outcome"], data["seed"] = data["entries"][:4], None, None
    for part in (data["setup"], *data["entries"]):
        part["draws"] = None
    running = tmp_path / "running.json"
    running.write_text(json.dumps(data))
    said = refused(paleopost("verify", running), 3)
    assert "is unfinished: the match was still running" in said


def test_a_leaving_after_the_end_is_a_divergence(record: Path, tmp_path: Path) -> None:
    data = json.loads(record.read_bytes())
    last = len(data["entries"])
    data["leavings"] = [{"seat": 0, "why": "resigned", "after": last}]
    data["outcome"]["winners"] = [1]
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data))
    said = refused(paleopost("verify", wrong), 1)
    assert f"at entry {last} (" in said
    assert "somebody is said to have left where nobody could" in said


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[]", "record"),
        (b'{"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"format": "another"}', '"another" is not "paleopost record"'),
        (b'{"format": "paleopost record", "version": 99}', "99 cannot be read here"),
        (b'{"format": "paleopost record", "version": 1}', "missing required field"),
    ],
)
def test_what_is_no_record_gets_a_sentence(tmp_path: Path, content: bytes, reason: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    said = refused(paleopost("verify", bad), 2)
    assert "is no record that can be checked" in said
    assert reason in said


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    said = refused(paleopost("verify", tmp_path / "none.json"), 2)
    assert "cannot be read: No such file" in said


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "ludo"}, "GAME: there is no game “ludo”; there are: "),
        ({"seats": 99}, f"“99” will not do; give how many play, {SEATS[0]} to {SEATS[-1]}"),
        ({"seats": -1}, "“-1” will not do"),
        ({"seats": "two"}, "“two” will not do"),
        ({"seed": "x"}, "--seed: “x” will not do; give a whole number"),
        ({"seed": -1}, "--seed: “-1” will not do"),
        ({"bots": "nobody"}, "“nobody”; there are: "),
        ({"bots": ",".join([BOT] * 9)}, "--bots: 9 bots for"),
        ({"games": 0}, "--games: “0” will not do"),
        ({"files": "0,9"}, f"--files: seats are numbers from 0 to {SEATS[0] - 1}, or all."),
    ],
)
def test_words_that_do_not_fit_get_a_sentence(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    assert reason in refused(simulate(tmp_path / "game.json", **changes), 2)
    assert not (tmp_path / "game.json").exists()


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    assert "--out: there is no folder" in refused(simulate(tmp_path / "none" / "game.json"), 2)
    assert "is a folder; name a file" in refused(simulate(tmp_path), 2)


def test_no_such_command() -> None:
    assert "No such command 'ply'" in refused(paleopost("ply"), 2)


def test_all_that_is_missing_or_wrong_is_said_at_once() -> None:
    said = refused(paleopost("simulate", GAME, "--seats", "99", "--bots", "hal"), 2)
    for option in ("--seats", "--bots", "--seed", "--out"):
        assert f"  {option}: " in said
    assert said.startswith("paleopost: 4 things have to be mended.")
    assert "Error" not in said
