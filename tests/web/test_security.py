"""Headers, guards, limits and errors of the pages."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

import pytest
import time_machine

from service.matches.tables import Guest
from tests.support.games import KNOWN
from tests.web.conftest import NEW_TABLE, Site, path

NOON = dt.datetime(2026, 11, 21, 11, 0, tzinfo=dt.UTC)
OPEN_PAGES = ["/", "/sign-in", "/sign-in/sent", "/rules", "/rules/sapiens", "/healthz"]


@pytest.mark.parametrize("address", [*OPEN_PAGES, "/nowhere", "/static/style.css"])
def test_every_answer_carries_the_guards(site: Site, address: str) -> None:
    headers = site.app.test_client().get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "camera=()" in headers["Permissions-Policy"]
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    # The board of the front page is quicker with a script of ours; one notes a browser's zone.
    scripted = address in ("/", "/sign-in")
    assert ("script-src 'self';" in policy) == ("script-src" in policy) == scripted


@pytest.mark.parametrize("address", OPEN_PAGES)
def test_pages_are_kept_nowhere(site: Site, address: str) -> None:
    assert site.app.test_client().get(address).headers["Cache-Control"] == "no-store"


def test_the_stylesheet_is_kept_by_its_hash_alone(site: Site) -> None:
    page = site.reader().get("/sign-in")
    found = re.search(r'href="(/static/style\.css\?v=\w+)"', page.source)
    assert found is not None
    client = site.app.test_client()
    assert "immutable" in client.get(found[1]).headers["Cache-Control"]
    assert "immutable" not in client.get("/static/line.svg").headers["Cache-Control"]


@pytest.mark.parametrize("address", OPEN_PAGES[:-1])
def test_pages_hold_no_script_and_no_style_of_their_own(site: Site, address: str) -> None:
    source = site.reader().get(address).source.lower()
    assert re.findall('<script(?! type="module" src="/static/)', source) == []
    assert ("<script" in source) == (address in ("/", "/sign-in"))
    assert "javascript:" not in source
    assert "<style" not in source
    assert not re.search(r"\son\w+=", source)
    assert not re.search(r"\sstyle=", source)


def test_cookies_are_for_us_alone(make_site: Callable[..., Site]) -> None:
    for site, secure in ((make_site(), False), (make_site(BASE_URL="https://x.test"), True)):
        cookies = site.app.test_client().get("/sign-in?lang=fr").headers.getlist("Set-Cookie")
        assert len(cookies) == 2
        for cookie in cookies:
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert ("Secure" in cookie) == secure
        headers = site.app.test_client().get("/").headers
        assert ("Strict-Transport-Security" in headers) == secure


POSTS = [
    "/j/abcdefghijklmnopqrstuvwxyz",
    "/j/abcdefghijklmnopqrstuvwxyz/sign-in",
    "/sign-in",
    "/sign-in/confirm",
    "/sign-out",
    f"/play/{KNOWN}",
    "/settings",
    "/settings/erase",
    "/erasure",
    "/settings/letters",
    "/settings/invitations",
    "/settings/away",
    "/settings/away/1/end",
    "/settings/addresses",
    "/settings/addresses/1/remove",
    "/settings/tables",
    "/address",
    "/m/abcdef/0/mail",
    "/m/abcdef/0/time",
    "/tables/new",
    "/tables/new/look",
    "/settings/punctuality",
    "/m/abcdef/0/note",
    "/invitation/abcdef",
    "/m/abcdef/0/again",
    "/m/abcdef/0/undo",
    "/m/abcdef/0/how-it-goes",
    "/m/abcdef/0/play-now",
    "/m/abcdef/0/say",
    "/m/abcdef/0/resign",
    "/m/abcdef/0/host",
    f"/m/abcdef/0/turn/t1/play/{'0' * 24}",
    "/m/abcdef/0/turn/t1",
]


UNGUARDED = {"seen.tell", "unsubscribe.end", "webhook.receive"}
"""Machines post there, without cookies: what they may is in the address, or signed."""


def test_no_form_is_taken_without_its_guard(site: Site) -> None:
    known = {
        rule.endpoint for rule in site.app.url_map.iter_rules() if "POST" in (rule.methods or ())
    }
    found = set()
    adapter = site.app.url_map.bind("localhost")
    for address in POSTS:
        found.add(adapter.match(address, method="POST")[0])
        before = site.counts()
        answer = site.app.test_client().post(address, data={"address": "zoe@example.org"})
        assert answer.status_code in (303, 400, 404), address
        assert site.counts() == before
    assert found == known - UNGUARDED, "every POST there is"


def test_a_form_whose_guard_is_stale_comes_back_filled(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", "zoe@example.org")
    form.put("csrf_token", "stale")
    page = reader.press(form)
    assert page.status == 400
    assert "press the button once more" in page.text
    again = page.form("/sign-in")
    assert again["address"] == "zoe@example.org"
    assert reader.press(again).status == 200
    assert len(site.letters(kind="signin")) == 1


def test_guards_need_no_referrer_over_https(make_site: Callable[..., Site]) -> None:
    """Our own pages forbid the referrer that Flask-WTF would ask for."""
    site = make_site(BASE_URL="https://localhost")
    client = site.app.test_client()
    source = client.get("/sign-in", base_url="https://localhost").get_data(as_text=True)
    token = re.search(r'name="csrf_token" value="([^"]+)"', source)
    assert token is not None
    answer = client.post(
        "/sign-in",
        base_url="https://localhost",
        data={"csrf_token": token[1], "address": "zoe@example.org"},
    )
    assert answer.status_code == 303


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda fields: [f for f in fields if f[0] != "address"], "without the field “address”"),
        (lambda fields: [*fields, ("address", "other@example.org")], "“address” twice"),
        (lambda fields: [*fields, ("is_admin", "1")], "does not belong to it (“is_admin”)"),
        (lambda fields: [*fields, ("<i>\n\0x", "1")], "does not belong to it (“<i>??x”)"),
        (lambda fields: [fields[0], ("address", "a" * 5000)], "is too long"),
    ],
)
def test_forms_that_are_not_ours_are_told(
    site: Site, change: Callable[[list[tuple[str, str]]], list[tuple[str, str]]], said: str
) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    form.put("address", "zoe@example.org")
    page = reader.post("/sign-in", change(form.fields))
    assert page.status == 400
    assert said in page.text
    assert "<i>" not in page.source
    assert site.letters() == []


def test_a_form_of_many_fields_or_much_text_is_told(site: Site) -> None:
    reader = site.reader()
    token = reader.get("/sign-in").form("/sign-in")["csrf_token"]
    big = reader.post("/sign-in", [("csrf_token", token), ("address", "a" * 100_000)])
    assert big.status == 413
    assert "larger than anything we can take" in big.text
    many = [(f"x{n}", "1") for n in range(5000)]
    page = reader.post("/sign-in", [("csrf_token", token), *many])
    assert page.status in (400, 413)
    assert "Traceback" not in page.source


@pytest.mark.parametrize(
    "address",
    [
        "/%00",
        "/m/%00%00%00%00/0",
        "/rules/%00",
        "/rules/../secret",
        "/rules/sapiens%0d%0aX-Bad:1",
        "/t/%F0%9F%90%BB",
        "/m/abcd/9/turn/" + "t" * 400,
        "/m/abcdef/0/verdict/" + "0" * 32,
        "/m/abcdef/-1",
        "/m/abcdef/0?n=9999999999999999999999",
    ],
)
def test_addresses_that_lead_nowhere_are_pages(site: Site, address: str) -> None:
    page = site.reader().get(address)
    assert page.status == 404
    assert "Nothing to be found here" in page.text
    assert "X-Bad" not in page.response.headers


@pytest.mark.parametrize(("lang", "said"), [("en", "Not this way"), ("fr", "Pas par ici")])
def test_errors_speak_the_language_of_the_reader(site: Site, lang: str, said: str) -> None:
    page = site.reader(lang).post("/rules", [("csrf_token", "x")])
    assert page.status in (400, 405)
    page = site.reader(lang).get("/sign-out")
    assert page.status == 405
    assert page.lang == lang
    assert "POST" in page.response.headers["Allow"]
    assert "Traceback" not in page.source


def test_an_error_of_ours_is_a_page_without_its_traceback(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of players is gone: whatever the page needs of it fails."""
    reader = site.signed_in("zoe@example.org")
    with site.service.database.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE player RENAME TO gone")
    page = reader.get("/matches")
    assert page.status == 500
    assert "Something broke on our side" in page.text
    assert "player" not in page.source.lower().replace("players", "")


def test_too_many_requests_are_told_and_others_are_not_held_up(
    make_site: Callable[..., Site],
) -> None:
    site = make_site(REQUESTS_PER_MINUTE="5", PROXIES="1")
    reader = site.reader()
    pages = [reader.get("/rules", headers={"X-Forwarded-For": "192.0.2.1"}) for _ in range(7)]
    assert [page.status for page in pages] == [200] * 5 + [429] * 2
    assert "Try again in " in pages[-1].text
    other = reader.get("/rules", headers={"X-Forwarded-For": "192.0.2.2"})
    assert other.status == 200


def test_without_proxies_nobody_can_pretend_to_be_another(make_site: Callable[..., Site]) -> None:
    site = make_site(REQUESTS_PER_MINUTE="5")
    reader = site.reader()
    statuses = [
        reader.get("/rules", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status for n in range(7)
    ]
    assert statuses == [200] * 5 + [429] * 2


def test_pages_work_while_redis_is_away(site: Site) -> None:
    """The fixture's Redis is a closed port."""
    assert site.service.settings.redis_url == "redis://127.0.0.1:1/0"
    assert site.reader().get("/rules").status == 200


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_language_can_be_switched_and_is_kept(site: Site, lang: str) -> None:
    other = {"en": "fr", "fr": "en"}[lang]
    reader = site.reader(lang)
    page = reader.get("/rules/sapiens?x=1")
    assert page.lang == lang
    to = page.link({"en": "English", "fr": "Français"}[other])
    assert reader.get(to).lang == other
    assert "x=1" in reader.at
    assert reader.get("/sign-in").lang == other


def test_strangers_are_not_flooded_with_sign_in_letters(site: Site) -> None:
    reader = site.reader()
    form = reader.get("/sign-in").form("/sign-in")
    statuses = []
    for n in range(32):
        form.put("address", f"stranger{n}@example.org")
        statuses.append(reader.press(form).status)
    assert statuses == [200] * 30 + [429] * 2
    assert len(site.letters(kind="signin")) == 30


def test_a_player_opens_no_more_tables_in_an_hour_than_people_play(site: Site) -> None:
    statuses = []
    reader = site.signed_in("ana@example.org")
    for n in range(13):
        form = reader.get(NEW_TABLE).form("/tables/new")
        form.put("seat1-address", f"stranger{n}@example.org")
        statuses.append(reader.press(form).status)
    assert statuses == [200] * 12 + [429]
    assert len(site.letters(kind="invitation")) == 12
    other = site.signed_in("ben@example.org")
    form = other.get(NEW_TABLE).form("/tables/new")
    form.put("seat1-address", "friend@example.org")
    assert other.press(form).status == 200


def test_guests_of_one_table_are_counted_one_by_one(site: Site) -> None:
    match_id = site.open([Guest(address=f"g{n}@example.org") for n in (1, 2)], KNOWN)
    match = site.match(match_id)
    statuses = []
    for row in match.invitees[1:]:
        reader = site.reader()
        page = reader.get(path(site.links.invitation(match, row.player_id or 0)))
        token = page.form("/invitation/")["csrf_token"]
        said = [("csrf_token", token), ("answer", "perhaps")]
        statuses.append([reader.post(reader.at, said).status for _ in range(21)])
    assert statuses == [[400] * 20 + [429]] * 2


def test_mending_the_form_of_a_table_does_not_use_up_the_tables(site: Site) -> None:
    reader = site.signed_in("ana@example.org")
    statuses = []
    for n in range(15):
        form = reader.get(NEW_TABLE).form("/tables/new")
        form.put("seat1-address", "nobody" if n < 14 else "friend@example.org")
        statuses.append(reader.press(form).status)
    assert statuses == [400] * 14 + [200]


def test_what_a_link_has_opened_ends_on_our_clock(site: Site) -> None:
    """A browser, or whoever copied its cookies, may send them for years."""
    with time_machine.travel(NOON, tick=False) as clock:
        match = site.table()
        row = site.awaited(match.id)
        by_turn, by_watch, guest = site.reader(), site.reader(), site.reader()
        by_turn.get(site.turn_link(match))
        by_watch.get(path(site.links.watch(match)))
        asked = site.match(site.open([Guest(address="zoe@example.org")], KNOWN))
        zoe = asked.invitees[1].player_id or 0
        guest.get(path(site.links.invitation(asked, zoe)))
        looks = {
            f"/m/{match.code}/{row.seat}": by_turn,
            f"/m/{match.code}/watch": by_watch,
            f"/invitation/{asked.code}": guest,
        }
        clock.shift(dt.timedelta(days=29))
        assert [reader.get(page).status for page, reader in looks.items()] == [200] * 3
        clock.shift(dt.timedelta(days=2))
        assert [reader.get(page).status for page, reader in looks.items()] == [404] * 3


def test_a_sign_in_that_was_begun_ends_on_our_clock(site: Site) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        reader = site.reader()
        form = reader.get("/sign-in").form("/sign-in")
        form.put("address", "zoe@example.org")
        reader.press(form)
        assert reader.get(site.sign_in_link()).status == 200
        clock.shift(dt.timedelta(minutes=16))
        assert reader.get("/sign-in/confirm").status == 404


def pressed_by_a_stranger(site: Site, address: str, fields: list[tuple[str, str]]) -> list[int]:
    """What somebody without any right is told who presses it again and again, at the same client
    address as everybody here.
    """
    reader = site.reader()
    token = reader.get("/sign-in").form("/sign-in")["csrf_token"]
    said = [("csrf_token", token), *fields]
    statuses: list[int] = []
    while 429 not in statuses and len(statuses) < 100:
        statuses.append(reader.post(address, said).status)
    return statuses


@time_machine.travel(NOON, tick=False)
def test_who_only_knows_a_code_uses_up_nobodys_turns(site: Site) -> None:
    match = site.table()
    row = site.awaited(match.id)
    turn = f"/m/{match.code}/{row.seat}/turn/{row.decision}"
    statuses = pressed_by_a_stranger(site, f"{turn}/play/{'0' * 24}", [("a", "x"), ("own", "")])
    assert statuses == [404] * 60 + [429]
    player = site.reader()
    plan = site.legal_turn(match.id, row.seat, row.decision)
    page = player.get(site.turn_link(match, plan))
    assert player.press(player.whole(page).form("handing"), "Play this turn").status == 200
    assert site.counts()["submission"] == 1


@time_machine.travel(NOON, tick=False)
def test_who_only_knows_a_code_uses_up_nobodys_messages(site: Site) -> None:
    match = site.table()
    say = [("text", "x"), ("nonce", "n")]
    assert pressed_by_a_stranger(site, f"/m/{match.code}/0/say", say) == [404] * 30 + [429]
    # Signed in, too, somebody else is somebody else.
    stranger = site.signed_in("stranger@example.org")
    token = stranger.get("/matches").form("/sign-out")["csrf_token"]
    for _ in range(31):
        stranger.post(f"/m/{match.code}/0/say", [("csrf_token", token), *say])
    assert stranger.post(f"/m/{match.code}/0/say", [("csrf_token", token), *say]).status == 429
    for player in (site.signed_in("ana@example.org"), site.reader()):
        form = player.get(path(site.links.seat(match, 0))).form("/say")
        form.put("text", "Hello")
        assert player.press(form).status == 200


@time_machine.travel(NOON, tick=False)
def test_a_letter_handed_on_uses_up_no_messages(site: Site) -> None:
    """A link to one decision opens that; its holder says nothing to the table, however often."""
    match = site.table()
    seat = site.awaited(match.id).seat
    friend, player = site.reader(), site.reader()
    assert friend.get(site.turn_link(match)).status == 200
    token = friend.get("/sign-in").form("/sign-in")["csrf_token"]
    said = [("csrf_token", token), ("text", "x"), ("nonce", "n")]
    statuses = [friend.post(f"/m/{match.code}/{seat}/say", said).status for _ in range(31)]
    assert statuses == [404] * 30 + [429]
    form = player.get(path(site.links.seat(match, seat))).form("/say")
    form.put("text", "Hello")
    assert player.press(form).status == 200


@time_machine.travel(NOON, tick=False)
def test_who_only_knows_a_code_uses_up_no_rematch(site: Site) -> None:
    match = site.table()
    while site.match(match.id).status == "playing":
        site.play_on(match, 1)
    again = f"/m/{match.code}/0/again"
    assert pressed_by_a_stranger(site, again, []) == [404] * 10 + [429]
    player = site.reader()
    page = player.get(path(site.links.rematch(match, 0)))
    assert player.press(page.form(again)).status == 200


@time_machine.travel(NOON, tick=False)
def test_strangers_at_ones_own_address_hold_nobody_up(make_site: Callable[..., Site]) -> None:
    """One network of a school or a phone company is one client address."""
    site = make_site(REQUESTS_PER_MINUTE="20")
    match = site.table()
    by_link, signed_in = site.reader(), site.signed_in("ana@example.org")
    seat = path(site.links.seat(match, 1))
    assert by_link.get(seat).status == 200
    stranger = site.reader()
    page = f"/m/{match.code}/1"
    assert [stranger.get(page).status for _ in range(21)] == [404] * 20 + [429]
    assert by_link.get(page).status == 200
    assert signed_in.get(f"/m/{match.code}/0").status == 200


@time_machine.travel(NOON, tick=False)
def test_posts_without_their_guard_are_counted(make_site: Callable[..., Site]) -> None:
    site = make_site(REQUESTS_PER_MINUTE="5")
    client = site.app.test_client()
    statuses = [client.post("/m/abcdef/0/say", data={"text": "x"}).status_code for _ in range(7)]
    assert statuses == [404] * 5 + [429] * 2


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Try again in 10 minutes"), ("fr", "Réessaie dans 10 minutes")],
)
def test_whoever_asks_too_often_is_told_until_when(site: Site, lang: str, said: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        reader = site.reader(lang)
        form = reader.get("/sign-in").form("/sign-in")
        form.put("address", "zoe@example.org")
        pages = [reader.press(form) for _ in range(31)]
        assert pages[-1].status == 429
        wait = int(pages[-1].response.headers["Retry-After"])
        assert 9 * 60 < wait <= 10 * 60 + 1
        assert "button main" not in pages[-1].source, "there is nothing to press for minutes"
        own = {"en": "My games", "fr": "Mes parties"}[lang]
        assert own not in pages[-1].source.partition("<main")[2], "a stranger has none"
        assert said in pages[-1].text.replace("\N{NO-BREAK SPACE}", " ")
        clock.shift(wait)
        assert reader.press(form).status == 200


def test_hours_are_told_as_hours(make_site: Callable[..., Site]) -> None:
    site = make_site()
    with time_machine.travel(NOON, tick=False):
        reader = site.signed_in("ana@example.org")
        for _ in range(13):
            form = reader.get(NEW_TABLE).form("/tables/new")
            form.put("seat1-address", "friend@example.org")
            page = reader.press(form)
        assert site.counts()["match"] == 12
        assert page.status == 429
        assert 3500 < int(page.response.headers["Retry-After"]) <= 3601
        assert re.search(r"Try again in (60 minutes|1 hour)", page.text)
