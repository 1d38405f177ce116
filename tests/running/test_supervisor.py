"""The supervisor: the dead come back, the end is clean, a crash loop is told in one sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.core.errors import CannotStart
from service.dev.embedded.program import Policy, Program
from service.dev.embedded.supervisor import Stopped, Supervisor

ROOT = Path(__file__).resolve().parents[2]
QUICK = Policy(steady=60, first_delay=0.02, longest_delay=0.1, crash_loop=3, grace=1.0)
PATIENT = Policy(steady=60, first_delay=0.02, longest_delay=0.1, crash_loop=3, grace=240)


@pytest.fixture(autouse=True)
def _ctrl_c() -> Iterator[None]:
    """A shell lets what it runs in the background ignore Ctrl-C, and a supervisor would as well."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def program(folder: Path, code: str, name: str = "sleeper", stage: int = 0) -> Program:
    return Program(
        name=name,
        command=(sys.executable, "-c", code),
        env=os.environ,
        log=folder / f"{name}.log",
        stage=stage,
    )


SLEEP = "import time; time.sleep(600)"
# Prints the pid of a grandchild that outlives its parent unless somebody ends it.
PARENT = (
    "import subprocess, sys, time;"
    f"p = subprocess.Popen([sys.executable, '-c', {SLEEP!r}]);"
    "print(p.pid, flush=True); time.sleep(600)"
)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait(condition: Callable[[], bool], patience: float = 120) -> None:
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_killed_child_comes_back(tmp_path: Path) -> None:
    said: list[str] = []
    with Supervisor(said.append, QUICK) as supervisor:
        child = supervisor.start(program(tmp_path, SLEEP))
        first = child.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        supervisor.wait_for(lambda: child.pid not in (None, first), "It", 120)
        again = child.pid
        assert again is not None
        assert alive(again)
    assert said == ["The sleeper was ended by SIGKILL; it is started again."]
    assert not alive(again)


def test_what_a_killed_child_had_started_is_ended_with_it(tmp_path: Path) -> None:
    with Supervisor(lambda _: None, QUICK) as supervisor:
        child = supervisor.start(program(tmp_path, PARENT))
        supervisor.wait_for(lambda: bool(child.log_tail()), "It", 120)
        first, grandchild = child.pid, int(child.log_tail())
        assert first is not None
        assert alive(grandchild)
        os.kill(first, signal.SIGKILL)
        supervisor.wait_for(lambda: child.pid not in (None, first), "It", 120)
        wait(lambda: not alive(grandchild))


def test_an_end_signal_stops_stages_in_order_and_leaves_nobody(tmp_path: Path) -> None:
    order = tmp_path / "order"
    code = (
        "import signal, sys, time\n"
        "from pathlib import Path\n"
        f"order = Path({str(order)!r})\n"
        "def end(*_):\n"
        "    while not order.read_text().startswith('{after}'): time.sleep(0.01)\n"
        "    order.open('a').write('{name} ')\n"
        "    sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(60)\n"
    )
    order.touch()
    with Supervisor(lambda _: None, PATIENT) as supervisor:
        # The slow one is told before the quick one, and ends after it.
        children = [
            supervisor.start(program(tmp_path, code.format(name=n, after=a), n, stage))
            for n, a, stage in (("last", "", 1), ("slow", "quick", 0), ("quick", "", 0))
        ]
        supervisor.wait_for(lambda: all(c.log_tail() for c in children), "They", 120)
        pids = [c.pid for c in children if c.pid is not None]
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
        supervisor.run()
    assert order.read_text().split() == ["quick", "slow", "last"]
    assert not any(alive(pid) for pid in pids)


def test_a_child_that_will_not_end_is_killed_with_all_it_started(tmp_path: Path) -> None:
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + PARENT
    with Supervisor(lambda _: None, QUICK) as supervisor:
        child = supervisor.start(program(tmp_path, code))
        supervisor.wait_for(lambda: bool(child.log_tail()), "It", 120)
        pid, grandchild = child.pid, int(child.log_tail())
        assert pid is not None
        began = time.monotonic()
    assert 0.9 < time.monotonic() - began < 120
    wait(lambda: not alive(pid) and not alive(grandchild))


def test_a_crash_loop_before_the_start_is_over_ends_it_with_the_tail_of_the_log(
    tmp_path: Path,
) -> None:
    with (
        pytest.raises(CannotStart, match=r"dies as often as it is started \(3 times\)") as caught,
        Supervisor(lambda _: None, QUICK) as supervisor,
    ):
        supervisor.start(program(tmp_path, "raise SystemExit('no teeth')"))
        supervisor.wait_for(lambda: False, "It", 120)
    assert str(caught.value).endswith("no teeth")


def test_a_crash_loop_later_is_told_once_and_tried_on(tmp_path: Path) -> None:
    said: list[str] = []
    starts = tmp_path / "starts"
    code = f"open({str(starts)!r}, 'a').write('x'); raise SystemExit('no teeth')"
    with Supervisor(said.append, QUICK) as supervisor:
        supervisor.start(program(tmp_path, code))

        def end_it_later() -> None:
            wait(lambda: starts.exists() and len(starts.read_text()) >= 6)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=end_it_later).start()
        supervisor.run()
    assert [s.splitlines()[0].partition(";")[0] for s in said] == [
        "The sleeper ended with status 1",
        "The sleeper ended with status 1",
        "The sleeper dies as often as it is started (3 times)",
    ]
    assert said[2].endswith("no teeth")


def test_a_signal_while_something_is_waited_for_stops_the_waiting(tmp_path: Path) -> None:
    with pytest.raises(Stopped), Supervisor(lambda _: None, QUICK) as supervisor:
        supervisor.start(program(tmp_path, SLEEP))
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        supervisor.wait_for(lambda: False, "It", 120)


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = Program(name="broker", command=("/no/such",), env={}, log=tmp_path / "log")
    with (
        pytest.raises(CannotStart, match=r"The broker \(/no/such\) cannot be run: No such file"),
        Supervisor(lambda _: None, QUICK) as supervisor,
    ):
        supervisor.start(missing)


def test_children_end_with_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from service.dev.embedded.program import Program\n"
        "from service.dev.embedded.supervisor import Supervisor\n"
        "with Supervisor(print) as s:\n"
        f"    p = Program(name='p', command=(sys.executable, '-c', {SLEEP!r}),\n"
        f"                env=os.environ, log=Path({str(tmp_path / 'log')!r}))\n"
        "    print(s.start(p).pid, flush=True); s.run()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
    wait(lambda: not alive(child))


def test_a_long_log_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.dev.embedded.program.LOG_LIMIT", 10)
    wanted = program(tmp_path, "print('new', flush=True); " + SLEEP)
    wanted.log.write_text("old and long")
    with Supervisor(lambda _: None, QUICK) as supervisor:
        child = supervisor.start(wanted)
        supervisor.wait_for(lambda: bool(child.log_tail()), "It", 120)
        assert child.log_tail() == "new"
    assert wanted.log.with_name("sleeper.log.1").read_text() == "old and long"
