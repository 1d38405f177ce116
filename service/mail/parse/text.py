"""The player's own words in a reply: neither quote nor signature nor anything our letter said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from service.mail.parse.lines import Line
from service.mail.parse.marks import LETTER_END, REPLY_ABOVE, SAMPLE
from service.mail.parse.quote_headers import Heading, heading_at
from service.mail.parse.sent import Sent, folded
from service.mail.parse.signatures import is_phone_line, without_endings

LONGEST = 20_000
"""Characters that are kept of what is one's own; `Own.length` tells whether there were more."""
_MOST_COMPARED = 2_000
"""Lines without a mark that are looked for in our letters; whoever writes more quotes."""
_NEAR = 6
"""Lines over which the next one with words is looked for."""
_FEW = 3
"""Words of a line that can be typed between two lines of a quote and go on with one by chance."""
_SAMPLE = re.compile(rf"(?:[\s>|»*_]|<[^<>]{{0,900}}>)*{re.escape(SAMPLE.strip())}(?:\s|$)")
"""After marks of a quote or of emphasis; after tags where HTML came as plain text."""
_SOURCE = re.compile(r"(?:Content-(?:Type|Transfer-Encoding)|MIME-Version)\s?:", re.IGNORECASE)
"""A mail whose structure is broken shows its source: what follows is not to be told apart."""
_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP = re.compile(r"-----(BEGIN|END) PGP [A-Z ]{1,30}-----")


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """The own words that were found. `whole` is the text with its closings; `around` are the lines
    that mail programs wrote about a quote or device; `marked`: a sample order stood among them;
    `unmarked`: a quote without marks, in which own words could not be told from it.

    `doubtful` are lines that may be the writer's own or a quote: to be asked about, never done.
    `length` are the characters of the text before it was cut to LONGEST.
    """

    text: str
    whole: str
    quoted: bool
    forwarded: bool
    marked: bool = False
    unmarked: bool = False
    around: tuple[str, ...] = ()
    doubtful: str = ""
    length: int = 0


def own_text(lines: Sequence[Line], sender_name: str = "", sent: Sent | None = None) -> Own:
    """The own words in these lines. Each stretch between quotes counts; its endings do not.

    What stands in a letter of ours (`sent`) is a quote, marked or not. Where a program quotes
    without marks, the quote goes from its heading to the end of the text: what stands there and in
    no letter is doubtful. So is what stands below a block of headers with nothing own above it,
    unless the program marks all of a letter that we know.
    """
    finding = _Finding(without_pgp(lines), sent)
    finding.run()
    own, doubts = finding.stretches, finding.doubts
    unsure = finding.partly or (sent is not None and not finding.known)
    if unsure and finding.block is not None and not _joined(own[: finding.block], sender_name):
        doubts = [*own[finding.block :], *doubts]
        own = own[: finding.block]
    found = _joined(own, sender_name)
    return Own(
        text=found[:LONGEST],
        length=len(found),
        whole=_joined(own, sender_name, closings=True)[:LONGEST] if found else "",
        quoted=finding.quoted,
        forwarded=finding.forwarded,
        marked=finding.marked,
        unmarked=finding.unmarked,
        around=tuple(finding.around),
        doubtful="" if finding.forwarded else _joined(doubts, sender_name)[:LONGEST],
    )


_Whose = Literal["own", "quote", "doubt"]


class _Finding:
    """One pass over the lines."""

    def __init__(self, lines: Sequence[Line], sent: Sent | None) -> None:
        self.lines = lines
        self.sent = sent
        self.words = [folded(line.text) if sent else () for line in lines]
        self.stretches: list[list[str]] = [[]]
        self.doubts: list[list[str]] = []
        self.block: int | None = None
        """The first stretch below a block of headers."""
        self.begun = False
        """Whether a quote has begun."""
        self.compared = 0
        self.quoted = False
        self.forwarded = False
        self.marked = False
        self.unmarked = False
        self.around: list[str] = []
        self.border: Literal["sure", "torn", "end"] = "end"
        """What ends the text at the top: a sign that a quote begins, a piece of a letter, or only
        the end.
        """
        self.partly = False
        """Whether the program marks only a part of what it quotes."""
        self.known = False
        """Whether what it marks is known."""
        if sent is not None:
            self._look_ahead()

    def run(self) -> None:
        """Sort every line."""
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if line.depth:
                self._break()
                self.quoted = self.begun = True
                at += 1
            elif _SOURCE.match(line.text):
                return
            elif line.heads:
                self._letter_without_marks(at)
                return
            elif _SAMPLE.match(line.text):
                self.begun = True
                if line.text.startswith(REPLY_ABOVE):
                    self._drop_opening()
                    self._letter_without_marks(at)
                    return
                self.marked = True
                at = self._after_sample(at)
            elif heading := self._heading(at):
                self.around += [one.text for one in self.lines[at : heading.end]]
                self.quoted = self.begun = True
                self.forwarded = self.forwarded or heading.kind == "forward"
                if not self._marked(heading.end):
                    self._letter_without_marks(heading.end)
                    return
                self._break()
                if heading.kind != "attribution" and self.block is None:
                    self.block = len(self.stretches) - 1
                at = heading.end
            else:
                self._line(at)
                at += 1

    def _line(self, at: int) -> None:
        """Put a line without any mark where it belongs."""
        text = self.lines[at].text
        if is_phone_line(text):
            self.around.append(text)
        whose = self._whose(at)
        if whose == "own":
            self.stretches[-1].append(text)
            return
        self._break()
        self.quoted = self.begun = True
        if whose == "doubt":
            self.doubts.append([text])

    def _whose(self, at: int) -> _Whose:
        """The owner of a line without a mark, by what we sent."""
        sent, words = self.sent, self.words[at]
        if sent is None:
            return "own"
        if not words:
            ruled = self.begun and self.partly and not self.lines[at].blank
            return "quote" if ruled else "own"
        self.compared += 1
        if self.compared > _MOST_COMPARED:
            return "quote"
        if not self._is_ours(at):
            return "doubt" if self.begun and self.partly and sent.resembles(words) else "own"
        before, after = self._goes_on(at)
        if before or after:
            between = self._is_marked(at, -1) and self._is_marked(at, 1)
            typed = between and len(words) <= _FEW and not (before and after)
            return "doubt" if typed else "quote"
        if not self.begun:
            torn = self.border == "torn" or (self.border == "end" and sent.is_answered(words))
            return "doubt" if torn else "own"
        return "doubt" if self.partly or sent.quotes(words) else "own"

    def _is_ours(self, at: int) -> bool:
        """True if a line stands in a letter, or was said by another player."""
        assert self.sent is not None
        return self.sent.holds(self.words[at]) or self.sent.quotes(self.words[at])

    def _goes_on(self, at: int) -> tuple[bool, bool]:
        """Two answers: the line goes on with the one before it, and the one after it with this one,
        as they do in a letter. The lines of one order may have been copied for an answer.
        """
        found = []
        assert self.sent is not None
        if not self.begun and not self.sent.quotes(self.words[at]) and self._is_composed(at):
            return False, False
        for step in (-1, 1):
            other = self._beside(at, step)
            pair = (other, at) if step < 0 else (at, other)
            both = () if other is None else self.words[pair[0] or 0] + self.words[pair[1] or 0]
            found.append(self._follow(both))
        return found[0], found[1]

    def _is_composed(self, at: int) -> bool:
        """True if the lines around this one, up to the next blank or marked ones, are put together
        as in no letter. So an order over several lines is, though letters hold each of them.
        """
        assert self.sent is not None
        first = last = at
        while first > max(0, at - _NEAR) and self._is_plain(first - 1):
            first -= 1
        while last + 1 < min(len(self.lines), at + _NEAR) and self._is_plain(last + 1):
            last += 1
        whole = tuple(word for words in self.words[first : last + 1] for word in words)
        # A sample's pieces, or several samples: copied, whatever a letter's HTML puts next to them.
        copied = all(self.sent.is_in_order(words) for words in self.words[first : last + 1])
        alone = not (self._follows_on(first, -1) or self._follows_on(last, 1))
        return (copied and alone) or not (self.sent.holds(whole) or self.sent.quotes(whole))

    def _follows_on(self, at: int, step: int) -> bool:
        """True if a letter goes on from the first or last line of a paragraph, beyond it."""
        other = self._beside(at, step)
        if other is None:
            return False
        first, second = (other, at) if step < 0 else (at, other)
        assert self.sent is not None
        return self.sent.holds(self.words[first] + self.words[second])

    def _is_plain(self, at: int) -> bool:
        line = self.lines[at]
        return bool(self.words[at]) and not line.depth and not line.heads

    def _follow(self, words: tuple[str, ...]) -> bool:
        assert self.sent is not None
        together = self.sent.holds(words) or self.sent.quotes(words)
        return together and not self.sent.is_in_order(words)

    def _beside(self, at: int, step: int) -> int | None:
        """The next line in that direction that has words."""
        i = at + step
        while 0 <= i < len(self.lines) and abs(i - at) <= _NEAR:
            if self.words[i]:
                return i
            i += step
        return None

    def _is_marked(self, at: int, step: int) -> bool:
        other = self._beside(at, step)
        return other is not None and self.lines[other].depth > 0

    def _look_ahead(self) -> None:
        """Find what ends the text at the top, and whether unmarked lines of a letter follow."""
        for at in range(min(len(self.lines), _MOST_COMPARED)):
            line = self.lines[at]
            if line.blank:
                continue
            if line.depth and len(self.words[at]) > _FEW:
                self.known = self.known or self._is_ours(at)
            sign = line.depth > 0 or line.heads or _SAMPLE.match(line.text) is not None
            if sign or self._heading(at):
                self.border = "sure" if self.border == "end" else self.border
                self.begun = True
            elif self._is_ours(at) and any(self._goes_on(at)):
                if self.border == "end":
                    self.border = "sure" if self._opens(at) else "torn"
                rest = self._is_marked(at, -1) and self._is_marked(at, 1)
                self.partly = self.partly or (self.begun and not rest)
        self.begun = False

    def _opens(self, at: int) -> bool:
        """True if the mark above which an answer stands is right below."""
        return any(line.text.startswith(REPLY_ABOVE) for line in self.lines[at + 1 : at + _NEAR])

    def _heading(self, at: int) -> Heading | None:
        if self.lines[at].blank:
            return None
        heading = heading_at(self.lines, at)
        if heading is None or heading.sure or self._marked(heading.end):
            return heading
        following = self._following(heading.end)
        is_ours = following is not None and following.text.startswith(REPLY_ABOVE)
        return heading if is_ours else None

    def _marked(self, at: int) -> bool:
        """True if a marked quote follows."""
        following = self._following(at)
        return following is not None and following.depth > 0

    def _following(self, at: int) -> Line | None:
        return next((line for line in self.lines[at : at + 6] if not line.blank), None)

    def _after_sample(self, at: int) -> int:
        """A sample at the border of the text was quoted without marks: what follows directly is
        the rest of it, or its address.
        """
        self._break()
        self.quoted = True
        while at < len(self.lines) and not self.lines[at].blank and not self.lines[at].depth:
            at += 1
        return at

    def _drop_opening(self) -> None:
        """What stands directly above the mark is our letter's first line, if anything is above
        that.
        """
        stretch = self.stretches[-1]
        blanks = [i for i, text in enumerate(stretch) if not text]
        if blanks and any(stretch[: blanks[-1]]):
            del stretch[blanks[-1] :]

    def _letter_without_marks(self, at: int) -> None:
        """All from here on is a quote. What is in no letter, or below the end of one, may be own
        words: they cannot be told from what else mail programs put there.
        """
        self.quoted = self.unmarked = True
        end = max(
            (i for i in range(at, len(self.lines)) if self.lines[i].text == LETTER_END),
            default=len(self.lines),
        )
        if any(_SOURCE.match(line.text) for line in self.lines[at:]):
            return
        self._break()
        inside, below = list[str](), list[str]()
        for i in range(at, min(len(self.lines), at + _MOST_COMPARED)):
            line, words = self.lines[i], self.words[i]
            if line.depth or _SAMPLE.match(line.text):
                continue
            known = self.sent is not None and self._is_ours(i)
            if i > end:
                if not (known and any(self._goes_on(i))):
                    below.append(line.text)
            elif self.sent is not None and not known and not self.sent.resembles(words):
                inside.append(line.text)
        self.doubts += [inside, below]

    def _break(self) -> None:
        """A quote begins: what comes after it is another stretch."""
        if self.stretches[-1]:
            self.stretches.append([])


def _joined(stretches: Sequence[list[str]], sender_name: str, *, closings: bool = False) -> str:
    kept = []
    for stretch in stretches:
        text = "\n".join(without_endings(stretch, sender_name, closings=closings)).strip()
        if text:
            kept.append(re.sub(r"\n{3,}", "\n\n", text))
    return "\n\n".join(kept)


def without_pgp(lines: Sequence[Line]) -> list[Line]:
    """The lines without the armour of an inline signature or key (RFC 9580 §7), dashes as they
    were.
    """
    kept: list[Line] = []
    skipping, signed = "", False
    for line in lines:
        mark = _PGP.fullmatch(line.text)
        if mark and line.text == _PGP_BEGIN:
            skipping, signed = "headers", True
        elif mark:
            skipping = "armour" if mark[1] == "BEGIN" else ""
        elif skipping == "headers" and line.blank:
            skipping = ""
        elif not skipping:
            escaped = signed and line.text.startswith("- -")
            kept.append(Line(line.text[2:], line.depth, line.raw) if escaped else line)
    return kept
