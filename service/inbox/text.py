"""The player's own words in a reply: neither quote nor signature nor anything our letter said."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from service.inbox.endings import is_phone_line, without_endings
from service.inbox.headings import Heading, heading_at
from service.inbox.lines import Line
from service.inbox.marks import LETTER_END, REPLY_ABOVE, SAMPLE

LONGEST = 20_000
_SAMPLE = re.compile(rf"(?:[\s>|»*_]|<[^<>]{{0,900}}>)*{re.escape(SAMPLE.strip())}(?:\s|$)")
"""After marks of a quote or of emphasis; after tags where HTML came as plain text."""
_SOURCE = re.compile(r"(?:Content-(?:Type|Transfer-Encoding)|MIME-Version)\s?:", re.IGNORECASE)
"""A mail whose structure is broken shows its source: what follows is not to be told apart."""
_PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP = re.compile(r"-----(BEGIN|END) PGP [A-Z ]{1,30}-----")


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """What was found. `whole` is the text with its closings; `around` are the lines that mail
    programs wrote about a quote or device; `marked`: a sample order stood among them;
    `unmarked`: a quote without marks, in which own words could not be told from it.
    """

    text: str
    whole: str
    quoted: bool
    forwarded: bool
    marked: bool = False
    unmarked: bool = False
    around: tuple[str, ...] = ()


def own_text(lines: Sequence[Line], sender_name: str = "") -> Own:
    """The own words in these lines. Each stretch between quotes counts; its endings do not.

    Where a program quotes without marks, the quote goes from its heading to the end of the text.
    If nothing stands above such a quote, what stands below the end of our letter counts.
    """
    finding = _Finding(without_pgp(lines))
    finding.run()
    own = finding.stretches
    found = _joined(own, sender_name)
    if not found and not finding.forwarded:
        own = [finding.below]
        found = _joined(own, sender_name)
    return Own(
        text=found[:LONGEST],
        whole=_joined(own, sender_name, closings=True)[:LONGEST] if found else "",
        quoted=finding.quoted,
        forwarded=finding.forwarded,
        marked=finding.marked,
        unmarked=finding.unmarked,
        around=tuple(finding.around),
    )


class _Finding:
    """One pass over the lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.stretches: list[list[str]] = [[]]
        self.below: list[str] = []
        """What stands below the end of a letter that is quoted without marks."""
        self.quoted = False
        self.forwarded = False
        self.marked = False
        self.unmarked = False
        self.around: list[str] = []

    def run(self) -> None:
        """Sort every line."""
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if line.depth:
                self._break()
                self.quoted = True
                at += 1
            elif _SOURCE.match(line.text):
                return
            elif line.heads:
                self._letter_without_marks(at)
                return
            elif _SAMPLE.match(line.text):
                if line.text.startswith(REPLY_ABOVE):
                    self._drop_opening()
                    self._letter_without_marks(at)
                    return
                self.marked = True
                at = self._after_sample(at)
            elif heading := self._heading(at):
                self.around += [one.text for one in self.lines[at : heading.end]]
                self.quoted = True
                self.forwarded = self.forwarded or heading.kind == "forward"
                if not self._marked(heading.end):
                    self._letter_without_marks(heading.end)
                    return
                self._break()
                at = heading.end
            else:
                if is_phone_line(line.text):
                    self.around.append(line.text)
                self.stretches[-1].append(line.text)
                at += 1

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
        """Whether a marked quote follows."""
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
        self.quoted = self.unmarked = True
        for i in range(len(self.lines) - 1, at - 1, -1):
            if self.lines[i].text == LETTER_END:
                if any(_SOURCE.match(line.text) for line in self.lines[i + 1 :]):
                    return
                self.below = [
                    line.text
                    for line in self.lines[i + 1 :]
                    if not line.depth and not _SAMPLE.match(line.text)
                ]
                return

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
