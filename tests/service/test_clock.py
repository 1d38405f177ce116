"""Times are the reader's: their zone, their language, seen from when the letter was written."""

from __future__ import annotations

import datetime as dt

import pytest

from service.render.templating import environment
from service.time.display import Clock

WRITTEN = dt.datetime(2026, 11, 24, 17, 0, tzinfo=dt.UTC)
PATTERN = "EEEE d MMMM, HH:mm"


def test_the_same_moment_in_two_zones_and_languages() -> None:
    deadline = WRITTEN + dt.timedelta(days=2)
    paris = Clock("Europe/Paris", "fr", WRITTEN)
    tokyo = Clock("Asia/Tokyo", "en", WRITTEN)
    assert paris.say(deadline, PATTERN) == "jeudi 26 novembre, 18:00"
    assert tokyo.say(deadline, PATTERN) == "Friday 27 November, 02:00"
    assert paris.distance(deadline) == "dans 2\xa0jours"
    assert tokyo.distance(deadline) == "in 2\xa0days"


def test_one_moment_for_readers_of_one_language_in_several_zones() -> None:
    at = dt.datetime(2026, 11, 24, 18, 19, tzinfo=dt.UTC)
    zones = {"UTC": "18:19", "Europe/Paris": "19:19", "America/New_York": "13:19"}
    assert {zone: Clock(zone, "en", WRITTEN).say(at, "HH:mm") for zone in zones} == zones


def test_what_is_now_was_a_second_ago() -> None:
    french, english = (Clock("UTC", lang, WRITTEN) for lang in ("fr", "en"))
    assert french.distance(WRITTEN) == "il y a 1\xa0seconde"
    assert english.distance(WRITTEN + dt.timedelta(milliseconds=300)) == "1\xa0second ago"
    assert english.distance(WRITTEN - dt.timedelta(milliseconds=300)) == "1\xa0second ago"
    assert english.distance(WRITTEN + dt.timedelta(seconds=1)) == "in 1\xa0second"


@pytest.mark.parametrize(
    ("away", "english", "french"),
    [
        (dt.timedelta(days=6, hours=3), "in 6 days", "dans 6 jours"),
        (dt.timedelta(days=2, hours=13), "in 2 days", "dans 2 jours"),
        (dt.timedelta(days=3, minutes=-1), "in 3 days", "dans 3 jours"),
        (dt.timedelta(days=20, hours=20), "in 2 weeks", "dans 2 semaines"),
        (dt.timedelta(hours=36), "in 36 hours", "dans 36 heures"),
        (dt.timedelta(days=1, seconds=-30), "in 24 hours", "dans 24 heures"),
        (dt.timedelta(minutes=90), "in 1 hour", "dans 1 heure"),
    ],
)
def test_a_deadline_is_never_rounded_up(away: dt.timedelta, english: str, french: str) -> None:
    for lang, expected in (("en", english), ("fr", french)):
        said = Clock("UTC", lang, WRITTEN).distance(WRITTEN + away)
        assert said.replace("\xa0", " ") == expected


def test_a_full_hour_has_no_minutes_in_french() -> None:
    clock = Clock("UTC", "fr", WRITTEN)
    pattern = "d MMM, H\xa0'h'\xa0mm"
    assert clock.say(WRITTEN, pattern) == "24 nov., 17\xa0h"
    assert clock.say(WRITTEN + dt.timedelta(minutes=5), pattern) == "24 nov., 17\xa0h\xa005"


def test_local_time_follows_summer_time() -> None:
    clock = Clock("Europe/Paris", "en", WRITTEN)
    assert clock.say(dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC), "HH:mm") == "02:30"
    assert clock.say(dt.datetime(2026, 10, 25, 1, 30, tzinfo=dt.UTC), "HH:mm") == "02:30"
    assert clock.say(dt.datetime(2026, 7, 1, 12, 0, tzinfo=dt.UTC), "HH:mm") == "14:00"


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Time ran out 18 hours ago"), ("fr", "Le temps est écoulé depuis 18 heures")],
)
def test_a_deadline_that_is_over_is_none_to_play_by(lang: str, said: str) -> None:
    """On pages, which are looked at while the clock is being acted for."""
    clock = Clock("UTC", lang, WRITTEN)
    parts = environment(lang).get_template("pages/_parts.html")
    late = WRITTEN - dt.timedelta(hours=18)
    for by in ("by", "by_short"):
        told = str(getattr(parts.module, by)(clock, late)).replace("\N{NO-BREAK SPACE}", " ")
        assert told.startswith(said)
    waits = "the table is still waiting" if lang == "en" else "la table attend toujours"
    assert waits in str(parts.module.by(clock, late, "wait"))  # type: ignore[attr-defined]
    assert waits not in str(parts.module.by(clock, late, "bot"))  # type: ignore[attr-defined]
    assert not clock.is_now(late)
    assert clock.is_now(WRITTEN)
