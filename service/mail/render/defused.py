"""Links in what other players wrote, made so that no mail program makes them clickable.

Programs make links of bare domains, too, so each sign that makes one is put into brackets:
`https[:]//example[.]org`, `ana[@]example[.]org`. What was written stays readable.
"""

from __future__ import annotations

import re

_SCHEME = re.compile(
    r"(?<=\w):(?=//|\\\\)|"
    r"(?<=\bmailto):|(?<=\btel):|(?<=\bsms):|(?<=\bdata):|(?<=\bjavascript):|(?<=\bgeo):|"
    r"(?<=\bmagnet):|(?<=\bskype):|(?<=\bfacetime):|(?<=\bcallto):",
    re.IGNORECASE,
)
_DOT = re.compile(r"(?<=[^\s.])[.\u3002\uff0e\uff61\u2024](?=[^\W\d_]{2}|xn--)")
"""A dot before a word, with something before it. Those of other scripts count, too (UTS 46)."""
_NUMBERS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_AT = re.compile(r"(?<=\S)[@\uff20](?=[\w\[])")


def defused(text: str) -> str:
    """The text with every sign in brackets that a mail program might make a link by."""
    text = _NUMBERS.sub(lambda found: found[0].replace(".", "[.]"), text)
    text = _SCHEME.sub("[:]", text)
    text = re.sub(r"(?<![\w/\]])//(?=\w)", "/ /", text)
    text = _DOT.sub(lambda found: f"[{found[0]}]", text)
    return _AT.sub("[@]", text)
