"""The mailbox pages: every side of a letter is shown, and nothing in a letter gets to act."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from service.core.settings import Settings
from service.dev.app import create_app
from service.dev.mailbox.store import MailboxStore

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

# One red point.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154"
    "789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
NAME = "<script>document.title='owned'</script>\u202e"
HTML = """<!DOCTYPE html><html><head><title>x</title>
<meta http-equiv="refresh" content="0;url=/healthz"></head>
<body><img id="board" src="cid:board@x"><img id="spy" src="{elsewhere}/spy.png">
<script>document.body.dataset.owned = "yes"; top.document.title = "owned"</script>
<a id="play" href="{elsewhere}/healthz">play</a>
<form action="/sign-in" method="post"><button id="send">go</button></form>
<iframe src="/healthz"></iframe><div onclick="document.title='owned'" id="click">!</div>
</body></html>"""


class Mailbox:
    def __init__(self, app: Flask, store: MailboxStore) -> None:
        self.client: FlaskClient = app.test_client()
        self.app = app
        self.store = store

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path, headers={"Host": "localhost"})
        assert answer.status_code == status, answer.text
        return answer.text


@pytest.fixture
def mailbox(tmp_path: Path, sqlite_url: str) -> Iterator[Mailbox]:
    settings = Settings.from_env(
        {
            "SECRET_KEY": "k" * 32,
            "DATABASE_URL": sqlite_url,
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "SMTP_URL": "smtp://127.0.0.1:1",
            "BASE_URL": "http://paleopost.test",
            "PALEOPOST_DATA": str(tmp_path),
            "MAILBOX": "1",
        }
    )
    store = MailboxStore(tmp_path)
    app = create_app(settings)
    yield Mailbox(app, store)
    store.close()
    app.extensions["paleopost"].database.dispose()


def letter(elsewhere: str = "https://elsewhere.example") -> bytes:
    message = EmailMessage()
    message["Subject"] = NAME
    message["From"] = '"<b>Bold</b>" <play@paleopost.test>'
    message["X-Header"] = "<i>value</i>"
    message.set_content("Plain <b>text</b>\n")
    message.add_alternative(HTML.format(elsewhere=elsewhere), subtype="html")
    _, html = message.iter_parts()
    assert isinstance(html, EmailMessage)
    html.add_related(PNG, "image", "png", cid="<board@x>", filename="board.png")
    message.add_attachment(b"<svg/>", "image", "svg+xml", filename='"a\u202e.svg')
    return message.as_bytes()


def test_without_the_setting_there_is_no_mailbox(mailbox: Mailbox) -> None:
    settings = mailbox.app.extensions["paleopost"].settings
    plain = create_app(msgspec.structs.replace(settings, mailbox=False))
    assert plain.test_client().get("/mailbox/").status_code == 404
    assert "mailbox" not in plain.blueprints


def test_addresses_and_letters_are_listed(mailbox: Mailbox) -> None:
    assert "No letter has been written yet" in mailbox.get("/mailbox/")
    mailbox.store.keep("x@y.example", ["ann@b.example", "b@b.example"], b"Subject: One\n\n")
    mailbox.store.keep("x@y.example", ["ann@b.example"], b"Subject: Two\n\n It is\nyour <b>turn.\n")
    listed = mailbox.get("/mailbox/")
    assert re.findall(r"<bdi>(.*?)</bdi>", listed) == ["ann@b.example", "b@b.example"]
    assert "2 letters" in listed
    assert "1 letter " in listed
    of_ann = mailbox.get("/mailbox/?to=Ann@b.example")
    assert re.findall(r"<bdi>(.*?)</bdi>", of_ann) == [
        "ann@b.example",
        "Two",
        "It is your &lt;b&gt;turn.",
        "One",
    ]


def test_an_address_without_letters_is_looked_at_again(mailbox: Mailbox) -> None:
    answer = mailbox.client.get("/mailbox/?to=n@b.example", headers={"Host": "127.0.0.1:8000"})
    assert answer.headers["Refresh"] == "3"
    mailbox.store.keep("x@y.example", ["n@b.example"], b"Subject: One\n\n")
    answer = mailbox.client.get("/mailbox/?to=n@b.example", headers={"Host": "127.0.0.1:8000"})
    assert "Refresh" not in answer.headers


def test_older_letters_are_a_page_further(mailbox: Mailbox) -> None:
    for n in range(60):
        mailbox.store.keep("x@y.example", ["a@b.example"], b"Subject: Letter %d\n\n" % n)
    first = mailbox.get("/mailbox/?to=a@b.example")
    link = re.search(r'class="button" href="([^"]*)"', first)
    assert link is not None
    second = mailbox.get(link[1].replace("&amp;", "&"))
    shown = re.findall(r"Letter (\d+)", first) + re.findall(r"Letter (\d+)", second)
    assert shown == [str(n) for n in range(59, -1, -1)]
    assert 'class="button"' not in second


def test_every_side_of_a_letter_escapes_what_it_shows(mailbox: Mailbox) -> None:
    number = mailbox.store.keep("x@y.example", ["a@b.example"], letter())
    for tab in ("letter", "text", "pictures", "headers", "source"):
        shown = mailbox.get(f"/mailbox/letter/{number}/{tab}")
        for hostile in ("<script>", "<b>Bold", "<i>value", "<b>text", "<svg"):
            assert hostile not in shown, (tab, hostile)
        assert "&lt;script&gt;" in shown
    assert "Plain &lt;b&gt;text" in mailbox.get(f"/mailbox/letter/{number}/text")
    assert "&lt;i&gt;value" in mailbox.get(f"/mailbox/letter/{number}/headers")


def test_in_french_too(mailbox: Mailbox) -> None:
    number = mailbox.store.keep("x@y.example", ["a@b.example"], letter())
    for path in ("/mailbox/", "/mailbox/?to=a@b.example", f"/mailbox/letter/{number}/source"):
        shown = mailbox.get(f"{path}{'&' if '?' in path else '?'}lang=fr")
        assert '<html lang="fr">' in shown
        assert "Letters to" not in shown
        assert "Download" not in shown


def test_the_source_is_every_byte(mailbox: Mailbox) -> None:
    raw = b"Subject: \xff\xfe\x00\r\n\r\nbytes \xe9\r\n"
    number = mailbox.store.keep("x@y.example", ["a@b.example"], raw)
    answer = mailbox.client.get(
        f"/mailbox/letter/{number}/letter.eml", headers={"Host": "localhost"}
    )
    assert answer.data == raw
    assert answer.headers["Content-Disposition"] == f"attachment; filename=letter-{number}.eml"


def test_only_real_pictures_are_shown_as_pictures(mailbox: Mailbox) -> None:
    number = mailbox.store.keep("x@y.example", ["a@b.example"], letter())
    answers = [
        mailbox.client.get(f"/mailbox/letter/{number}/part/{n}", headers={"Host": "localhost"})
        for n in range(4)
    ]
    kinds = [a.mimetype for a in answers]
    assert kinds == [
        "application/octet-stream",
        "application/octet-stream",
        "image/png",
        "application/octet-stream",
    ]
    for answer in answers:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert ("Content-Disposition" in answer.headers) == (answer.mimetype != "image/png")


@pytest.mark.parametrize(
    "path",
    [
        "/mailbox/letter/99/",
        "/mailbox/letter/99/html",
        "/mailbox/letter/99/part/0",
        "/mailbox/letter/99/letter.eml",
        "/mailbox/letter/1/part/9",
        "/mailbox/letter/1/html",
        "/mailbox/letter/1/nosuch",
        "/mailbox/letter/9999999999999999999999999/",
        "/mailbox/letter/1/part/9999999999999999999999999",
    ],
)
def test_what_is_not_there_is_not_found(mailbox: Mailbox, path: str) -> None:
    mailbox.store.keep("x@y.example", ["a@b.example"], b"Subject: Text only\n\nHello")
    mailbox.get(path, 404)


@pytest.mark.parametrize("query", ["?to=%00", "?to=a@b.example&before=x", "?before=1", "?to=%F0"])
def test_odd_questions_get_an_answer(mailbox: Mailbox, query: str) -> None:
    mailbox.get(f"/mailbox/{query}")


def test_a_foreign_name_that_points_here_sees_nothing(mailbox: Mailbox) -> None:
    mailbox.store.keep("x@y.example", ["a@b.example"], b"Subject: One\n\n")
    for host, status in (
        ("evil.example", 404),
        ("127.0.0.1.evil.example", 404),
        ("paleopost.test", 200),
        ("localhost:8000", 200),
        ("192.168.1.7:8000", 200),
        ("[::1]:8000", 200),
    ):
        answer = mailbox.client.get("/mailbox/", headers={"Host": host})
        assert answer.status_code == status, host
        assert ("a@b.example" in answer.text) == (status == 200)


@pytest.fixture
def served(mailbox: Mailbox) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, mailbox.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def watched(page: Page, served: str) -> Callable[[], list[str]]:
    """The addresses outside the mailbox that were answered; what the policy stopped is not."""
    asked: list[str] = []
    page.on("response", lambda r: asked.append(r.url))
    return lambda: [
        url for url in asked if not url.startswith((f"{served}/mailbox/", f"{served}/static/"))
    ]


def test_in_a_browser_a_letter_does_nothing_but_lead_where_its_links_point(
    mailbox: Mailbox, served: str, page: Page, watched: Callable[[], list[str]]
) -> None:
    number = mailbox.store.keep("x@y.example", ["a@b.example"], letter(served))
    page.goto(f"{served}/mailbox/?to=a@b.example")
    page.get_by_role("link", name="document.title").click()
    page.wait_for_url(f"{served}/mailbox/letter/{number}/")
    frame = page.frame_locator("iframe.letter")
    inside = frame.locator("html").evaluate("html => html.scrollHeight")
    tall = page.locator("iframe.letter").evaluate("frame => frame.clientHeight")
    assert inside <= tall <= inside + 8, "as tall as the letter"
    frame.locator("#click").click()
    frame.locator("#send").click()
    page.wait_for_timeout(300)
    assert page.title().startswith("<script>")
    assert frame.locator("body").get_attribute("data-owned") is None
    assert watched() == []
    assert page.url == f"{served}/mailbox/letter/{number}/"
    # Following a link is what a letter is for.
    frame.locator("#play").click()
    page.wait_for_url(f"{served}/healthz")


def test_in_a_browser_the_picture_of_a_letter_is_drawn(
    mailbox: Mailbox, served: str, context: BrowserContext
) -> None:
    number = mailbox.store.keep("x@y.example", ["a@b.example"], letter(served))
    page = context.new_page()
    with page.expect_response(lambda r: "/part/" in r.url) as answer:
        page.goto(f"{served}/mailbox/letter/{number}/")
    assert answer.value.url == f"{served}/mailbox/letter/{number}/part/2"
    assert answer.value.ok
    page.goto(f"{served}/mailbox/letter/{number}/pictures")
    width = page.locator("figure img").evaluate("image => image.naturalWidth")
    assert width == 1


def test_on_a_phone_nothing_is_wider_than_the_screen(
    mailbox: Mailbox, served: str, context: BrowserContext
) -> None:
    raw = letter(served).replace(b"X-Header: ", b"X-Header: " + b"w" * 300)
    number = mailbox.store.keep("x@y.example", ["a@b.example"], raw)
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 700})
    for tab in ("letter", "text", "pictures", "headers", "source"):
        page.goto(f"{served}/mailbox/letter/{number}/{tab}")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, tab
