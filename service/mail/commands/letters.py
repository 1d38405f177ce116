"""Words about how one is written to: language, clock, reminders, quiet hours, digest, threads."""

from __future__ import annotations

from typing import Any

from service.core.errors import Refused
from service.core.names import clean_name
from service.core.results import (
    DigestChosen,
    LanguageChosen,
    QuietChosen,
    RemindersChosen,
    Result,
    ThreadChosen,
    ZoneChosen,
)
from service.mail.commands import arguments as takes
from service.mail.commands.command import Command, CommandContext
from service.players import preferences
from service.players.accounts import zone_named

_LANGUAGES = {
    "en": "en",
    "english": "en",
    "anglais": "en",
    "fr": "fr",
    "french": "fr",
    "francais": "fr",
}
_THREADS = {
    "match": "match",
    "game": "match",
    "partie": "match",
    "turn": "turn",
    "turns": "turn",
    "tour": "turn",
    "tours": "turn",
}


def _change(context: CommandContext, **what: Any) -> None:
    preferences.change(context.service, context.work, context.player, **what)


def _lang(context: CommandContext, said: takes.Choice) -> Result:
    _change(context, lang=said.choice)
    return LanguageChosen(lang=said.choice)


def _remind(context: CommandContext, said: takes.Reminders) -> Result:
    _change(context, reminders=said.when)
    return RemindersChosen(when=tuple(context.player.reminders))


def _quiet(context: CommandContext, said: takes.Hours) -> Result:
    hours = None if said.first is None else (said.first, said.last)
    _change(context, quiet=hours)
    return QuietChosen(first=said.first, last=said.last)


def _zone(context: CommandContext, said: takes.Zone) -> Result:
    meant, near = zone_named(said.zone)
    if meant is None:
        raise Refused("bad_zone", zone=clean_name(said.zone), near=near)
    _change(context, zone=meant)
    return ZoneChosen(zone=context.player.zone)


def _digest(context: CommandContext, said: takes.Hour) -> Result:
    _change(context, digest=said.at)
    return DigestChosen(at=said.at)


def _thread(context: CommandContext, said: takes.Choice) -> Result:
    _change(context, thread=said.choice)
    return ThreadChosen(by=said.choice)


WORDS: tuple[Command[Any], ...] = (
    Command(
        "lang",
        "lang language langue",
        arguments=takes.one_of(_LANGUAGES),
        act=_lang,
        sample=True,
        stays_away=True,
    ),
    Command(
        "remind",
        "remind reminder reminders rappel rappels rappeler rappelle",
        arguments=takes.before,
        act=_remind,
        sample=True,
        stays_away=True,
    ),
    Command(
        "quiet",
        "quiet calme silence",
        arguments=takes.hours,
        act=_quiet,
        sample=True,
        stays_away=True,
    ),
    Command(
        "zone",
        "zone timezone fuseau",
        arguments=takes.zone,
        act=_zone,
        sample=True,
        stays_away=True,
    ),
    Command(
        "digest", "digest resume", arguments=takes.hour, act=_digest, sample=True, stays_away=True
    ),
    Command(
        "thread",
        "thread threads fil fils",
        arguments=takes.one_of(_THREADS),
        act=_thread,
        sample=True,
        stays_away=True,
    ),
)
