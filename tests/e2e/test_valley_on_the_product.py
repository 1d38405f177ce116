"""The valley on the whole product: five tribes. Bea answers her letters in English and Carl in
French, both file their moves ahead, Ana plays by touch on a phone, two are bots. Carl's tribe goes
without food by his own order: it is out, comes back by the rules (M§15.2), and is out for good.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from service.dev.mailbox.letter import Letter
from tests.referee.mammoths import referee
from tests.support.hand import NEXT, PHONE, PLAY, PLAYED, Hand, visit
from tests.support.post import answered, deliver, header, kind, sample
from tests.support.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.xdist_group("stack")]

LAST, WHOLE = 1, 99
"""The turn of the game with which the short match is left, and more than any has."""
PATIENCE = {LAST: 400, WHOLE: 3000}
HUNGRY = (2, 4)
"""Carl's turns without food: in the first year, and once his tribe has come back."""
BY_TOUCH = {LAST: 1, WHOLE: 3}
"""Ana's turns of which each step is chosen on the board; of the others the letter's first choice
is played.
"""
FILED = ("Your plan is saved", "Ton plan est enregistré")
BY_REPLY = ({"Ton tour est joué"}, {"Done", "Your turn is played"})
MATCHES = 4
"""As many are tried until one has all that is looked for: the programs draw anew each time."""
DONE = re.compile("^(Done|That is all)")
LOSSES = "loss any wwf"
STAY = "plan aller\nsi toujours\nsinon demander"
LANDS = re.compile(r"^(\d\d) [^;\n]*;(?:[^\n]|\n {3})*?Toi\s: (?=\d)", re.MULTILINE)
"""Lines of a letter's board on which its reader has pawns."""


class Asked(NamedTuple):
    """The decision that a letter is about, by its Message-ID."""

    turn: int
    kind: str


@pytest.fixture(
    params=[LAST, pytest.param(WHOLE, marks=[pytest.mark.rarely, pytest.mark.timeout(3600)])],
    ids=["begun", "whole"],
)
def last(request: pytest.FixtureRequest) -> int:
    """The last turn of the game that is played."""
    number: int = request.param
    return number


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone that complains of nothing."""
    faults: list[str] = []
    phone: dict[str, Any] = PHONE
    context = browser.new_context(**phone)
    made = context.new_page()
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield made
    context.close()
    assert not faults


def asked(letter: Letter) -> Asked:
    """What a letter asks, or invites to."""
    _, _, _, turn, what, *_ = header(letter, "Message-ID").split(".")
    return Asked(int(turn), what)


def said(letter: Letter) -> str:
    """The text of a letter in one line."""
    return " ".join((letter.text or "").split())


def without_food(letter: Letter) -> str:
    """The order that leaves all of Carl's tribe unfed, where the letter's board has it."""
    board = (letter.text or "").replace("\r\n", "\n")
    places = LANDS.findall(board)
    assert places, board
    return "priver " + " ".join(f"{place} 10g6f" for place in places)


def play(page: Page, letter: Letter, *, by_touch: bool) -> None:
    """Play what a letter asks for on a phone: a line chosen by touch, or its first choice."""
    hand = Hand(page, "touch")
    rest = page.locator("button[name=whole]")
    links: list[str] = re.findall(r"https?://[^\s<>]+", letter.text or "")
    visit(page, next(link for link in links if "/t/" in link and "?" in link))
    if by_touch:
        page.goto(page.url.partition("?")[0])
        hand.choose()
        # A list of hexes to settle on is done after any of them.
        done = page.locator(".choices a").get_by_text(re.compile("^Done"))
        while page.locator(NEXT).count() and not (rest.count() or done.count()):
            hand.choose()
        if (end := page.locator(".choices a").get_by_text(DONE)).count():
            end.first.tap()
            page.wait_for_selector("main button.main")
    if rest.count():
        rest.tap()
        page.wait_for_selector("main button.main")
    page.get_by_role("button", name=PLAY).scroll_into_view_if_needed()
    hand.play()
    page.wait_for_selector(PLAYED)


class Post:
    """What Bea and Carl answer, and what they are told."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.replies = 0
        self.answers: list[Letter] = []

    def reply(self, address: str, letter: Letter, text: str) -> None:
        self.replies += 1
        to, mail = answered(letter, address, text)
        deliver(self.stack, address, to, mail)

    def bea(self, address: str, letter: Letter) -> None:
        """What the letter offers first; her first letter says who is to fall."""
        first = asked(letter) == (1, "move") or kind(letter) == "orders"
        self.reply(address, letter, f"{sample(letter)}\n{LOSSES}" if first else sample(letter))

    def carl(self, address: str, letter: Letter) -> None:
        """The same in French; in his hungry turns nobody moves, and nobody is fed."""
        what = asked(letter)
        if what.turn not in HUNGRY or what.kind == "combat":
            text = sample(letter)
        elif kind(letter) == "orders":
            text = f"{STAY}\n{without_food(letter)}"
        else:
            text = f"fin\n{without_food(letter)}"
        self.reply(address, letter, text)


class Match:
    """A match of the five, up to its turn `last`; its letters by address."""

    def __init__(self, stack: Stack, page: Page, last: int, number: int) -> None:
        self.stack = stack
        self.page = page
        self.last = last
        ana, bea, self.carl = (
            f"{name}.valley{last}.{number}@example.org" for name in ("ana", "bea", "carl")
        )
        opened = stack.command(
            "open-table", "mammoths", "--host", f"{ana},en,Ana", "--seat", f"{bea},en,Bea",
            "--seat", f"{self.carl},fr,Carl", "--seat", "bot:greedy", "--seat", "bot:greedy",
            "--option", "board=2",
        )  # fmt: skip
        code = re.match(r"Table (\w+) waits", opened.stdout)
        assert code is not None, opened.stdout + opened.stderr
        self.code = code[1]
        self.post = Post(stack)
        self.act: dict[str, Callable[[str, Letter], None]] = {
            bea: self.post.bea,
            self.carl: self.post.carl,
        }
        self.letters: dict[str, list[Letter]] = {address: [] for address in (ana, bea, self.carl)}
        self.done: set[str] = set()
        self.touched = self.reached = 0

    def play(self) -> None:
        """Everybody reads and acts until all that is to be read has come."""
        self.stack.wait_until(self._read_mail, PATIENCE[self.last])

    def falls(self) -> list[Letter]:
        """What tells Carl that his tribe has fallen."""
        notices = [letter for letter in self.letters[self.carl] if kind(letter) == "notice"]
        return [letter for letter in notices if "Ta tribu n’est plus (famine)." in said(letter)]

    def answers(self) -> Counter[str]:
        """The first line of each answer to a reply."""
        return Counter((answer.text or "").splitlines()[0] for answer in self.post.answers)

    def has_all(self) -> bool:
        """True if it came to what is looked for: by chance a match may end before."""
        said = set(self.answers())
        played = all(by_reply & said for by_reply in BY_REPLY)
        return len(self.falls()) > 1 and set(FILED) <= said and played

    def _read_mail(self) -> bool:
        for address, got in self.letters.items():
            for letter in self.stack.letters(address):
                if header(letter, "Message-ID") not in self.done:
                    self.done.add(header(letter, "Message-ID"))
                    got.append(letter)
                    self._read(address, letter)
        over = all("end" in map(kind, got) for got in self.letters.values())
        read = len(self.post.answers) == self.post.replies
        return (over if self.last == WHOLE else self.reached > self.last) and read

    def _read(self, address: str, letter: Letter) -> None:
        """Do what a letter asks for."""
        match kind(letter):
            case "invitation":
                french = address == self.carl
                self.post.reply(address, letter, "Oui !" if french else "Yes!")
            case "answer":
                self.post.answers.append(letter)
            case "turn" | "orders":
                self.reached = max(self.reached, asked(letter).turn)
                if self.reached <= self.last and address in self.act:
                    self.act[address](address, letter)
                elif self.reached <= self.last and kind(letter) == "turn":
                    play(self.page, letter, by_touch=self.touched < BY_TOUCH[self.last])
                    self.touched += 1


def test_five_tribes_by_replies_by_touch_and_as_bots(
    stack: Stack, page: Page, tmp_path: Path, last: int
) -> None:
    for number in range(MATCHES):
        match = Match(stack, page, last, number)
        began = time.monotonic()
        match.play()
        told = {address: Counter(map(kind, got)) for address, got in match.letters.items()}
        waited = stack.command("waits", match.code).stdout
        print(f"{match.reached} turns, {time.monotonic() - began:.0f} s\n{waited}\n{told}")
        if last != WHOLE or match.has_all():
            break
    fallen = match.falls()
    if last == WHOLE or fallen:  # By the chance of the match it may not yet have come to it.
        assert "Ta tribu est tombée, et repart de la case" in said(fallen[0])
        assert "Tu as recommencé en" in said(fallen[0])
    said_first = match.answers()
    print(said_first)
    # In one turn what was filed may have been quicker than the answer to the letter, or
    # nothing was asked but by all at once.
    otherwise = (
        {"Ce tour est déjà joué", "Ta réponse est arrivée", "Tes ordres de combat sont arrivés"},
        {
            "This turn is played already",
            "Your answer is in",
            "Your orders for the fights are in",
        },
    )
    for by_reply, instead in zip(BY_REPLY, otherwise, strict=True):
        assert (by_reply if last == WHOLE else by_reply | instead) & set(said_first)
    if last == WHOLE:
        assert set(FILED) <= set(said_first)
        assert "Elle est hors jeu." in said(fallen[1])
        got = match.letters[match.carl]
        after = got[got.index(fallen[1]) + 1 :]
        assert {kind(letter) for letter in after} <= {"end", "answer"}
        check_record(stack, match.code, tmp_path / "game.json")


def check_record(stack: Stack, code: str, path: Path) -> None:
    """The program and the referee take the record; who filed moves has had them made."""
    assert stack.command("export", code, "--out", str(path)).returncode == 0
    checked = stack.command("verify", str(path))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    record = json.loads(path.read_text(encoding="utf-8"))
    referee(record)
    made = {(entry["seat"], entry["cause"]) for entry in record["entries"]}
    assert {(seat, "plan") for seat in (1, 2)} <= made
