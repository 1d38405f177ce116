"""The root of the command line, and how it fails: in one sentence, never a traceback."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import click

from service.core.errors import CannotStart
from service.core.settings import SettingsError

# Where each command lives, by what it is for. Modules are loaded when they are needed.
SECTIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "Everything on one machine": {"play": "service.cli.playing"},
        "Processes of a server": {
            "web": "service.cli.running",
            "worker": "service.cli.running",
            "mailer": "service.cli.running",
            "beat": "service.cli.running",
            "lmtp": "service.cli.running",
            "imap": "service.cli.running",
            "mail-sink": "service.cli.running",
        },
        "The database": {
            "migrate": "service.cli.database",
            "check": "service.cli.checking",
            "backup": "service.cli.database",
            "restore": "service.cli.database",
            "accept-key": "service.cli.database",
        },
        "Games and tables": {
            "open-table": "service.cli.tables",
            "tables": "service.cli.listing",
            "host": "service.cli.hosting",
            "waits": "service.cli.listing",
            "bots": "service.cli.records",
            "simulate": "service.cli.records",
            "export": "service.cli.tables",
            "verify": "service.cli.records",
        },
        "Letters and mails": {
            "letters": "service.cli.letters",
            "resend": "service.cli.letters",
            "suppress": "service.cli.letters",
            "mails": "service.cli.letters",
            "replay-mail": "service.cli.letters",
            "dead-letters": "service.cli.letters",
            "retry": "service.cli.letters",
        },
        "Players": {
            "export-player": "service.cli.people",
            "erase-player": "service.cli.people",
        },
    }
)
COMMANDS = {name: module for section in SECTIONS.values() for name, module in section.items()}
LONGEST = 400
"""Letters of a command's first sentence, which the list of all says whole."""


class Failure(click.ClickException):
    """A sentence for whoever typed the command. Exit status 1 unless another is given."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]

    def show(self, file: Any = None) -> None:
        """Print the sentence on standard error."""
        click.echo(f"paleopost: {self.format_message()}", file=file, err=file is None)


class Root(click.Group):
    """Finds commands by COMMANDS and turns expected errors into sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command by its name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name])
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with its first sentence, by sections."""
        for title, names in SECTIONS.items():
            found = [(name, self.get_command(ctx, name)) for name in names]
            rows = [(name, each.get_short_help_str(LONGEST)) for name, each in found if each]
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except (CannotStart, SettingsError) as error:
            raise Failure(str(error)) from error


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="paleopost")
def main() -> None:
    """Prehistoric board games, played by email."""
