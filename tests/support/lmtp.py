"""Mail taken in by LMTP or SMTP in the process of the tests, and a client that hears it all."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any

from service.core.context import Service
from service.mail.receive.lmtp import at
from service.mail.receive.smtp import Conversation, Gate, LmtpConversation


class Listening:
    """A server on a free port. `faults` are the errors that nobody has handled."""

    def __init__(
        self, service: Service, kind: Callable[[Service, Gate], Conversation] = LmtpConversation
    ) -> None:
        self.gate = Gate()
        self.faults: list[dict[str, Any]] = []
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _, fault: self.faults.append(fault))
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        factory = at(self.gate, lambda: kind(service, self.gate))

        async def listen() -> asyncio.Server:
            return await self._loop.create_server(factory, "127.0.0.1", 0)

        self._server = asyncio.run_coroutine_threadsafe(listen(), self._loop).result(120)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def client(self) -> Line:
        """Somebody who connects."""
        return Line(self.port)

    def stop(self) -> None:
        """Close it and all connections."""

        async def close() -> None:
            self._server.close()
            others = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(close(), self._loop).result(120)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(120)
        self._loop.close()


class Line:
    """A connection at which every line is said and heard by hand."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._heard = self._socket.makefile("rb")
        self.greeting = self.hear()

    def hear(self) -> str:
        """The next reply, its lines joined by "|"; "" when the other side has gone."""
        lines = []
        while line := self._heard.readline().decode().rstrip("\r\n"):
            lines.append(line)
            if line[3:4] != "-":
                break
        return "|".join(lines)

    def say(self, *lines: str | bytes) -> str:
        """Say lines at once; the first reply."""
        for line in lines:
            data = line if isinstance(line, bytes) else line.encode()
            self._socket.sendall(data + b"\r\n")
        return self.hear()

    def hello(self) -> str:
        """The greeting of LMTP."""
        return self.say("LHLO client.example")

    def deliver(self, sender: str, recipients: list[str], raw: bytes) -> list[str]:
        """Hand over one mail: the replies to RCPT, then those after the text."""
        self.say(f"MAIL FROM:<{sender}>")
        said = [self.say(f"RCPT TO:<{r}>") for r in recipients]
        taken = [reply for reply in said if reply.startswith("250")]
        if taken:
            assert self.say("DATA").startswith("354")
            self._socket.sendall(raw + b"\r\n.\r\n")
            said += [self.hear() for _ in taken]
        return said

    def close(self) -> None:
        """Hang up without a word."""
        self._heard.close()
        self._socket.close()
