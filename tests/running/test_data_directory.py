"""One copy per data directory, and a sentence for the second."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.core.errors import CannotStart
from service.dev.embedded.lock import DataDirectory

ROOT = Path(__file__).resolve().parents[2]


def test_a_second_copy_is_told_of_the_first(tmp_path: Path) -> None:
    with DataDirectory(tmp_path):
        with pytest.raises(CannotStart) as caught:
            DataDirectory(tmp_path)
        assert str(caught.value) == (
            f"Another paleopost (process {os.getpid()}) is running on the data directory "
            f"{tmp_path}; stop it, or set PALEOPOST_DATA to another directory."
        )
    DataDirectory(tmp_path).close()


def test_what_is_left_of_a_killed_copy_is_waited_for_and_then_killed(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, os; from pathlib import Path\n"
        "from service.dev.embedded.lock import DataDirectory\n"
        f"d = DataDirectory(Path({str(tmp_path)!r}))\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],\n"
        "    pass_fds=[d.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "print(p.pid, flush=True); os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    left = Path(f"/proc/{int(done.stdout)}/stat")
    assert left.read_text().split()[2] != "Z"
    began = time.monotonic()
    DataDirectory(tmp_path, patience=0.5).close()
    assert time.monotonic() - began >= 0.5, "it may end by itself"
    assert not left.exists() or left.read_text().split()[2] == "Z"


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotStart, match=r"The data directory .*/file/var cannot be used \(Not"):
        DataDirectory(tmp_path / "file" / "var")
