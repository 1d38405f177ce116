"""Sentences as letters print them and people write them, made what the notation reads.

"Picking-fire: picking on A2, fire on A1" is "lay picking-fire A2 A1"; articles and the like are
left out. What is no such sentence stays as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from engine.kit.notation.text import folded
from engine.sapiens.notation import words

LONGEST: Final = 1000
"""Characters of a turn in sentences, and a bound on the work."""

_SCENE: Final = "|".join(
    sorted({name for names in words.SCENES.values() for name in names.values()})
)
_COLOUR: Final = "|".join(
    sorted({name for names in words.COLOURS.values() for name in names.values()})
)
_VERBS: Final = "|".join(
    sorted({name for names in words.VERBS.values() for name in names.values()})
)
_PICTURES: Final = {
    "feast": "drumsticks?|gigots?",
    "picking": "cherr(?:y|ies)|berr(?:y|ies)|cerises?|baies?",
    "fight": "fists?|poings?|massues?",
    "water": "waves?|vagues?",
    "camp": "tents?|tentes?",
    "hunt": "mamm?oths?|mamm?ouths?",
    "fire": "flames?|flammes?",
    "ritual": "spirals?|spirales?|menhirs?",
}
"""What the pictures of the scenes show, for who names these."""

_GAP = r"[\s\-‐‑‒–—−:.,]*"
_ON = r"\s+(?:(?:is|lies|goes|est|va|soit)\s+)?(?:on|in|at|onto|into|sur|en|dans)\s+"
_OF_PLACE = r"(?:(?:the|your|la|ta)\s+)?(?:(?:square|cave|case|caverne)\s+)?"
_CAVE = r"(?:[a-h]\s?[1-5]\s?[nsewo]\b|wl\b|wr\b|cg\b|cd\b)"
_PLACE = rf"(?:[a-h]\s?[1-5]\b|{_CAVE})"
_ARTICLE = r"(?:(?:the|a|an|my|your|le|la|une?|mon|ma|ta|l['’])\s*)?"
_TILE = rf"(?:{_SCENE}){_GAP}(?:{_SCENE})(?:\.[1-9])?"
_SOMEBODYS = rf"{_ARTICLE}(?:[^\s,]+['’]s\s+)?(?:(?:tile|tuile)\s+)?(?P<%s>{_TILE})"

_PLAY = r"(?:play|use|joue|utilise)\s+(?:(?:the|my|a|le|mon|un)\s+)?"
_TOKEN = (
    rf"(?:(?:the|that|its|my|a|le|un|ce|mon)\s+)?(?:(?:{_SCENE})\s+)?(?:mountain\s+)?"
    rf"(?:tokens?|jetons?)(?:\s+montagne)?(?:\s+(?:{_SCENE}))?"
)
_STEAK = r"(?:(?:the|my|a|an|one|le|mon|un)\s+)?steak\b(?!\s+(?:token|from\s+the|from\s+my))"
_WHEN = (
    r"(?:\s+(?:for|pour|until|jusqu['’][àa]|in|en|au|my|ma|the|later|plus|tard|now|yet|moment|right"
    r"|l['’]instant|le|un|une|another|autre|turn|tour|ce|cette|this|ci|next|prochain|hand|main"
    r"|reserve|r[ée]serve|chaud|tout|de|suite|encore|maintenant|too|as|well|aussi)\b|-ci\b)*"
)
_WHO = (
    r"(?:(?:i|je|we|on)(?:['’](?:ll|d|m))?\s+(?:(?:am|will|would|do|like|want|to|rather|just|also|veux"
    r"|voudrais|bien)\s+)*|j['’]|let['’]s\s+(?:rather\s+)?)?"
)
_KEEP = (
    r"(?:keep(?:ing)?|sav(?:e|ing)|h(?:ang|old)(?:ing)?(?:\s+on\s+to)?|en\s+gardant"
    r"|gard(?:e|er|ant)|conserver?)"
)
_TWO_KEPT = re.compile(
    rf"\b(?P<keep>{_KEEP})\s+(?:aussi\s+|also\s+)?(?P<one>{_TOKEN}|{_STEAK})\s+(?:and|et)\s+"
    rf"(?:aussi\s+|also\s+)?(?P<other>{_TOKEN}|{_STEAK})",
    re.IGNORECASE,
)
_KEPT = re.compile(
    rf"(?:\A|[,;.(]|\b(?:and|but|et|mais|then|puis)\b|(?<=\n))\s*{_WHO}"
    rf"(?:(?:{_KEEP}(?:\s+(?:aussi|also))?"
    r"|(?:without|not|do\s+not|don['’]t|sans)\s+(?:want\s+to\s+|going\s+to\s+)?"
    r"(?:play(?:ing)?|us(?:e|ing)|jouer|utiliser)"
    r"|ne\s+(?:joue|utilise|veux)\s+pas(?:\s+(?:jouer|utiliser))?|without|sans)\s+"
    rf"(?:it|that|this|ça|cela|{_TOKEN}(?:\s*,\s*(?:je\s+)?le\s+gard(?:e|er))?)"
    rf"|{_TOKEN}\s+(?:stays?|reste)(?:\s+(?:with\s+me|avec\s+moi|mine))?"
    rf"|{_TOKEN}\s*,\s*(?:i(?:['’]ll)?\s+keep\s+it|je\s+le\s+gard(?:e|er))"
    r"|(?:le|la|l['’])\s*(?:gard(?:e|er)|prends|mets\s+de\s+c[ôo]t[ée])"
    r"|ne\s+m['’]en\s+sers\s+pas|(?:set|put)\s+(?:it|that)\s+aside|that['’]s\s+for\s+later|c['’]est\s+pour\s+plus\s+tard"
    r"|(?:without|sans)\s+(?:eating|converting|le\s+manger|le\s+convertir)(?:\s+it)?"
    r"|(?:do\s+not|don['’]t)\s+(?:eat|convert|turn)\s+it(?:\s+into\s+food)?"
    r"|ne\s+le\s+(?:convertis|mange)\s+pas)"
    rf"{_WHEN}(?=\s*(?:[,;.)\n]|\Z|(?:and|et|then|puis)\b))\)?",
    re.IGNORECASE,
)
"""What is not done needs no words in a turn: "and keep my camp token for later"."""

_CLAIMED = (
    r"(?:\b(?:(?:for|with|using|avec|pour|gr[âa]ce\s+(?:[àa]|au))\s+)?(?:(?:the|my|le|l['’]effet\s+du)\s+)?"
    rf"(?:ritual|rituel)(?:\s+(?:bonus|effect))?\s*[:,]?\s*{_WHO})?"
    r"\b(?:claim(?:ing)?|take|get|grab|win|fetch|collect|pick\s+up|prends|prendre|attrape|gagne|ramasse"
    r"|r[ée]clame|r[ée]cup[èe]re)\s+"
    rf"(?:{_TOKEN}\s+|(?:(?:the|le)\s+)?(?:{_SCENE})\s+(?=from|of|de|du))?(?:\([^()]*\)\s*)?"
    r"(?:(?:from|of|at|on|in|de|sur|[àa])\s+)?(?:(?:the|la)\s+)?(?:(?:cave|caverne)\s+)?"
    rf"({_CAVE})"
)
"""A mountain token that is claimed: "claim the camp token of the left waterfall"."""
_SWAPPED = (
    rf"(?:\b(?:(?:for|with|avec|pour|gr[âa]ce\s+[àa])\s+)?(?:(?:the|l['’])\s*)?(?:water|eau)\b"
    rf"(?:\s+(?:bonus|effect|effet))?\s*[,:]?\s*)?{_WHO}"
    r"(?:swap|exchange|trade|give|[ée]change[rz]?|donne[rz]?)\s+"
    + _SOMEBODYS
    % "given"
    + r"\s+(?:for|against|with|and\s+(?:get|take|receive)|contre"
    r"|et\s+(?:je\s+)?(?:re[çc]ois|prends))\s+"
    + _SOMEBODYS % "got"
    + r"(?:\s+(?:of|from|de|d['’])\s*(?!the\b|la\b)[^\s,.;]+)?"
)
"""Tiles that are exchanged: "swap my fight-fire for Greedy's water-camp" (S§8.5)."""
_MARKED = (
    rf"(?:\b(?:fight|baston)\s*:\s*)?{_WHO}\b(?:(?:put|place|mets|pose)\s+)?"
    r"(?:a|one\s+of\s+my|my|un|un\s+de\s+mes|mon)\s+(?:fight\s+tokens?|jetons?\s+baston)\s+"
    r"(?:goes\s+|va\s+)?(?:on|sur)\s+"
    r"(?:your\s+|their\s+own\s+|ta\s+tuile\s+|la\s+tuile\s+|[^\s,]+['’]s\s+)?"
)
"""A tile that is marked: "one of my fight tokens goes on Greedy's hunt-fire" (S§8.4)."""
_BEAR = (
    r"(?:\b(?:(?:for|with|pour|avec)\s+)?(?:(?:the|le|l['’])\s*)?(?:fire|feu)"
    rf"(?:\s+(?:bonus|effect))?\s*[:,]?\s*)?{_WHO}"
    r"\b(?:(?:put|place|lay|mets|pose|with|avec)\s+)?(?:a|an|the|my|un|mon|l['’])\s*(?:bear|ours)\s+"
    r"(?:goes\s+|va\s+)?(?:on|in|at|to|sur|en|dans)\s+(?:la\s+case\s+)?"
)
"""A bear on somebody's square: "for the fire bonus I put a bear on yellow's G3" (S§8.8)."""
_REMOVED = (
    r"\b(?:throw\s+(?:out|away)|get\s+rid\s+of|chuck(?:\s+out)?|discard|drop|bin|vire[r]?|jette[r]?|enl[èe]ve[r]?"
    r"|[ée]carte[r]?|d[ée]fausse[r]?)\b"
)
_GONE = (
    rf"\b{_ARTICLE}({_TILE})\s+(?:can\s+go|may\s+go|goes|leaves(?:\s+the\s+game)?|peut\s+partir"
    r"|s['’]en\s+va|part)\b"
)

_LAID = re.compile(
    rf"(?P<verb>\b(?:lay|place|put|pose|poser|mets)\b\s+)?"
    rf"(?P<before>{_ARTICLE}(?:(?:tile|tuile)\s+)?(?P<tile>\b{_TILE})\b(?:(?!{_PLACE})[^.;\n]){{0,50}}?)?"
    rf"{_ARTICLE}\b(?P<one>{_SCENE}){_ON}{_OF_PLACE}(?P<first>{_PLACE})"
    rf"(?:(?!\b{_PLACE})[^.;\n]){{0,60}}?"
    rf"\b(?P<other>{_SCENE})\b(?:(?!\b(?:{_SCENE})\b|\b{_PLACE})[^.;\n]){{0,40}}?{_ON}{_OF_PLACE}"
    rf"(?P<second>{_PLACE})\)?",
    re.IGNORECASE,
)
_LAYING = re.compile(
    rf"(?:\A|(?<=[.;:\n]))(?P<lead>[^.;:\n]*?)\blay\s+(?P<tile>(?:{_SCENE})-(?:{_SCENE}))\b",
    re.IGNORECASE,
)
_SAYING = (
    "i d ll would like to want will put place lay set my the a tile tiles with so that and next "
    "beside other of on it is just je mets pose voudrais veux vais poser mettre ma la le l une "
    "tuile tuiles avec et a cote de mon autre mes juste sous contre"
)
_OF_LAYING: Final = frozenset(_SAYING.split())
"""Words before the half of a tile and its place that say nothing else: "I put my tile so that"."""
_STEPS: Final = {
    "E": (r"(?:(?:to|on|at)\s+)?(?:the|its)\s+right|[àa]\s+(?:sa\s+|la\s+)?droite", (1, 0)),
    "W": (r"(?:(?:to|on|at)\s+)?(?:the|its)\s+left|[àa]\s+(?:sa\s+|la\s+)?gauche", (-1, 0)),
    "S": (r"below|under|beneath|(?:au-|en\s+)?dessous", (0, 1)),
    "N": (r"above|(?:au-)?dessus", (0, -1)),
}
"""How the second half of a tile is said to lie beside the first: squares across and down."""
_BESIDE = re.compile(
    rf"(?P<whole>\b(?:{_SCENE}){_ON}{_OF_PLACE}(?P<first>[a-h][1-5])\b"
    rf"(?:(?!\b{_PLACE})[^.;\n]){{0,60}}?\b(?:{_SCENE})\b)"
    rf"(?P<between>(?:(?!\b(?:{_SCENE})\b|\b{_PLACE})[^.;,\n]){{0,30}}?)"
    rf"\b(?P<way>{'|'.join(said for said, _ in _STEPS.values())})\b"
    rf"(?:\s+(?:it|of\s+it|de\s+lui))?(?!(?:(?!\b(?:{_SCENE})\b)[^.;\n]){{0,30}}\b{_PLACE})",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    rf"\A\s*({_SCENE})\s*(?:,|&|\+|/|\band\b|\bet\b)\s*({_SCENE})\b(?={_ON}|\s+{_PLACE})",
    re.IGNORECASE,
)
"""A tile in two words at the beginning: "picking, hunt on D5"."""
_NO_VERB = re.compile(rf"\A\s*(?={_TILE}\s*(?:\s{_PLACE}|\Z|,))", re.IGNORECASE)
"""A text that begins with a tile: a turn does so with laying it."""
_COMMENT = re.compile(r"\s*\((?![^()]*[\n;])[^()]*\)")
"""What stands in brackets says what is known: points, the owners of fight tokens, a scene."""

_SIDES: Final = (
    ("N", r"above|au-dessus\s+de"),
    ("S", r"below|under|au-dessous\s+de|en\s+dessous\s+de|sous"),
    ("W", r"left\s+of|[àa]\s+gauche\s+de"),
    ("E", r"right\s+of|[àa]\s+droite\s+de"),
)
"""Sides of the cave beside a square (S§1.4), as they are said."""

_Spoken = Sequence[tuple[str, str | Callable[[re.Match[str]], str]]]
_NAMES: Final[_Spoken] = (
    *((rf"\b(?:{seen})\b", scene) for scene, seen in _PICTURES.items()),
    *((rf"(?:\b(?:the|la)\s+)?\b(?:cave|caverne)\s+(?:to\s+the\s+)?(?:{said})\s+([a-h]\s?[1-5])\b",
       rf"\1{side}") for side, said in _SIDES),
    ((r"\b(?:(?:the|la)\s+)?(?:left\s+waterfall|waterfall\s+on\s+the\s+left"
      r"|cascade\s+(?:de\s+)?gauche)\b"), "WL"),
    ((r"\b(?:(?:the|la)\s+)?(?:right\s+waterfall|waterfall\s+on\s+the\s+right"
      r"|cascade\s+(?:de\s+)?droite)\b"), "WR"),
    (rf"\b(?:{_SCENE})\s+(?=cave\b)", ""),
    (rf"(?<=caverne)\s+(?:du|de\s+la|de\s+l['’]|de)\s*(?:{_SCENE})\b", ""),
)  # fmt: skip
"""What scenes and places are called."""
_DEEDS: Final[_Spoken] = (
    (r"\s+(?:no\.|n°)\s*([1-9])\b", r".\1"),
    (_MARKED, "fight "),
    ((r"\s+(?:in|from|dans|de)\s+(?:the|la)\s+(?:com+on\s+pool|middle|r[ée]serve(?:\s+com+une)?)\b"
     r"|\b(?:from\s+the\s+middle|du\s+milieu)\b"), ""),
    (r"\b(?:one\s+of\s+(?:the|both)(?:\s+two)?|une?\s+des\s+(?:deux|trois))\s+(?=\w)", ""),
    ((rf"\b(?:the\s+one|that|celle)\s+(?:with|avec)\s+{_ARTICLE}({_SCENE})\s+(?:and|et)\s+"
     rf"{_ARTICLE}({_SCENE})\b"), r"\1-\2"),
    ((rf"\b({_SCENE})\s+(?:and|with|et|avec)\s+{_ARTICLE}({_SCENE})\b"
     r"(?!\s+(?:is|lies|on|in|at|sur|en|dans|[a-h][1-5]))"), r"\1-\2"),
    (_SWAPPED, lambda found: f"water {found['given']} {found['got']}"),
    ((r"\b(?:hunt|chasse)\s*:\s*(?:take|prendre)\s+(?:a|un)\s+steak"
     r"(?:,\s*(?:turn|en\s+convertir)\s+(\d+)(?:\s+into\s+food)?)?"), r"hunt \1"),
    (r"\b(?:hunt|chasse)\s*:\s*(?:turn|convertir)\s+(\d+)\s+steaks?(?:\s+into\s+food)?",
     r"hunt \1"),
    ((r"\b(?:feast|festin)\s*:\s*(?:one\s+more\s+tile[^:]*?bonus|une\s+tuile\s+de\s+plus[^:]*?effet)"
     r",\s*"), "feast "),
    (_CLAIMED, r"ritual \1"),
    (rf"\b(?:{_PLAY})?({_SCENE})\s+(?:mountain\s+)?token\b", r"token \1"),
    (rf"\b{_PLAY}(?=(?:mountain\s+token|token|jeton)\b)", ""),
    (r"\b(?:mountain\s+token|token|jeton\s+montagne|jeton)\b[,:]?\s+(?=[a-z]+\b)", "token "),
    (r"\b(?:camp|campement|picking|cueillette)\s*:\s*\+\d+\s+(?:food|shelter|PN|PA|PF|FP|SP)\b",
     lambda found: found[0].partition(":")[0].strip()),
    # Steaks are what hunts give, bears what fires move (S§8.7, S§8.8).
    (rf"(?:\b(?:hunt|chasse)\s*:\s*)?{_WHO}\b(?:{_KEEP}|get|take|want|garde|prends|veux|avec|with)\s+{_STEAK}"
     r"(?:\s+(?:of|from|de)\s+(?:the|la)\s+(?:hunt|chasse))?" + _WHEN, "hunt"),
    (_BEAR, "fire "),
    (rf"\b({_COLOUR})['’]s?\s+(?=[a-h][1-5])", r"\1 "),
    (rf"\b([a-h][1-5])\s+(?:of|at|de|chez)\s+({_COLOUR})\b", r"\2 \1"),
    (r"\s+(?:from\s+the\s+game|de\s+la\s+partie|du\s+jeu)\b", ""),
    (_GONE, r"remove \1"),
    (_REMOVED, "remove"),
    (rf"\b(?:pick\s+up|grab|get|pioche|r[ée]cup[èe]re)\s+{_ARTICLE}(?={_TILE})", "take "),
    (r"\bprendre\b", "prends"),
    (r"\bretirer\b", "retire"),
    (r"\bposer\b", "pose"),
    (r"\s+/\s+", ", "),
    (r"[\s,]*\b(?:please|pls|svp|stp|thanks|merci)\b[.!\s]*$", ""),
    ((r"\A\s*(?:please|once\s+more|again|encore\s+une\s+fois|cette\s+fois|this\s+time|je\s+reprends\s*:)\b"
      r"[\s,:]*"), ""),
)  # fmt: skip
_FILLERS = re.compile(
    r"\b(?:on|at|en|dans|the|my|tile|tiles|and|then|cave|square|sur|la|le|les|mon|ma|et|puis|tuile|tuiles"
    r"|caverne|case)\b[ \t]*",
    re.IGNORECASE,
)
_NEXT_VERB = re.compile(
    r"(?<=[\w)])[ \t]+(?:(?:and|then|et|puis|ensuite)[ \t]+)+"
    r"(?=(?:take|remove|token|prends|retire|jeton)\b)"
    # Sentences of somebody who says what they do: "... on G5. I take ritual-hunt".
    rf"|(?<=[\w)])[ \t]*[.,;]?[ \t]+(?:(?:and|then|et|puis|ensuite)[ \t]+)*(?:(?:i|je)[ \t]+|j['’])"
    rf"(?=(?:{_VERBS})\b)|(?<=[\w)])\.[ \t]+(?=(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_LED = re.compile(rf"^[ \t]*{_WHO}(?=(?:{_VERBS})\b)", re.IGNORECASE | re.MULTILINE)


def as_notation(text: str) -> str:
    """The text with its sentences as the notation has them; one longer than LONGEST as it is."""
    if len(text) > LONGEST:
        return text
    text = _TWO_KEPT.sub(r"\g<keep> \g<one>, \g<keep> \g<other>", text)
    done = _KEPT.sub("", text)
    text = done if done.strip(" ,;.\n") else text
    text = _with(_NAMES, text)
    text = _LAYING.sub(_lay_alone, _LAID.sub(_laid, _BESIDE.sub(_beside, text)))
    text = _with(_DEEDS, text)
    text = _COMMENT.sub("", text)
    text = _LED.sub("", _NEXT_VERB.sub(", ", text))
    text = _LOOSE.sub(r"\1-\2", text)
    return _NO_VERB.sub("lay ", _FILLERS.sub("", text))


def _with(spoken: _Spoken, text: str) -> str:
    for pattern, instead in spoken:
        text = re.sub(pattern, instead, text, flags=re.IGNORECASE | re.MULTILINE)
    return text


def _beside(found: re.Match[str]) -> str:
    """The same with the square that lies on this side of the first, or the cave."""
    at, way = found["first"].upper(), found["way"]
    side, (across, down) = next(
        (side, step) for side, (said, step) in _STEPS.items() if re.match(said, way, re.IGNORECASE)
    )
    if re.search(r"\b(?:cave|caverne)\b", found["between"], re.IGNORECASE):
        return f"{found['whole']} on {at}{side}"
    column, row = chr(ord(at[0]) + across), int(at[1]) + down
    if not ("A" <= column <= "H" and 1 <= row <= 5):
        return found[0]
    return f"{found['whole']} on {column}{row}"


def _lay_alone(found: re.Match[str]) -> str:
    """A placement without what leads to it, if that says nothing else than which tile it is."""
    scenes = {folded(name) for name in re.findall(_SCENE, found["tile"], re.IGNORECASE)}
    if not re.fullmatch(r"[\w\s'’,-]*", found["lead"]):
        return found[0]  # such as the mark of a letter's own sample
    said = re.findall(r"[a-z0-9]+", folded(found["lead"]).replace("'", " "))
    return found[0][len(found["lead"]) :] if scenes.union(_OF_LAYING).issuperset(said) else found[0]


def _laid(found: re.Match[str]) -> str:
    """The placement; a tile before it that is another stays as it was typed."""
    one, other = found["one"], found["other"]
    if folded(one) == folded(other):
        return found[0]
    tile, copy, before = f"{one}-{other}", "", ""
    if found["tile"]:
        named = re.findall(_SCENE, found["tile"], re.IGNORECASE)
        if {folded(name) for name in named} == {folded(one), folded(other)}:
            copy = "".join(re.findall(r"\.[1-9]$", found["tile"]))
        else:
            before = f"{found['verb'] or ''}{found['before']}"
    led = f"{found.string[: found.start()]}{before}".rstrip(" \t,:").casefold()
    verb = "" if re.search(r"\b(?:feast|festin|abandon|abandonne)$", led) else "lay "
    return f"{before}{verb}{tile}{copy} {found['first']} {found['second']}"
