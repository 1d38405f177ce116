"""`make setup` does what is needed once, and says in a sentence what it cannot do."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "id", "env", "ls", "cat", "rm", "touch", "mkdir", "grep")


INSTALLER = f"""
mkdir -p "$1/bin"
echo "#!$PWD/$1/bin/python" >"$1/bin/pip"
ln -sf {sys.executable} "$1/bin/python"
echo "$2" >>installed
"""


def tools(folder: Path, **scripts: str) -> str:
    """A PATH with the basic tools and these scripts alone."""
    for name in TOOLS:
        (folder / name).symlink_to(shutil.which(name) or name)
    for name, text in scripts.items():
        script = folder / name
        script.write_text(f"#!/bin/sh\n{text}\n")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(folder)


def run(*command: str, path: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    return subprocess.run(
        command, cwd=cwd, env=env | {"PATH": path}, capture_output=True, text=True, timeout=300
    )


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `make setup` looks at, with an installer that only notes what it is asked for."""
    folder = tmp_path / "checkout"
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / ".ci" / "venv").write_text(INSTALLER)
    return folder


def installed(checkout: Path) -> list[str]:
    """What the installer was asked for since the last look."""
    done = run("make", "setup", path=os.environ["PATH"], cwd=checkout)
    assert done.returncode == 0, done.stderr
    notes = checkout / "installed"
    found = notes.read_text().split() if notes.exists() else []
    notes.unlink(missing_ok=True)
    return found


def test_setup_installs_once_and_again_only_what_changed(checkout: Path) -> None:
    assert installed(checkout) == ["requirements.txt", "requirements-dev.txt"]
    assert installed(checkout) == []
    later = time.time() + 5
    os.utime(checkout / "requirements-dev.txt", (later, later))
    assert installed(checkout) == ["requirements-dev.txt"]
    later += 5
    os.utime(checkout / "pyproject.toml", (later, later))
    assert installed(checkout)[0] == "requirements.txt"


@pytest.mark.parametrize("harm", ["moved", "gone"])
def test_an_environment_that_works_no_more_is_made_again(checkout: Path, harm: str) -> None:
    installed(checkout)
    programs = checkout / ".venv" / "bin"
    if harm == "moved":
        (programs / "pip").write_text("#!/elsewhere/.venv/bin/python\n")
    else:
        (programs / "python").unlink()
    assert installed(checkout)[0] == "requirements.txt"
    assert installed(checkout) == []


def test_an_installation_that_failed_is_tried_again(checkout: Path) -> None:
    good = (checkout / ".ci" / "venv").read_text()
    (checkout / ".ci" / "venv").write_text("exit 1\n")
    failed = run("make", "setup", path=os.environ["PATH"], cwd=checkout)
    assert failed.returncode != 0
    (checkout / ".ci" / "venv").write_text(good)
    assert installed(checkout) == ["requirements.txt", "requirements-dev.txt"]


def test_without_a_python_that_is_new_enough(tmp_path: Path, bin_folder: Path) -> None:
    path = tools(bin_folder, python3="exit 1")
    done = run("sh", str(ROOT / ".ci/venv"), "venv", "requirements.txt", path=path, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("setup: Python 3.11 or newer is needed, and none was found")
    assert not (tmp_path / "venv").exists()


def test_with_a_python_that_cannot_make_environments(tmp_path: Path, bin_folder: Path) -> None:
    path = tools(
        bin_folder,
        python3=f'case "$*" in *ensurepip*) exit 1;; *) exec {sys.executable} "$@";; esac',
    )
    done = run("sh", str(ROOT / ".ci/venv"), "venv", "requirements.txt", path=path, cwd=tmp_path)
    assert done.returncode == 1
    assert "cannot make virtual environments; install its venv module first" in done.stderr


def test_another_python_is_taken_where_the_first_cannot_make_environments(
    tmp_path: Path, bin_folder: Path
) -> None:
    real = f'exec {sys.executable} "$@"'
    path = tools(
        bin_folder,
        python3=f'case "$*" in *ensurepip*) exit 1;; *) {real};; esac',
        **{"python3.13": f'case "$*" in "-m venv"*) echo taken >&2; exit 1;; *) {real};; esac'},
    )
    done = run("sh", str(ROOT / ".ci/venv"), "venv", "requirements.txt", path=path, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("taken\n")
    assert "could not make the virtual environment venv with python3.13" in done.stderr


def test_packages_that_cannot_be_installed_are_named(tmp_path: Path, bin_folder: Path) -> None:
    done = run("sh", str(ROOT / ".ci/packages"), path=tools(bin_folder), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("test: these are needed and missing:")
    assert "chromium" in done.stderr


def test_packages_that_are_there_are_not_asked_for(tmp_path: Path, bin_folder: Path) -> None:
    path = tools(bin_folder, chromium="exit 1", initdb="exit 1", **{"fc-list": "exit 1"})
    done = run("sh", str(ROOT / ".ci/packages"), path=path, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_requirement_has_one_version() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text().splitlines():
            assert line.startswith(("#", "-r ")) or line.count("==") == 1, line
