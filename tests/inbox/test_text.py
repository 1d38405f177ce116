"""Own text, piece by piece."""

from __future__ import annotations

import pytest

from service.mail.parse import marks
from service.mail.parse.charsets import decoded, decoded_as
from service.mail.parse.lines import of_flowed, of_text
from service.mail.parse.markup import of_html
from service.mail.parse.message import read
from service.mail.parse.text import own_text
from service.mail.render import letter_context

ORDER = "lay hunt-fire C4 D4, take water-camp"
WROTE = "On Sat, 21 Nov 2026 at 10:02, Paleopost <play@play.example.org> wrote:"
BLOCK = (
    "From: Paleopost <play@play.example.org>\nSent: Saturday 21 November 2026 10:02\n"
    "To: Ana\nSubject: Sapiens"
)


def own(text: str, name: str = "Ana Morel") -> str:
    return own_text(of_text(text), name).text


def own_html(html: str) -> str:
    return own_text(of_html(html), "Ana Morel").text


def test_the_marks_are_those_of_our_letters() -> None:
    assert marks.SAMPLE == letter_context.ORDER_MARK
    assert marks.REPLY_ABOVE.startswith(marks.SAMPLE)


@pytest.mark.parametrize(
    "wrote",
    [
        WROTE,
        "On Sat, 21 Nov 2026 at 10:02, Paleopost <\nplay@play.example.org> wrote:",
        "On Saturday,\nNovember 21st, 2026\nat 10:02, Paleopost\n<play@play.example.org> wrote:",
        "Le sam. 21 nov. 2026 à 10:02, Paleopost <play@play.example.org> a\nécrit :",
        "Le 21/11/2026 à 10:02, Paleopost a écrit\u00a0:",
        'On Sat, 21 Nov 2026 at 10:02, "Bruno (Paleopost)" <play@play.example.org> wrote:',
        "Le sam. 21 nov. 2026 à 10:02, Bruno (Paleopost) <play@play.example.org>\na écrit :",
        "Le samedi 21 novembre 2026 à 10:02 CET, Paleopost <play@play.example.org> a écrit :",
        "Am 21.11.26 um 10:02 schrieb Paleopost:",
        "El sáb, 21 nov 2026 a las 10:02, Paleopost (<play@play.example.org>) escribió:",
        "Il giorno sab 21 nov 2026 alle ore 10:02 Paleopost <play@play.example.org> ha scritto:",
        "Op za 21 nov 2026 om 10:02 schreef Paleopost <play@play.example.org>:",
        "Paleopost <play@play.example.org> writes:",
        "---- On Sat, 21 Nov 2026 10:02:11 +0100 Paleopost <play@play.example.org> wrote ---",
        "-----Original Message-----\n" + BLOCK,
        "-------- Message d'origine --------\n" + BLOCK,
        "________________________________\n" + BLOCK,
        BLOCK,
        "*De :* Paleopost <play@play.example.org>\n*Envoyé :* samedi 21 novembre\n*À :* Ana",
        "De : Paleopost\n\nEnvoyé : samedi 21 novembre 2026 10:02\n\nÀ : Ana\n\nObjet : Sapiens",
    ],
)
@pytest.mark.parametrize("marked", [True, False])
def test_what_heads_a_quote_goes_with_it(wrote: str, marked: bool) -> None:
    quote = "> Your move\n> lay water-fire B5" if marked else "Your move\n\nlay water-fire B5"
    assert own(f"{ORDER}\n\n{wrote}\n\n{quote}\n") == ORDER


@pytest.mark.parametrize(
    "text",
    [
        "message On my way I wrote: see you",
        "message Le chef a écrit :\nil faut jouer",
        "message De : la part de Bruno",
        "message to all: 3 turns left",
        "- lay hunt-fire C4 D4\n- take water-camp",
        "message I was sent from pillar to post",
        "message thanks\nmessage",
        "De : Ana\nÀ : Bruno\nje passe",
    ],
)
def test_what_only_looks_like_a_heading_or_ending_stays(text: str) -> None:
    assert own(text) == text


def test_an_answer_below_and_between_quotes_is_found() -> None:
    assert own(f"{WROTE}\n> Your move\n\n{ORDER}\n") == ORDER
    assert own("> Your move\nlay hunt-fire C4 D4\n> more\n\ntake water-camp\n> end") == (
        "lay hunt-fire C4 D4\n\ntake water-camp"
    )


def test_the_rest_of_a_broken_quoted_line_is_quoted() -> None:
    long = "> ~ lay picking-fire F5S F5, take feast-fire, remove the tile of three"
    assert own(f"{ORDER}\n\n{long}\npicking-fight\n> more\n") == ORDER
    assert own("> Your move?\npicking\n> more\n") == "picking"


@pytest.mark.parametrize("mark", ["", "> ", ">", ">> ", "| ", " ", "\u00a0", "*", "» "])
def test_no_sample_is_own_text(mark: str) -> None:
    sample = "lay water-fire B5 B5S, take\n{mark}~   water-hunt, remove feast-fire"
    text = f"{mark}~ {sample}\n".replace("{mark}", mark)
    assert own(f"{ORDER}\n\n{text}\n") == ORDER
    assert own(text) == ""


def test_what_follows_an_unmarked_sample_directly_is_its_rest() -> None:
    assert own("~ lay water-fire B5 B5S, take water-hunt, remove\nfeast-fire\n\nhelp") == "help"


def test_our_mark_begins_a_quote_without_marks() -> None:
    letter = f"Your move, by Tuesday.\n{marks.REPLY_ABOVE} Write above. ~ ~ ~\n\nlay fire-hunt C4"
    assert own(f"{ORDER}\n\n{letter}") == ORDER
    assert own(f"{ORDER}\n{marks.REPLY_ABOVE} Write above.\n\nlay fire-hunt C4") == ORDER


def test_below_an_unmarked_letter_nothing_is_surely_own() -> None:
    letter = f"{BLOCK}\n\n{marks.REPLY_ABOVE} Write above.\nlay fire-hunt C4\n{marks.LETTER_END}\n"
    assert own(f"{letter}\n{ORDER}") == ""
    assert own_text(of_text(f"{letter}\n{ORDER}")).doubtful == ORDER
    assert own(f"help\n\n{letter}\n{ORDER}") == "help"


@pytest.mark.parametrize(
    "ending",
    [
        "-- \nAna Morel\n+33 5 53 00 00 00",
        "--\nAna",
        "Sent from my iPhone",
        "Envoyé de mon iPhone",
        "Envoyé depuis mon appareil Galaxy",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>",
        "Envoyé à partir de Outlook pour iOS<https://aka.ms/o0ukef>",
        "Envoyé à partir de Courrier pour Windows 10",
        "Provenance : Courrier pour Windows",
        "Sent with Proton Mail secure email.",
        "Envoyé avec la messagerie sécurisée Proton Mail.",
        "Envoyé depuis l'application Mail Orange",
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        "Kind regards,\nAna Morel",
        "Cordialement,\n\nAna",
        "Bonne journée,\nAna Morel\nDirectrice",
        "Merci !",
        "Ana",
        "CONFIDENTIALITY NOTICE: this mail is for its addressee\nonly.",
        "This e-mail and any attachments are confidential and intended solely for you.",
        "Ce message et ses pièces jointes peuvent contenir des informations confidentielles.",
        "____________________________________\nPaleo Ltd, London",
    ],
)
def test_endings_go(ending: str) -> None:
    assert own(f"{ORDER}\n\n{ending}\n\n{WROTE}\n> Your move\n") == ORDER
    assert own(f"{WROTE}\n> Your move\n\n{ORDER}\n\n{ending}\n") == ORDER


def test_an_order_below_a_thank_you_stays() -> None:
    assert own(f"Merci\n{ORDER}") == f"Merci\n{ORDER}"
    assert own("Thanks\nstatus") == "Thanks\nstatus"


@pytest.mark.parametrize(
    "html",
    [
        '<div>{}</div><blockquote class="gmail_quote">no</blockquote>',
        '<div>{}</div><div id="appendonsend"></div><div id="divRplyFwdMsg">no</div><div>no</div>',
        '<p>{}</p><p class="OutlookMessageHeader">no</p><p>no</p>',
        '<div>{}</div><div id="ydp1yahoo_quoted_1" class="ydp1yahoo_quoted"><div>no</div></div>',
        '<div>{}</div><div class="moz-cite-prefix">no</div><blockquote type="cite">no</blockquote>',
        '{}<div data-marker="__HEADERS__">no</div><div data-marker="__QUOTED_TEXT__">no</div>',
        '<div>{}</div><div class="zmail_extra">no</div>',
        '<div class="protonmail_quote"><blockquote>no</blockquote></div>{}',
        '<div style="display:none">no</div>{}<script>no</script><style>no</style><!-- no -->',
        '{}<div class="gmail_signature">no</div>',
        '{}<div id="Signature">no</div>',
        '{}<div id="ms-outlook-mobile-signature">no</div>',
        '<table><tr><td>{}</td></tr></table><pre class="moz-signature">-- \nno</pre>',
    ],
)
def test_html_marks(html: str) -> None:
    assert own_html(html.format(ORDER)) == ORDER


def test_lines_of_html() -> None:
    html = "<div>a<br></div><div><br></div><p class=MsoNormal>b</p><p class=MsoNormal>c</p><p>d</p>"
    assert own_html(html) == "a\n\nb\nc\n\nd"
    assert own_html("<pre>a\nb</pre>") == "a\nb"
    assert own_html("lay&nbsp;hunt-fire\n C4 <b>D4</b>") == "lay hunt-fire C4 D4"


def test_words_in_the_element_of_a_signature_are_found_if_there_are_no_others() -> None:
    raw = f"Content-Type: text/html\n\n<div id=AppleMailSignature>{ORDER}</div>".encode()
    assert read(raw).own_text == ORDER


def test_markup_that_is_called_plain_is_read_as_markup() -> None:
    assert read(f"\n<html><body><p>{ORDER}</p></body></html>".encode()).own_text == ORDER
    assert own(f"{ORDER}\n\n<div class='quiet'>~ lay water-fire B5</div>") == ORDER


def test_the_source_of_a_broken_mail_is_nobodys_words() -> None:
    source = f"--b\nContent-Type: text/html\n\n{ORDER}\n"
    assert ORDER not in own(f"help\n\n{source}")
    assert own(f"{BLOCK}\n\n{marks.LETTER_END}\n{source}") == ""


def test_flowed_lines_are_joined() -> None:
    assert [line.text for line in of_flowed("lay hunt-fire \nC4 D4\n\ntake", delsp=False)] == [
        "lay hunt-fire C4 D4",
        "",
        "take",
    ]
    assert [line.text for line in of_flowed("lay hunt- \nfire", delsp=True)] == ["lay hunt-fire"]
    assert [line.depth for line in of_flowed("> a \n> b\n>> c \nd", delsp=False)] == [1, 2, 0]
    assert [line.text for line in of_flowed("a \n-- \nb", delsp=False)] == ["a", "--", "b"]
    assert [line.text for line in of_flowed("> -- \n> b", delsp=False)] == ["--", "b"]
    assert [line.text for line in of_flowed(" > no quote\n From", delsp=False)] == [
        "> no quote",
        "From",
    ]


@pytest.mark.parametrize("label", ["us-ascii", "utf-8", "iso-8859-1", "x-unknown", "", "punycode"])
def test_charsets_are_what_they_are(label: str) -> None:
    assert decoded_as("à l’ours – ça".encode(), label) == "à l’ours – ça"
    assert decoded_as("à l’ours – ça".encode("cp1252"), label) == "à l’ours – ça"


@pytest.mark.parametrize("label", ["punycode", "idna", "unicode_escape", "rot13", "hex"])
def test_codecs_that_are_no_charset_are_not_used(label: str) -> None:
    assert decoded_as(b"ours-9ya \\x41", label) == "ours-9ya \\x41"


def test_other_charsets_are_believed() -> None:
    assert decoded_as("œuf à 2 €".encode("iso-8859-15"), "ISO-8859-15") == "œuf à 2 €"
    assert decoded(b"\x81\xe9") == "\x81é"


@pytest.mark.parametrize(
    ("field", "sender", "name"),
    [
        ("Ana <ana@example.org>", "ana@example.org", "Ana"),
        ("ANA@Example.ORG", "ana@example.org", ""),
        ('"bruno@example.org" <ana@example.org>', "ana@example.org", "bruno@example.org"),
        ("=?utf-8?q?Z=C3=A9bulon?= <ana@example.org>", "ana@example.org", "Zébulon"),
        ("=?utf-8?q?bruno=40example.org=2C?= <ana@example.org>", "ana@example.org", None),
        ("Zébulon <ana@example.org>", "ana@example.org", "Zébulon"),
        ("Ana <ana@example.org>, Bruno <bruno@example.org>", None, ""),
        ("ana@example.org, eve@evil.example", None, ""),
        ("Ana", None, ""),
        ("<>", None, ""),
        ("ana@example.org)eve@evil.example", None, None),
        ("", None, ""),
    ],
)
def test_senders(field: str, sender: str | None, name: str | None) -> None:
    found = read(f"From: {field}\n\nhelp".encode())
    assert found.sender == sender
    assert name is None or found.sender_name == name


def test_two_from_fields_are_nobody() -> None:
    assert read(b"From: ana@example.org\nFrom: eve@evil.example\n\nhelp").sender is None


def test_recipients_of_all_fields_once() -> None:
    found = read(
        b"To: Paleopost <R+TOKEN@play.example.org>, b@example.org\nCc: c@example.org\n"
        b"Delivered-To: r+token@play.example.org\nX-Original-To: d@example.org\n"
        b"Original-Recipient: rfc822;e@example.org\nEnvelope-To: <f@example.org>\n\nhelp"
    )
    assert found.recipients == (
        "r+token@play.example.org",
        "b@example.org",
        "c@example.org",
        "d@example.org",
        "e@example.org",
        "f@example.org",
    )


def test_references_are_told_once_each() -> None:
    found = read(b"References: <a@x> <b@x>\n\t<a@x>\nMessage-ID: bare@x\n\nhelp")
    assert (found.references, found.message_id) == (("a@x", "b@x"), "bare@x")


def test_an_attached_text_is_not_own_text() -> None:
    raw = (
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; name=a.txt\n"
        b"\nlay x\n--b\n\nhelp\n--b--\n"
    )
    assert (read(raw).own_text, read(raw).attachments) == ("help", 1)


@pytest.mark.parametrize("ending", ["À bientôt.", "Merci !", "Thanks\nAna", "Ana Morel"])
def test_the_whole_text_has_what_was_said_at_its_end(ending: str) -> None:
    for below in ("", "\n-- \nAna Morel\nLyon", "\nEnvoyé de mon iPhone", f"\n\n{WROTE}\n> hello"):
        found = own_text(of_text(f"message Bonjour\n{ending}{below}"), "Ana Morel")
        assert (found.text, found.whole) == ("message Bonjour", f"message Bonjour\n{ending}")
