"""A name server of tests, on a loopback port: it answers what it was given, by UDP."""

from __future__ import annotations

import socket
import threading

import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

Records = dict[tuple[str, str], list[str]]


class NameServer:
    """Answers from `records`: {(name, "TXT"): ['"v=spf1 -all"']}; "SILENCE" as the only value of a
    name is no answer at all, "SERVFAIL" an error.
    """

    def __init__(self, records: Records) -> None:
        self.records = records
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it."""
        ending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ending.sendto(b"", ("127.0.0.1", self.port))
        ending.close()
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            wire, client = self._socket.recvfrom(65535)
            if not wire:
                return
            answer = self._answer(dns.message.from_wire(wire))
            if answer is not None:
                self._socket.sendto(answer.to_wire(), client)

    def _answer(self, query: dns.message.Message) -> dns.message.Message | None:
        asked = query.question[0]
        kind = dns.rdatatype.to_text(asked.rdtype)
        values = self.records.get((asked.name.to_text(omit_final_dot=True).lower(), kind), [])
        if values == ["SILENCE"]:
            return None
        answer = dns.message.make_response(query)
        if values == ["SERVFAIL"]:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif values:
            answer.answer.append(dns.rrset.from_text(asked.name, 60, "IN", kind, *values))
        elif not any(name == asked.name.to_text(True).lower() for name, _ in self.records):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer
