"""The wording as letters and pages import it, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from service.render.templating import environment

LANGUAGES = ("en", "fr")


@pytest.fixture(params=LANGUAGES)
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def say(lang: str) -> Callable[..., str]:
    """`say("event", e, names, me)`: a macro of the wording of Sapiens in the test's language."""
    module: Any = environment(lang).get_template("games/sapiens/wording.txt").module
    return lambda macro, *args, **kwargs: str(getattr(module, macro)(*args, **kwargs))
