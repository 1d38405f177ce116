"""A browser as small as it can be, and an SMTP server that only notes the time."""

from __future__ import annotations

import asyncio
import html
import http.client
import re
import threading
import time
from collections.abc import Sequence
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from aiosmtpd.smtp import SMTP, Envelope, Session


class Arrivals:
    """An SMTP server on a free port of this process; knows when each Message-ID arrived, and says
    so `delay` seconds later.
    """

    def __init__(self, delay: float = 0.0) -> None:
        self._delay = delay
        self._times: dict[str, float] = {}
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        self.url = f"smtp://127.0.0.1:{listening.result(10)}"

    async def _listen(self) -> int:
        server = await self._loop.create_server(lambda: SMTP(self), "127.0.0.1", 0)
        return int(server.sockets[0].getsockname()[1])

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """aiosmtpd's hook."""
        now = time.perf_counter()
        content = envelope.original_content or b""
        found = re.search(rb"^Message-ID:\s*<([^@>]+)@", content, re.MULTILINE | re.IGNORECASE)
        assert found is not None
        with self._changed:
            self._times[found[1].decode()] = now
            self._changed.notify_all()
        await asyncio.sleep(self._delay)
        return "250 2.0.0 noted"

    def of(self, match: str, known: set[str], patience: float = 30) -> float:
        """When the first turn or end letter of this match arrived that is not `known`; waits for
        it.
        """

        def fresh() -> list[str]:
            heads = (f"turn.{match}.", f"end.{match}.")
            return [name for name in self._times if name.startswith(heads) and name not in known]

        with self._changed:
            if not self._changed.wait_for(fresh, patience):
                raise AssertionError(f"no letter of {match}")
            found = min(self._times[name] for name in fresh())
            known.update(fresh())
            return found

    def close(self) -> None:
        """Stop listening."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)


class Browser:
    """Cookies, and a connection for each request: a player is not there for the next one."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._cookies: SimpleCookie = SimpleCookie()

    def _ask(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        headers = {"Cookie": "; ".join(f"{k}={v.coded_value}" for k, v in self._cookies.items())}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.close()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self._cookies.load(cookie)
        return answer

    def follow(self, link: str) -> None:
        """Take what a link gives to this browser; the page it leads to is not asked for."""
        answer = self._ask("GET", urlsplit(link).path)
        answer.read()
        assert answer.status == 302, (answer.status, link)

    def csrf_token(self) -> str:
        """The token that the forms of this browser hold."""
        page = self._ask("GET", "/").read().decode()
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
        assert token is not None, page[:2000]
        return html.unescape(token[1])

    def post(self, path: str, fields: Sequence[tuple[str, str]]) -> str:
        """Send a turn; the code of the page that tells its verdict, which is not asked for."""
        answer = self._ask("POST", path, urlencode(fields))
        text = answer.read().decode()
        assert answer.status == 303, (answer.status, path, text[:500])
        location: str = answer.headers["Location"]
        assert "/verdict/" in location, location
        return urlsplit(location).path.rpartition("/verdict/")[2]
