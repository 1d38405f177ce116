"""The addresses of pages that letters point to. A key is in them only on the way in: the page it
opens keeps a cookie and shows an address without it. (The spectators' one and the join link are to
be handed on: there it stays.)
"""

from __future__ import annotations

from urllib.parse import quote_plus

from service.core.context import Service
from service.core.keys import seat_scope
from service.core.models import Match


class Links:
    """Absolute links of one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._base = service.settings.base_url
        self._made: dict[tuple[object, ...], str] = {}

    def _key(self, path: str, purpose: str, *scope: object) -> str:
        # A letter has one link several times, before each of its choices.
        token = self._made.get((purpose, *scope))
        if token is None:
            token = self._made[purpose, *scope] = self._service.keys.token(purpose, *scope)
        return f"{self._base}/{path}/{token}"

    def turn(self, match: Match, seat: int, decision: str, plan: str = "") -> str:
        """The form of this decision, filled with a plan (notation text) if there is one."""
        link = self._key("t", "decision", *seat_scope(match.seats[seat], decision))
        return f"{link}?plan={quote_plus(plan, safe=',')}" if plan else link

    def seat(self, match: Match, seat: int) -> str:
        """The match page of a seat."""
        return self._key("s", "seat", *seat_scope(match.seats[seat]))

    def resign(self, match: Match, seat: int) -> str:
        """The page on which a seat is given up, by its button."""
        return f"{self.seat(match, seat)}/resign"

    def table(self, match: Match, seat: int) -> str:
        """The same behind a sign-in, also before the match has begun."""
        return f"{self._base}/m/{match.code}/{seat}"

    def watch(self, match: Match) -> str:
        """The page for spectators, to be handed on freely."""
        return self._key("w", "watch", match.id)

    def check(self, match: Match) -> str:
        """The page that says how the chance of a match is checked."""
        return f"{self.watch(match)}/check"

    def watch_card(self, match: Match, lang: str) -> str:
        """The picture beside that link."""
        return f"{self.watch(match)}/board.png?lang={lang}"

    def join(self, match: Match) -> str:
        """The page on which anybody can take a seat, to be handed on freely."""
        return self._key("j", "join", match.id, match.join_links)

    def host(self, match: Match, seat: int) -> str:
        """The page of the host, behind a sign-in."""
        return f"{self.table(match, seat)}/host"

    def invitation(self, match: Match, player_id: int) -> str:
        """The page on which a guest answers."""
        return self._key("i", "invitation", match.id, player_id)

    def rematch(self, match: Match, seat: int) -> str:
        """The page that opens the same table again."""
        return self._key("again", "rematch", *seat_scope(match.seats[seat]))

    def sign_in(self, nonce: str, play: str | None = None) -> str:
        """The page that signs an address in, once; and starts a game against a bot, if one is named
        to `play`.
        """
        link = self._key("in", "signin", nonce)
        return f"{link}?play={quote_plus(play)}" if play else link

    def alias(self, nonce: str) -> str:
        """The page that confirms another address of a player."""
        return self._key("a", "alias", nonce)

    def front(self) -> str:
        """The front page."""
        return f"{self._base}/"

    def card(self, game: str, lang: str) -> str:
        """A position of a game, as the picture beside links to the front page."""
        return f"{self._base}/board.png?game={game}&lang={lang}"

    def learn(self, game: str) -> str:
        """The page to learn a game by."""
        return f"{self._base}/learn/{game}"

    def rules(self, game: str) -> str:
        """The rules page of a game."""
        return f"{self._base}/rules/{game}"

    def settings(self) -> str:
        """The page where players change how they are written to (behind a sign-in)."""
        return f"{self._base}/settings"
