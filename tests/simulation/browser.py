"""A person's browser: cookies, links of letters, and forms, at the application itself."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from werkzeug.test import TestResponse

if TYPE_CHECKING:
    from tests.simulation.world import World

_TOKEN = re.compile(r'name="csrf_token"[^>]*value="([^"]+)"')


class Browser:
    """Keeps the cookies of one person. Each request is handled by the web server's process."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._cookies: SimpleCookie = SimpleCookie()
        self._token: str | None = None

    def ask(self, method: str, path: str, fields: Sequence[tuple[str, str]] = ()) -> TestResponse:
        """One request. Raises Killed if the process is killed meanwhile."""
        client = self._world.web.app.test_client(use_cookies=False)
        headers = {
            "Cookie": "; ".join(f"{k}={v.coded_value}" for k, v in self._cookies.items()),
            "Accept-Language": "en",
        }
        parts = urlsplit(path)
        answer = client.open(
            f"{parts.path}?{parts.query}" if parts.query else parts.path,
            method=method,
            headers=headers,
            data=urlencode(fields) if method == "POST" else None,
            content_type="application/x-www-form-urlencoded" if method == "POST" else None,
        )
        for cookie in answer.headers.getlist("Set-Cookie"):
            self._cookies.load(cookie)
        if answer.status_code >= 500:
            self._world.checks.broken(f"{method} {parts.path} was answered {answer.status}")
        return answer

    def token(self) -> str:
        """What the forms of this browser hold against forgery."""
        if self._token is None:
            page = self.ask("GET", "/").get_data(as_text=True)
            found = _TOKEN.search(page)
            assert found is not None, page[:500]
            self._token = html.unescape(found[1])
        return self._token

    def press(self, path: str, fields: Sequence[tuple[str, str]] = ()) -> TestResponse:
        """Send a form."""
        return self.ask("POST", path, [("csrf_token", self.token()), *fields])
