"""A mailbox at a provider, over IMAP (RFC 3501): what we need of it and nothing else.

It may be somebody's own mailbox with private mail in it. Of a message that is not for us only the
headers that name recipients are ever fetched, and nothing about it is changed (BODY.PEEK).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import ssl
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

from imapclient import IMAPClient, SocketTimeout

from service.core import system_clock
from service.core.tls import refusals_explained, trusted
from service.mail.parse.headers import RECIPIENTS

# A server may hang up after half an hour (RFC 2177), and some do much earlier.
IDLE_FOR = 240
CONNECT_WITHIN = 20
ANSWER_WITHIN = 60

Error = IMAPClient.Error
Abort = IMAPClient.AbortError

_FIELDS = f"BODY.PEEK[HEADER.FIELDS ({' '.join(RECIPIENTS)})]"


class ImapBox:
    """One connection to one folder. Every method raises OSError or `Abort` when the connection has
    gone, and another `Error` when the server refuses.
    """

    def __init__(self, client: IMAPClient, name: str, folder: str, done: str) -> None:
        self._client = client
        selected = client.select_folder(folder)
        self.name = name
        self.uidvalidity = int(selected[b"UIDVALIDITY"])
        self.newest = int(selected.get(b"UIDNEXT", 1)) - 1
        self._done = done
        self._done_there = False

    def uids(self, after: int) -> list[int]:
        """The numbers above `after`, in order."""
        # "n:*" always has the last message in it, whatever its number.
        found = self._client.search(["UID", f"{after + 1}:*"])
        return sorted(uid for uid in found if uid > after)

    def recent(self, days: int) -> list[int]:
        """The numbers of what came in the last so many days, in order."""
        since = (system_clock.now() - dt.timedelta(days=days)).date()
        return sorted(self._client.search(["SINCE", since]))

    def heads(self, uids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Of each message that is still there, the headers that name recipients."""
        found = self._client.fetch(uids, [_FIELDS])
        for uid in uids:
            for key, value in found.get(uid, {}).items():
                if key.startswith(b"BODY["):
                    yield uid, value or b""

    def whole(self, uid: int, most: int) -> bytes | None:
        """The first `most` bytes of a message; None if it is no longer there."""
        found = self._client.fetch([uid], [f"BODY.PEEK[]<0.{most}>"]).get(uid, {})
        return next((v for k, v in found.items() if k.startswith(b"BODY[]")), None)

    def put_away(self, uid: int) -> None:
        """Mark a message as read and move it to the folder for what was taken."""
        if not self._done_there:
            self._done = self._made(self._done)
            self._done_there = True
        self._client.add_flags([uid], [b"\\Seen"], silent=True)
        if self._client.has_capability("MOVE"):
            self._client.move([uid], self._done)
            return
        self._client.copy([uid], self._done)
        self._client.delete_messages([uid], silent=True)
        # A plain EXPUNGE would also remove what the owner has marked in this folder (RFC 4315 §1).
        if self._client.has_capability("UIDPLUS"):
            self._client.uid_expunge([uid])

    def wait(self, every: int) -> None:
        """Until something may have come: told by the server if it can, at most `every` seconds.

        What comes between a look and the beginning of this may have been told before.
        """
        if not self._client.has_capability("IDLE"):
            system_clock.sleep(every)
            self._client.noop()
            return
        self._client.idle()
        self._client.idle_check(timeout=min(every, IDLE_FOR))
        self._client.idle_done()

    def close(self) -> None:
        """Hang up: in the midst of a command there is no goodbye that a server would answer."""
        with contextlib.suppress(OSError, Error):
            self._client.shutdown()

    def _made(self, folder: str) -> str:
        """The folder by the name that this server gives it, made if it is not there.

        `folder` is written with "/"; a server may part names with another character, and have a
        prefix for all of them (RFC 2342).
        """
        prefix, separator = "", "/"
        if self._client.has_capability("NAMESPACE") and self._client.namespace().personal:
            prefix, separator = self._client.namespace().personal[0]
        name = folder.replace("/", separator or "/")
        if not name.startswith(prefix):
            name = prefix + name
        if not self._client.folder_exists(name):
            self._client.create_folder(name)
            with contextlib.suppress(Error):
                self._client.subscribe_folder(name)
        return name


def connect(url: str, done: str, ca: str | None = None) -> ImapBox:
    """Log in and open the folder that IMAP_URL names (INBOX). Raises OSError or `Error`.

    `ca` are certificates to believe besides the system's (PEM).
    """
    with refusals_explained(urlsplit(url).hostname or "", "IMAP_URL"):
        return _connected(url, done, trusted(ca))


def _connected(url: str, done: str, context: ssl.SSLContext) -> ImapBox:
    # It writes down what is said, mail included.
    logging.getLogger("imapclient").setLevel(logging.WARNING)
    parts = urlsplit(url)
    host, user = parts.hostname or "", unquote(parts.username or "")
    folder = unquote(parts.path.strip("/")) or "INBOX"
    secure = parts.scheme == "imaps"
    client = IMAPClient(
        host,
        port=parts.port or (993 if secure else 143),
        ssl=secure,
        ssl_context=context if secure else None,
        timeout=SocketTimeout(CONNECT_WITHIN, ANSWER_WITHIN),
    )
    try:
        if parts.scheme == "imap+starttls":
            client.starttls(context)
        client.login(user, unquote(parts.password or ""))
        return ImapBox(client, f"{user}@{host}/{folder}"[:400], folder, done)
    except BaseException:
        with contextlib.suppress(OSError, Error):
            client.shutdown()
        raise
