"""Compiled templates are kept as Python keeps modules; whatever is wrong with them is no matter."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import jinja2
import pytest

from service.mail.render.letter_context import mail_environment
from service.render.compiled import KEPT, CompiledTemplates
from service.render.templating import LANGUAGES, environment


@pytest.fixture(autouse=True)
def _kept_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


class Compiler:
    """Templates of a folder, rendered by a new process each time; `compiled` names those that had
    to be compiled.
    """

    def __init__(self, folder: Path, made_by: Path, *apart: str) -> None:
        self.templates = folder
        self.compiled: list[str] = []
        self.made_by, self.apart = made_by, apart

    @property
    def kept(self) -> CompiledTemplates:
        return CompiledTemplates(self.templates, (str(self.made_by),), *self.apart)

    def render(self, name: str) -> str:
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(self.templates),
            bytecode_cache=self.kept,
            autoescape=True,
        )
        compile_ = environment.compile

        def noted(source: str, *args: object) -> object:
            self.compiled.append(source)
            return compile_(source, *args)  # type: ignore[call-overload]

        environment.compile = noted  # type: ignore[method-assign, assignment]
        return environment.get_template(name).render()


@pytest.fixture
def compiler(tmp_path: Path) -> Compiler:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.txt").write_text("{{ 1 + 1 }}")
    (tmp_path / "environment.py").write_text("trim_blocks = True")
    return Compiler(tmp_path / "templates", tmp_path / "environment.py")


def test_a_template_is_compiled_once_for_all_processes(compiler: Compiler) -> None:
    assert [compiler.render("a.txt") for _ in range(3)] == ["2", "2", "2"]
    assert compiler.compiled == ["{{ 1 + 1 }}"]
    (kept,) = compiler.kept.folder.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o644
    assert compiler.kept.folder.parent == compiler.templates / "__pycache__"


def test_a_template_that_has_changed_is_compiled_anew(compiler: Compiler) -> None:
    compiler.render("a.txt")
    (compiler.templates / "a.txt").write_text("{{ 2 + 2 }}")
    assert compiler.render("a.txt") == "4"


def test_versions_and_environments_stand_side_by_side(compiler: Compiler) -> None:
    folders = {
        compiler.kept.folder,
        Compiler(compiler.templates, compiler.made_by, "fr").kept.folder,
    }
    compiler.made_by.write_text("trim_blocks = False")
    folders.add(compiler.kept.folder)
    assert len(folders) == 3
    ours = [environment(lang).bytecode_cache for lang in LANGUAGES]
    ours += [mail_environment(lang).bytecode_cache for lang in LANGUAGES]
    kept = {cache.folder for cache in ours if isinstance(cache, CompiledTemplates)}
    assert len(kept) == 2 * len(LANGUAGES)


def test_old_versions_are_removed_and_those_in_use_stay(compiler: Compiler) -> None:
    versions = []
    for number in range(KEPT + 4):
        compiler.made_by.write_text(f"version = {number}")
        compiler.render("a.txt")
        versions.append(compiler.kept.folder)
        # As if a day lay between two versions, and the first was begun with each time.
        for day, folder in enumerate(versions):
            if folder.exists():
                os.utime(folder, (day * 86_400, day * 86_400))
        if number == 0:
            continue
        compiler.made_by.write_text("version = 0")
        assert compiler.render("a.txt") == "2"
    there = [folder.exists() for folder in versions]
    assert there == [True] + [False] * 4 + [True] * (KEPT - 1)


def test_a_process_goes_on_whose_version_was_removed(compiler: Compiler) -> None:
    compiler.render("a.txt")
    running = compiler.kept
    shutil.rmtree(running.folder)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(compiler.templates), bytecode_cache=running, autoescape=True
    )
    assert environment.get_template("a.txt").render() == "2"
    assert len(list(running.folder.iterdir())) == 1


@pytest.mark.parametrize("what", [b"", b"j2", b"\0" * 4096])
def test_what_cannot_be_read_is_compiled_again(compiler: Compiler, what: bytes) -> None:
    compiler.render("a.txt")
    (kept,) = compiler.kept.folder.iterdir()
    kept.write_bytes(what)
    assert compiler.render("a.txt") == "2"
    assert compiler.render("a.txt") == "2"
    assert len(compiler.compiled) == 2


def test_half_a_file_is_compiled_again(compiler: Compiler) -> None:
    compiler.render("a.txt")
    (kept,) = compiler.kept.folder.iterdir()
    kept.write_bytes(kept.read_bytes()[:-20])
    assert compiler.render("a.txt") == "2"


def test_where_nothing_can_be_written_templates_are_compiled_all_the_same(
    compiler: Compiler,
) -> None:
    (compiler.templates / "__pycache__").write_text("in the way")
    assert [compiler.render("a.txt") for _ in range(2)] == ["2", "2"]
    assert len(compiler.compiled) == 2


def test_python_says_whether_and_where_anything_is_kept(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))
    assert compiler.kept.folder.is_relative_to(tmp_path / "elsewhere")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiler.render("a.txt") == "2"
    assert not compiler.kept.folder.exists()
