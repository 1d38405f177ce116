"""Macros of text templates stay text: a page that calls them escapes a player's name."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import pytest

from service.render.templating import environment, template_folders

HOSTILE = "<b>&Eve</b>"

SOURCES = {
    "words.txt": "{% macro greet(name) %}Hello {{ name }}{% endmacro %}"
    "{% macro twice(name) %}{{ greet(name) }} and {{ greet(name) }}{% endmacro %}",
    "single.txt": "{% import 'words.txt' as words %}{% set greet = words.greet %}",
    "page.html": "{% import 'words.txt' as words %}{{ words.twice(name) }}",
    "from.html": "{% from 'words.txt' import greet %}{{ greet(name) }}",
    "through.html": "{% import 'single.txt' as words with context %}{{ words.greet(name) }}",
    "body.txt": "{% import 'words.txt' as words %}{{ words.greet(name) }}",
}


@pytest.fixture
def env() -> jinja2.Environment:
    return environment("en").overlay(loader=jinja2.DictLoader(SOURCES))


@pytest.mark.parametrize("page", ["page.html", "from.html", "through.html"])
def test_a_page_escapes_the_words_of_a_text_macro(env: jinja2.Environment, page: str) -> None:
    said = env.get_template(page).render(name=HOSTILE)
    assert "<b>" not in said
    assert "&lt;b&gt;&amp;Eve&lt;/b&gt;" in said


def test_a_text_part_shows_the_name_as_it_is(env: jinja2.Environment) -> None:
    assert env.get_template("body.txt").render(name=HOSTILE) == f"Hello {HOSTILE}"


@pytest.mark.parametrize("folder", template_folders(), ids=str)
def test_no_template_holds_a_program(folder: Path) -> None:
    """What is put together or counted on the way is worked out in Python."""
    for path in folder.rglob("*.*"):
        if path.is_file() and "__pycache__" not in path.parts:
            found = re.search(r"namespace\(|{%-? *do ", path.read_text("utf-8", "replace"))
            assert found is None, f"{path}: {found}"
