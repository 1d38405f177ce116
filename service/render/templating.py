"""The templates: one Jinja environment per language, for letters, pages and pictures alike.

It knows neither Flask nor the request: the language is the reader's, chosen by the caller, so that
a worker writes a French letter to one player and an English one to the next. Sentences are marked
in templates with `{% trans %}` or `_()`; the English text is the key of the catalogue.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any, cast

import jinja2
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro

from engine.games import folders, games
from engine.kit.layout import row_of
from engine.kit.presentation import (
    HasCloseUps,
    HasConcerned,
    HasPresentation,
    Occasion,
    Plain,
    Presentation,
)
from engine.protocol import Seat
from service.render import pen
from service.render.citations import citations
from service.render.compiled import CompiledTemplates
from service.render.rules_text import contents, sectioned
from service.render.stories import by_chapters, by_turns, telling

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
TRANSLATIONS = ROOT / "service" / "translations"

SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, "fr")

MARKUP = ("html", "htm", "svg", "xml")
"""Endings of templates whose values are escaped. All others are plain text."""


def translations(lang: str) -> NullTranslations:
    """The catalogue of a language, read from its source file, so that it is never staler than it;
    behind it those of games that lie elsewhere.

    Raises ValueError for a language the product does not speak, and OSError without its catalogue.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"no such language: {lang!r}; known are {', '.join(LANGUAGES)}")
    if lang == SOURCE_LANGUAGE:
        return NullTranslations()
    ours = _catalogue(TRANSLATIONS, lang)
    for folder in folders():
        ours.add_fallback(_catalogue(Path(folder) / "translations", lang))
    return ours


def _catalogue(folder: Path, lang: str) -> Translations:
    with (folder / lang / "LC_MESSAGES" / "messages.po").open("rb") as source:
        catalogue = read_po(source, locale=lang)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


class Template(jinja2.Template):
    """A template whose text macros give text, whoever imports them.

    Jinja marks what a macro returns as safe when the *calling* template escapes, although a macro
    of a plain text template has escaped nothing: a player's name would reach a page as markup.
    Behind a `partial` the macro is not told of its caller, and the page escapes what it is given.
    """

    def make_module(self, *args: Any, **kwargs: Any) -> TemplateModule:
        module = super().make_module(*args, **kwargs)
        if not (self.name or "").endswith(tuple(f".{ending}" for ending in MARKUP)):
            for name, value in list(vars(module).items()):
                if isinstance(value, Macro):
                    setattr(module, name, partial(value))
        return module


class Context(jinja2.runtime.Context):
    """Calls macros, functions and methods as what they are.

    Jinja asks everything that is called what it wants to be told of the context, for longer than
    most of what a picture calls takes. A function says so itself.
    """

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        kind = type(called)
        if kind is Macro:
            args = (self.eval_ctx, *args)
        elif kind in _FUNCTIONS:
            told = getattr(called, "jinja_pass_arg", None)
            if told is _CONTEXT and not (kwargs.get("_loop_vars") or kwargs.get("_block_vars")):
                args = (self, *args)
            elif told is not None:
                return super().call(called, *args, **kwargs)
        elif kind not in _PLAIN:
            return super().call(called, *args, **kwargs)
        if kwargs:
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
        return called(*args, **kwargs)


_CONTEXT = vars(jinja2.pass_context(lambda context: context))["jinja_pass_arg"]
"""What a function bears that wants to be told of the context, as that of `_()` does."""
_FUNCTIONS = frozenset({FunctionType, MethodType})
_PLAIN = frozenset({partial, BuiltinMethodType})
"""What wants to be told nothing: the macros of text templates among it (`Template`)."""


class Environment(jinja2.Environment):
    """For plain data: `view.players` is looked for in a dict before among its methods."""

    context_class = Context

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj and attribute not in _OF_DICT:
            return obj[attribute]
        return super().getattr(obj, attribute)


_OF_DICT = frozenset(dir(dict))


def grouped(options: Iterable[Any], title_of: Callable[[Any], str]) -> list[tuple[str, list[Any]]]:
    """Options under the headings of their actions, both in the order in which they come."""
    found: dict[str, list[Any]] = {}
    for option in options:
        found.setdefault(title_of(option.action), []).append(option)
    return list(found.items())


def headed(
    things: Iterable[Any], title_of: Callable[[Any], str], first: str = "", last: str = ""
) -> list[tuple[str, list[Any]]]:
    """Things under their headings in the order in which they come, but those of the `first` before
    all, and those of the `last` behind.
    """
    found: dict[str, list[Any]] = {first: []}
    for thing in things:
        found.setdefault(str(title_of(thing)).strip(), []).append(thing)
    return sorted(filter(itemgetter(1), found.items()), key=lambda each: each[0] == last)


def by_seat(count: int, macro: Callable[..., str], *given: Any) -> list[str]:
    """The words of a macro for each seat, given this and then the seat."""
    return [str(macro(*given, seat)) for seat in range(count)]


def presentation_of(game_key: str) -> Presentation:
    """The things on a game's board, for templates and pages. Raises KeyError for one that has
    none.
    """
    found = _presentation(cast(Hashable, games()[game_key]))
    if found is None:
        raise KeyError(f"the game {game_key!r} has no presentation")
    return found


@cache
def _presentation(game: Hashable) -> Presentation | None:
    # To ask whether it has one takes longer than much of what is asked of it.
    return game.presentation if isinstance(game, HasPresentation) else None


def concerned(game_key: str, event: Plain) -> Collection[Seat]:
    """The seats that an event is about besides its own, as far as the game says so."""
    shown = presentation_of(game_key)
    return shown.concerned(event) if isinstance(shown, HasConcerned) else ()


def seats_have_boards(game_key: str, view: Plain) -> bool:
    """True if each seat has a board of its own; False where all play on one."""
    wanted = presentation_of(game_key).pictures(view, None, Occasion.END)
    return any(one.shown is not None for one in wanted)


def close_ups(game_key: str, view: Plain) -> Sequence[str]:
    """The names of pictures that have parts of the board large, where a page's own is too small for
    a phone.
    """
    shown = presentation_of(game_key)
    return shown.close_ups(view) if isinstance(shown, HasCloseUps) else ()


def each(say: Callable[..., str], things: Iterable[Any], *more: Any) -> list[str]:
    """The words of a macro for each of several things, to be made a list or a sentence of; the
    macro is given the thing and then `more`.
    """
    return [say(thing, *more) for thing in things]


def lines(said: str) -> list[str]:
    """The sentences of a macro that gives one a line."""
    return [line.strip() for line in said.splitlines() if line.strip()]


def template_folders() -> tuple[Path, ...]:
    """The folders in which templates are looked for, the product's first."""
    return (TEMPLATES, *(Path(folder) / "templates" for folder in folders()))


def boards_folder(game_key: str) -> Path:
    """The folder of what a game's pictures are made of."""
    found = [folder / "boards" / game_key for folder in template_folders()]
    return next((folder for folder in found if folder.is_dir()), found[0])


def environment(lang: str) -> jinja2.Environment:
    """The environment whose `_()` speaks `lang`; one object per language and process, as long as
    the games stay the same.

    Templates are named by their path below `templates/`. Undefined names are errors. The global
    `lang` is the language, and `presentation` gives that of a game. Raises as `translations` does.
    """
    return _environment(lang, template_folders())


@cache
def _environment(lang: str, searched: tuple[Path, ...]) -> jinja2.Environment:
    env = Environment(
        loader=jinja2.FileSystemLoader(searched),
        extensions=["jinja2.ext.i18n", "jinja2.ext.loopcontrols"],
        autoescape=jinja2.select_autoescape(MARKUP, default_for_string=True, default=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        cache_size=-1,
        # Looking whether each of a letter's dozens of files has changed costs more than it tells.
        auto_reload=False,
        bytecode_cache=CompiledTemplates(TEMPLATES, (__file__,), lang),
    )
    env.template_class = Template
    env.globals["lang"] = lang
    env.filters["grouped"] = grouped
    env.filters["headed"] = headed
    env.filters["by_chapters"] = by_chapters
    env.filters["by_turns"] = by_turns
    env.filters["citations"] = citations
    env.filters["contents"] = contents
    env.filters["sectioned"] = sectioned
    env.filters["telling"] = telling
    env.globals["each"] = each
    env.globals["by_seat"] = by_seat
    env.globals["pen"] = pen
    env.globals["row_of"] = row_of
    env.globals["presentation"] = presentation_of
    env.globals["seats_have_boards"] = seats_have_boards
    env.globals["close_ups"] = close_ups
    env.install_gettext_translations(translations(lang), newstyle=True)  # type: ignore[attr-defined]
    # The extension's `_` looks `gettext` up for each text.
    env.globals["_"] = env.globals["gettext"]
    return env
