"""The sentences marked in the templates, and their French catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
TRANSLATIONS = ROOT / "service" / "translations"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")

Key = tuple[str | None, str]
"""Context and (singular) English text of a sentence."""


def key(message: Message) -> Key:
    return message.context, forms(message.id)[0]


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """Singular and plural, or the one text there is; a translation that is missing is empty."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


@cache
def extracted() -> dict[Key, tuple[str, ...]]:
    """Every sentence marked in a template, by key: its English forms."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as mapping:
        methods, options = parse_mapping_cfg(mapping)  # type: ignore[no-untyped-call]
    catalogue = Catalog()
    for _, _, text, _, context in extract_from_dir(ROOT, methods, options):
        catalogue.add(text, context=context)
    return {key(message): forms(message.id) for message in sentences(catalogue)}


@cache
def stored(path: str) -> Catalog:
    """A catalogue file below the translations folder."""
    with (TRANSLATIONS / path).open("rb") as source:
        return read_po(source, locale=None if path.endswith(".pot") else "fr", abort_invalid=True)


def french() -> Catalog:
    return stored("fr/LC_MESSAGES/messages.po")


def sentences(catalogue: Catalog) -> Iterator[Message]:
    """The entries but the header."""
    return (message for message in catalogue if message.id)
