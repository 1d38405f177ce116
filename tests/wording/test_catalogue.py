"""The French catalogue is whole: nothing missing, left over, mismatched or still in English."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Message

from service.mail.commands.reading import read
from service.render.templating import LANGUAGES, SOURCE_LANGUAGE, TEMPLATES, TRANSLATIONS
from tests.wording.catalogue import (
    PLACEHOLDER,
    extracted,
    forms,
    french,
    key,
    sentences,
    stored,
)

SAME_IN_BOTH = {
    ("written to us", "plans"),
    ("written to us", "message %(text)s"),
    (None, "%(name)s %(high)s|%(low)s %(token)s"),
    (None, "Invitation"),
    (None, "Invitations"),
    (None, "Score"),
    (None, "Re: %(subject)s"),
    (None, "%(moment)s (%(zone)s), %(distance)s"),
    (None, "Points"),
    (None, "points"),
    (None, "inventions"),
    (None, "%(num)s invention"),
    (None, "%(num)s inventions"),
    (None, "village"),
    (None, "Avalanche"),
    (None, "Camps"),
    (None, "camps"),
    (None, "camp"),
    (None, "bison"),
    (None, "%(num)s camp"),
    (None, "%(num)s camps"),
    (None, "%(num)s bison"),
    ("tile", "village"),
    ("touch", "Invention"),
    ("touch", "Plan"),
    (None, "%(num)s steak"),
    (None, "%(num)s steaks"),
    (None, "+%(num)s steak"),
    (None, "+%(num)s steaks"),
    (None, "−%(num)s steak"),
    (None, "−%(num)s steaks"),
    (None, "Steak"),
    ("zones", "Europe"),
    ("scene code", "Ri"),
    ("scene code", "Ca"),
    ("initial of red", "R"),
    ("initial of blue", "B"),
    ("initial of purple", "P"),
    ("initial of charcoal", "C"),
    ("CLDR date pattern", "d MMMM y"),
    ("CLDR date pattern", "EEEE d MMMM y"),
}
"""What is the same in English and French, and known to be."""

ENGLISH = re.compile(
    r"\b(the|and|you|your|with|this|that|turn|tile|tiles|board|game|link|letter|is|are|of|to)\b",
    re.IGNORECASE,
)

PARTED_UNIT = re.compile(r"%\(\w+\)[sd] (?:abri|points?|jours?|heures?|minutes?|secondes?|Ko)\b")
TOO_SHORT_A_GAP = re.compile(r"(?<! ) (?=[:;!?»])|« ")
"""A breaking space where French typography asks for one that does not break."""


def entries() -> list[Message]:
    return list(sentences(french()))


def test_there_are_sentences() -> None:
    assert len(extracted()) > 200
    assert (None, "You %(did)s.") in extracted()
    assert ("scene", "fire") in extracted()


def test_every_language_but_the_source_has_a_catalogue() -> None:
    folders = {path.name for path in TRANSLATIONS.iterdir() if path.is_dir()}
    assert folders == set(LANGUAGES) - {SOURCE_LANGUAGE}


def test_no_sentence_is_missing() -> None:
    found = {key(entry) for entry in entries() if all(forms(entry.string))}
    assert sorted(map(str, extracted().keys() - found)) == []


def test_no_entry_is_left_over() -> None:
    assert sorted(map(str, {key(entry) for entry in entries()} - extracted().keys())) == []
    assert not french().obsolete


def test_the_template_catalogue_is_up_to_date() -> None:
    pot = {key(entry): forms(entry.id) for entry in sentences(stored("messages.pot"))}
    assert pot == extracted()


def test_no_entry_is_fuzzy() -> None:
    assert [entry.id for entry in entries() if entry.fuzzy] == []


def test_plural_forms_are_those_of_french() -> None:
    for entry in entries():
        english = extracted().get(key(entry), forms(entry.id))
        assert forms(entry.id) == english
        assert len(forms(entry.string)) == (1 if isinstance(entry.id, str) else 2)


def test_placeholders_match() -> None:
    for entry in entries():
        for index, text in enumerate(forms(entry.string)):
            english = forms(entry.id)[min(index, len(forms(entry.id)) - 1)]
            wanted, given = (set(PLACEHOLDER.findall(side)) for side in (english, text))
            # "one" may say its number in a word.
            spared = (
                {"%(num)s", "%(num)d"} if index == 0 and not isinstance(entry.id, str) else set()
            )
            assert wanted - spared <= given, entry.id
            assert given <= wanted | spared, entry.id


def test_every_sentence_can_be_filled_in() -> None:
    """A lone percent sign would fail when the sentence is said."""
    for entry in entries():
        for text in (*forms(entry.id), *forms(entry.string)):
            values = {name[2:-2]: 1 for name in PLACEHOLDER.findall(text)}
            assert "%(" not in text % values


def test_no_english_is_left() -> None:
    same = {
        (entry.context, english)
        for entry in entries()
        for english, text in zip(forms(entry.id), forms(entry.string), strict=True)
        if english == text
    }
    assert same == SAME_IN_BOTH
    for entry in entries():
        for text in forms(entry.string):
            assert not ENGLISH.search(PLACEHOLDER.sub("", text)), text


def test_french_spaces_do_not_break() -> None:
    for entry in entries():
        for text in forms(entry.string):
            assert not TOO_SHORT_A_GAP.search(text), text


def test_french_spaces_are_of_one_width() -> None:
    for entry in entries():
        for text in forms(entry.string):
            assert "\N{NARROW NO-BREAK SPACE}" not in text, text


UNELIDED = re.compile(r"\b(?:de|que) (?:<[^>]*>)*%\((?:names?|guest|host|with)\)s", re.IGNORECASE)
"""Where Ana would need an apostrophe: "de Ana" is no French. Say it otherwise, or take `whose`."""


def test_names_need_no_elision_in_french() -> None:
    for entry in entries():
        if entry.context != "before a consonant":
            for text in forms(entry.string):
                assert not UNELIDED.search(text), text


def test_numbers_keep_their_units_in_french() -> None:
    for entry in entries():
        for text in forms(entry.string):
            assert not PARTED_UNIT.search(text), text


def test_french_names_places_as_records_do() -> None:
    """What is taught is what boards and letters write (docs/notation.md)."""
    for entry in entries():
        for text in forms(entry.string):
            assert not re.search(r"\b(?:CG|CD|[A-H][1-5]O)\b", text), text


def test_the_reader_is_addressed_as_a_friend() -> None:
    """Tutoiement; "vous" is the whole table."""
    for entry in entries():
        for text in forms(entry.string):
            if re.search(r"\b(votre|vos|veuillez)\b", text, re.IGNORECASE):
                raise AssertionError(text)


def test_markup_is_the_same() -> None:
    for entry in entries():
        for index, text in enumerate(forms(entry.string)):
            english = forms(entry.id)[min(index, len(forms(entry.id)) - 1)]
            assert re.findall(r"<[^>]*>", text) == re.findall(r"<[^>]*>", english), text


TYPED = re.compile(r"(?<=[^\W\d_])'(?=[^\W_%]|%\()|(?<=s)'(?= )")
"""An apostrophe as typewriters have it. In patterns of dates it marks what is no pattern."""


def test_apostrophes_are_set_as_type() -> None:
    said = [
        text
        for message in entries()
        if message.context != "CLDR date pattern"
        for text in (*forms(message.id), *forms(message.string))
    ]
    said += [
        re.sub(r"{{.*?}}|{%.*?%}|{#.*?#}|<[^>]*>", "", path.read_text(encoding="utf-8"), flags=re.S)
        for path in (TRANSLATIONS.parent.parent / "templates").rglob("rules.*.html")
    ]
    assert len(said) > 500
    assert [text for text in said if TYPED.search(text)] == []


def test_kinds_of_points_have_no_codes() -> None:
    code = re.compile(r"\b(?:FP|SP|VP|PN|PA|PV)\b")
    said = [text for entry in entries() for text in (*forms(entry.id), *forms(entry.string))]
    pages = sorted((TEMPLATES / "games").glob("*/*.html"))
    said += [re.sub(r"\{#.*?#\}", "", page.read_text("utf-8"), flags=re.DOTALL) for page in pages]
    assert [text for text in said if code.search(text)] == []


YES_BUT = ("yes, but", "oui, mais")
"""What begins a change of the turn that was asked about (tests/service/words/test_partly.py)."""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_word_that_a_sentence_asks_for_is_one(lang: str) -> None:
    """What stands between quotation marks in our sentences can be written so."""
    marked = {
        k: texts
        for k, texts in extracted().items()
        if re.search(r"[Rr]eply|The word “|“(?:yes|no|resume|\w+ off)”", texts[0])
    }
    texts = [text for found in marked.values() for text in found]
    if lang == "fr":
        entries = [e for e in french() if e.id and key(e) in marked]
        texts = [text for entry in entries for text in forms(entry.string)]
    pattern = re.compile(r"“([^”%]+)”" if lang == "en" else r"«\xa0([^»%]+)\xa0»")
    quoted = {word for text in texts for word in pattern.findall(text)}
    assert len(quoted) > 10
    # These need something behind them; a number is a choice.
    for word in quoted - {"message", "away", "absence", "PS", "1", *YES_BUT}:
        assert read(word).words, word
