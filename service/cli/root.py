"""The root of the command line, and how it fails: in one sentence, never a traceback."""

from __future__ import annotations

import importlib
from typing import Any

import click

from service.core.errors import CannotStart
from service.core.settings import SettingsError

# Where each command lives. Modules are loaded when they are needed: `--help` is quick.
COMMANDS = {
    "play": "service.cli.playing",
    "web": "service.cli.running",
    "worker": "service.cli.running",
    "mailer": "service.cli.running",
    "beat": "service.cli.running",
    "lmtp": "service.cli.running",
    "imap": "service.cli.running",
    "mail-sink": "service.cli.running",
    "migrate": "service.cli.database",
    "check": "service.cli.checking",
    "backup": "service.cli.backups",
    "restore": "service.cli.backups",
    "accept-key": "service.cli.backups",
    "bots": "service.cli.records",
    "simulate": "service.cli.records",
    "verify": "service.cli.records",
    "open-table": "service.cli.tables",
    "tables": "service.cli.listing",
    "export": "service.cli.tables",
    "host": "service.cli.hosting",
    "waits": "service.cli.waiting",
    "dead-letters": "service.cli.dead_letters",
    "retry": "service.cli.dead_letters",
    "letters": "service.cli.letters",
    "resend": "service.cli.letters",
    "suppress": "service.cli.letters",
    "mails": "service.cli.letters",
    "replay-mail": "service.cli.letters",
    "export-player": "service.cli.people",
    "erase-player": "service.cli.people",
}


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
