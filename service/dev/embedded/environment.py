"""The settings of the embedded product: what the environment leaves out is filled in.

They are also written to a file in the data directory, so that the command line, called in another
terminal, works on the same tables as the running product.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from service.core.errors import CannotStart
from service.ops.processes import Serving

DEFAULT_DIRECTORY = "var"
FILE = "environment.json"
KEPT = (
    *("REDIS_URL", "SMTP_URL", "SMTP_URL_FILE", "MAIL_DOMAIN", "MAIL_FROM", "PLUS_ADDRESS"),
    *("LMTP_LISTEN", "SMTP_LISTEN", "SOCKET_GROUP", "IMAP_URL", "IMAP_URL_FILE"),
)
"""Kept for the command line besides what is filled in."""


_SECRETS = ("SECRET_KEY", "SECRET_KEYS")


def data_directory(env: Mapping[str, str]) -> Path:
    """The directory where the embedded product keeps everything."""
    return Path(env.get("PALEOPOST_DATA") or DEFAULT_DIRECTORY).absolute()


def embedded_environment(
    env: Mapping[str, str],
    directory: Path,
    serving: Serving,
    broker_url: str,
    sink_port: int | None,
    lmtp_port: int | None = None,
) -> dict[str, str]:
    """`env` and the settings it leaves out. `sink_port` is None when letters go out for real: their
    sender then has to be one of the operator's own. `lmtp_port` is where the mailbox's answers go.

    Raises CannotStart when the secret key cannot be read or made.
    """
    host = serving.reachable_host
    defaults = {
        "DATABASE_URL": f"sqlite:///{directory / 'paleopost.db'}",
        "BASE_URL": f"http://{f'[{host}]' if ':' in host else host}:{serving.port}",
    }
    if not any(env.get(f"{name}{end}") for name in _SECRETS for end in ("", "_FILE")):
        keys = _secret_keys(directory)
        defaults["SECRET_KEY" if len(keys) == 1 else "SECRET_KEYS"] = " ".join(keys)
    if sink_port is not None:
        defaults |= {
            "SMTP_URL": f"smtp://127.0.0.1:{sink_port}",
            "MAILBOX": "1",
            "MAIL_DOMAIN": "paleopost.example",
        }
    if lmtp_port is not None:
        defaults["LMTP_LISTEN"] = f"127.0.0.1:{lmtp_port}"
    settled = {**defaults, **{name: value for name, value in env.items() if value}}
    settled |= {"REDIS_URL": broker_url, "PALEOPOST_DATA": str(directory)}
    # Each thread of the web server would otherwise keep a heap of its own (glibc's malloc).
    settled.setdefault("MALLOC_ARENA_MAX", "2")
    _write_private(
        directory / FILE,
        json.dumps({name: settled[name] for name in (*defaults, *KEPT) if name in settled}),
    )
    return settled


def with_embedded(env: Mapping[str, str]) -> dict[str, str]:
    """`env`, and where it names no database, the settings of the embedded product on its data.

    Raises CannotStart when there is neither.
    """
    if env.get("DATABASE_URL") or env.get("DATABASE_URL_FILE"):
        return dict(env)
    try:
        text = (data_directory(env) / FILE).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CannotStart(
            "There are no settings to go by: DATABASE_URL is not set, and `paleopost play` has not "
            f"run on {data_directory(env)} (PALEOPOST_DATA)."
        ) from error
    filled = {name: value for name, value in env.items() if value}
    return {**json.loads(text), "PALEOPOST_DATA": str(data_directory(env)), **filled}


def _secret_keys(directory: Path) -> list[str]:
    """The lines of the file, the newest key first."""
    path = directory / "secret_key"
    try:
        if not path.exists():
            _write_private(path, secrets.token_hex(32))
        return path.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"The secret key {path} cannot be read: {error}.") from error


def _write_private(path: Path, text: str) -> None:
    """Replace a file by one that only its owner can read, whole or not at all."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
