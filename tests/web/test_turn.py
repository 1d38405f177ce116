"""The page of a turn: looking changes nothing, one press plays once, errors come back mendable."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from service.core import verdicts
from service.core.models import DecisionRow, EntryRow, Match, Submission
from service.core.statuses import SubmissionStatus
from service.render.templating import environment
from tests.support.reader import Button, Form, Page, Reader
from tests.web.conftest import PromptBells, Site, path


def opened(site: Site, lang: str = "en", plan: str = "") -> tuple[Match, Reader, Page]:
    """A match, and the player to move before the form of the turn."""
    match = site.table(guests=1)
    reader = site.reader(lang)
    reader.get(f"/rules?lang={lang}")
    return match, reader, reader.get(site.turn_link(match, plan))


def form_of(page: Page) -> Form:
    return page.form("handing")


def plays(form: Form) -> Button:
    """The button that hands the turn in, whatever the language."""
    return next(button for button in form.buttons if button.action)


IN_WORDS = r"[A-Z][a-z]+ on "
CHOOSE = ("Choose it on the board", "Choisir sur le plateau")


def submissions(site: Site) -> list[Submission]:
    with site.service.database.read() as session:
        return list(session.scalars(select(Submission).where(Submission.source == "form")))


def test_the_link_of_a_letter_shows_a_whole_turn_at_a_clean_address(site: Site) -> None:
    match, reader, page = opened(site)
    assert page.status == 200
    row = site.awaited(match.id)
    assert reader.at.startswith(f"/m/{match.code}/{row.seat}/turn/{row.decision}")
    key = site.turn_link(match).rpartition("/")[2]
    assert key not in page.source
    assert key not in reader.at
    form = form_of(page)
    assert "\n".join(form.all("a")).startswith("lay ")
    assert form.all("a") == form.all("w")
    assert page.source.count("<svg") >= 2, "the board is drawn"


def test_one_press_plays_exactly_what_is_shown(site: Site) -> None:
    match, reader, page = opened(site)
    form = form_of(reader.whole(page))
    page = reader.press(form, "Play this turn")
    assert page.status == 200
    assert "Your turn is played." in page.text
    assert "/verdict/" in reader.at
    (sent,) = submissions(site)
    assert sent.body == "\n".join(form.all("a"))
    assert (sent.status, sent.entry) == ("played", 1)
    assert site.match(match.id).last_entry == 1


def test_the_plan_of_a_link_is_the_turn_that_is_shown_and_played(site: Site) -> None:
    match = site.table(guests=1)
    row = site.awaited(match.id)
    turn = site.legal_turn(match.id, row.seat, row.decision)
    reader = site.reader()
    page = reader.get(site.turn_link(match, turn.replace("\n", ", ")))
    assert form_of(page).all("a") == turn.split("\n")
    assert form_of(page)["own"] == str(len(turn.split("\n"))), "none of it is a mere suggestion"
    assert "The board after this turn" in page.text
    assert "2 tiles from the stack come to it." in page.source, "one was taken, one removed"
    reader.press(form_of(reader.whole(page)), "Play this turn")
    assert submissions(site)[0].body == turn


def test_ten_presses_are_one_submission_and_one_turn(site: Site) -> None:
    match, reader, page = opened(site)
    form = form_of(reader.whole(page))
    verdicts = {reader.press(form, "Play this turn").response.request.path for _ in range(10)}
    assert len(verdicts) == 1
    assert len(submissions(site)) == 1
    assert site.match(match.id).last_entry == 1


def test_looking_again_and_again_at_every_link_changes_nothing(site: Site) -> None:
    match, reader, _ = opened(site)
    site.play_on(match, 3)
    row = site.awaited(match.id)
    player = match.seats[row.seat].player
    assert player is not None
    watched = path(site.links.watch(match))
    links = [
        site.turn_link(match),
        site.turn_link(match, site.legal_turn(match.id, row.seat, row.decision)),
        path(site.links.seat(match, row.seat)),
        watched,
        path(site.links.invitation(match, match.seats[1].player_id or 0)),
    ]
    asked = reader.get(site.turn_link(match))
    step = form_of(asked).choices[0][1][-1]
    pages = [
        f"{reader.at.partition('?')[0]}?a={step}&w={form_of(asked).all('a')[0]}&own=0",
        f"/m/{match.code}/{row.seat}?n=1",
        f"/m/{match.code}/record.json",
    ]
    before, jobs = site.counts(), list(site.jobs.enqueued)
    last = site.match(match.id).last_entry
    fresh = site.app.test_client()
    for n in range(12):
        for link in links if n % 4 == 0 else links[n % 5 : n % 5 + 1]:
            shown = 200 if link == watched else 302
            assert fresh.get(link).status_code == shown
            assert fresh.head(link).status_code == shown
        assert reader.get(pages[n % 3]).status == 200
        assert reader.client.head(pages[n % 3]).status_code == 200
    assert site.counts() == before
    assert site.jobs.enqueued == jobs
    assert site.match(match.id).last_entry == last


def test_changing_a_step_and_updating_shows_the_new_turn_and_plays_nothing(site: Site) -> None:
    match, reader, page = opened(site)
    form = form_of(page)
    other = next(text for text in form.choices[0][1] if text != form["a"])
    form.put("a", other)
    page = reader.press(form, "Update")
    assert page.status == 200
    assert form_of(page)["a"] == other
    assert submissions(site) == []
    assert "csrf_token" not in reader.at
    reader.press(form_of(reader.whole(page)), "Play this turn")
    assert submissions(site)[0].body.startswith(other)
    assert site.match(match.id).last_entry == 1


def test_updating_with_nothing_changed_keeps_the_suggested_step(site: Site) -> None:
    """Without scripts nothing else says that a step is chosen."""
    _, reader, page = opened(site)
    form = form_of(page)
    assert form["own"] == "0"
    suggested = form["a"]
    form.fields.append(("update", "1"))
    page = reader.press(form, "Update")
    assert (form_of(page)["own"], form_of(page)["a"]) == ("1", suggested)
    assert submissions(site) == []


def test_playing_a_step_that_was_never_shown_shows_it_first(site: Site) -> None:
    match, reader, page = opened(site)
    form = form_of(reader.whole(page))
    other = next(text for text in form.choices[0][1] if text != form["a"])
    form.put("a", other)
    page = reader.press(form, "Play this turn")
    assert "Look first, then press again." in page.text
    assert form_of(page)["a"] == other
    assert submissions(site) == []
    reader.press(form_of(reader.whole(page)), "Play this turn")
    assert site.match(match.id).last_entry == 1
    assert submissions(site)[0].body.startswith(other)


def test_the_last_step_may_be_changed_and_is_shown_before_it_is_played(site: Site) -> None:
    match, reader, page = opened(site)
    form = form_of(reader.whole(page))
    last = len(form.all("a")) - 1
    other = next(text for text in form.choices[last][1] if text != form.all("a")[last])
    form.put("a", other, at=last)
    page = reader.press(form, "Play this turn")
    assert "Look first, then press again." in page.text
    assert submissions(site) == []
    page = reader.press(form_of(reader.whole(page)), "Play this turn")
    assert "Your turn is played." in page.text
    assert submissions(site)[0].body == "\n".join(form.all("a"))
    assert site.match(match.id).last_entry == 1


def typed(reader: Reader, page: Page, text: str) -> Page:
    """What is shown for a turn written by hand."""
    form = next(form for form in page.forms if any(name == "order" for name, _ in form.fields))
    form.put("order", text)
    return reader.press(form, "")


def test_a_turn_may_be_written(site: Site) -> None:
    match, reader, page = opened(site)
    row = site.awaited(match.id)
    turn = site.legal_turn(match.id, row.seat, row.decision)
    page = typed(reader, page, turn.upper().replace("\n", " ; "))
    assert form_of(page).all("a") == turn.split("\n")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "A turn begins with"), ("fr", "Ici, un tour commence par")]
)
def test_what_cannot_be_read_is_told_with_the_text_still_there(
    site: Site, lang: str, said: str
) -> None:
    _, reader, page = opened(site, lang)
    page = typed(reader, page, "dance <wildly>")
    assert page.status == 200
    assert page.lang == lang
    assert said in page.text
    assert "<wildly>" not in page.source
    assert page.ids.count("verdict") == 1
    assert any("dance <wildly>" in form.all("order") for form in page.forms)
    assert page.source.index('id="order"') < page.source.index('class="board"'), "mended where told"
    ready = page.source.partition('class="offers"')[2].partition("</ul>")[0]
    assert ready.count("<a href") == 3
    assert "/play/" not in page.source, "no other turn is played in its place"
    href = next(href for text, href in page.links if text in CHOOSE)
    assert form_of(reader.get(href)).all("a"), "it may be chosen on the board"


def test_an_illegal_turn_names_the_rule_and_what_would_be_right(site: Site) -> None:
    _, reader, page = opened(site)
    legal = form_of(page)["a"]
    tile = legal.split()[1]
    page = typed(reader, page, f"lay {tile} D3 E3")
    rule = next(href for text, href in page.links if text.startswith("rule 3"))
    assert rule.partition("#")[2] in reader.client.get(rule).get_data(as_text=True)
    assert rule.startswith("/rules/sapiens#s3")
    assert any(f"lay {tile} D3 E3" in form.all("order") for form in page.forms)
    said, right = next((text, href) for text, href in page.links if re.match(IN_WORDS, text))
    assert f"lay {tile} " in said, "the words and the notation lead there"
    page = reader.get(right)
    assert page.ids.count("verdict") == 0
    assert form_of(page)["a"].startswith("lay ")


def test_an_ambiguous_turn_offers_its_readings_to_press(site: Site) -> None:
    _, reader, page = opened(site)
    tile = form_of(page)["a"].split()[1]
    page = typed(reader, page, f"lay {tile}")
    if "can be read in several ways" not in page.text:
        pytest.fail(page.text)
    readings = [href for text, href in page.links if re.match(IN_WORDS, text)]
    assert len(readings) >= 2
    for href in readings:
        shown = reader.get(href)
        assert "verdict" not in shown.ids, shown.text
        assert form_of(shown)["a"].startswith(f"lay {tile} ")


def test_the_first_turns_of_a_beginner_are_explained_beside_the_board(site: Site) -> None:
    """Until there are no lessons any more; then they are folded, and gone in the next match."""
    match, reader, page = opened(site)
    first = site.awaited(match.id).seat
    lesson = page.source.partition('id="primer" open')[2].partition("</details>")[0]
    assert "shelter" in lesson
    assert lesson.count("<svg") > 2, "with the meanings of the marks"
    site.play_on(match, 6)
    assert site.awaited(match.id).seat == first
    page = reader.get(site.turn_link(match))
    assert "primer" in page.ids
    assert 'id="primer" open' not in page.source
    again = site.table(guests=1)
    while site.awaited(again.id).seat != first:
        site.play_on(again, 1)
    assert "primer" not in reader.get(site.turn_link(again)).ids


def refuse(site: Site, reader: Reader, page: Page, body: list[str]) -> Page:
    """Send these steps as if they had been shown."""
    form = form_of(reader.whole(page))
    play = next(button for button in form.buttons if button.method == "post")
    fields = [("a", text) for text in body] + [(play.name, play.value)]
    return reader.post(play.action, fields)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_illegal_turn_that_was_sent_comes_back_with_its_rule_and_the_form_filled(
    site: Site, lang: str
) -> None:
    match, reader, page = opened(site, lang)
    tile = form_of(page)["a"].split()[1]
    body = [f"lay {tile} D3 E3", *form_of(page).all("a")[1:]]
    page = refuse(site, reader, page, body)
    assert page.lang == lang
    assert ("This turn was not played." in page.text) == (lang == "en")
    assert any(re.match("(rule|règle)\\s3", text) for text, _ in page.links)
    assert any("\n".join(body) in form.all("order") for form in page.forms)
    assert site.match(match.id).last_entry == 0
    assert "/play/" not in page.source
    page = reader.get(next(href for text, href in page.links if text in CHOOSE))
    form = form_of(reader.whole(page))
    assert reader.press(form, plays(form).text).status == 200
    assert site.match(match.id).last_entry == 1


def test_an_unfinished_turn_that_was_sent_says_what_is_missing(site: Site) -> None:
    match, reader, page = opened(site)
    page = refuse(site, reader, page, form_of(page).all("a")[:1])
    assert "The turn is not complete" in page.text
    assert site.match(match.id).last_entry == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ([], "without the field “a”"),
        ([("a", "x"), ("evil", "1")], "does not belong to it (“evil”)"),
        ([("a", "x"), ("own", "1"), ("own", "2")], "“own” twice"),
        ([("a", "x" * 9000)], "is too long"),
    ],
)
def test_a_turn_form_that_is_not_ours_is_told_with_the_form_there(
    site: Site, fields: list[tuple[str, str]], said: str
) -> None:
    match, reader, page = opened(site)
    whole = form_of(reader.whole(page))
    play = next(button for button in whole.buttons if button.method == "post")
    page = reader.post(play.action, [*fields, (play.name, play.value)])
    assert page.status == 400
    assert said in page.text
    assert form_of(page).all("a")
    assert submissions(site) == []
    assert site.match(match.id).last_entry == 0


@pytest.mark.parametrize(
    "junk", ["\0\0\0", "\u202elay", "lay " * 400, "a\nb\nc" * 50, "😀" * 200, "<script>", "%s{{7}}"]
)
def test_hostile_texts_are_answered_and_change_nothing(site: Site, junk: str) -> None:
    match, reader, page = opened(site)
    for answer in (typed(reader, page, junk), refuse(site, reader, page, [junk])):
        assert answer.status in (200, 400)
        assert "<script>" not in answer.source
        assert "verdict" in answer.ids or form_of(answer).all("a")
    assert site.match(match.id).last_entry == 0


def test_a_guard_that_is_stale_brings_the_same_turn_back(site: Site) -> None:
    match, reader, page = opened(site)
    form = form_of(reader.whole(page))
    other = form.choices[-1][1][-1]
    form.put("a", other, at=len(form.all("a")) - 1)
    plays(form).value = "stale"
    page = reader.press(form, "Play this turn")
    assert page.status == 400
    assert "press the button once more" in page.text
    assert form_of(page).all("a") == form.all("a")
    reader.press(form_of(reader.whole(page)), "Play this turn")
    assert site.match(match.id).last_entry == 1


def test_of_two_browsers_the_second_is_told_what_was_played(site: Site) -> None:
    match, first, page = opened(site)
    second = site.reader()
    late = second.whole(second.get(site.turn_link(match)))
    first.press(form_of(first.whole(page)), "Play this turn")
    form = form_of(late)
    form.put("a", form.choices[-1][1][-1], at=len(form.all("a")) - 1)
    answer = second.press(form, "Play this turn")
    assert answer.status == 200
    assert "What you sent now was not used" in answer.text
    assert "This turn was already played" in answer.text
    assert "removed" in answer.text, "the story of the turn"
    assert site.match(match.id).last_entry == 1
    with site.service.database.read() as session:
        assert len(session.scalars(select(EntryRow).where(EntryRow.n > 0)).all()) == 1


def test_a_stale_link_tells_what_happened_since_and_offers_no_form(site: Site) -> None:
    match = site.table(guests=1)
    link = site.turn_link(match)
    site.play_on(match, 4)
    reader = site.reader()
    page = reader.get(link)
    assert page.status == 200
    assert "It has been played, so" in page.text
    assert "This turn is played" in page.text
    assert "Too late" not in page.text
    assert [n for n in range(1, 9) if f"turn {n}" in page.text] == [1, 2, 3, 4]
    assert page.source.count("<svg") >= 2
    assert not [form for form in page.forms if "/play/" in str(form.buttons)]
    assert "To your present turn" not in page.text


def test_the_worker_being_away_the_page_waits_and_looks_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, reader, page = opened(site)
    jobs: Any = site.jobs
    assert isinstance(jobs, PromptBells)
    jobs.worker = None
    monkeypatch.setattr("service.web.turns.verdict.PATIENCE", 0.05)
    page = reader.press(form_of(reader.whole(page)), "Play this turn")
    assert "We have received your turn" in page.text
    assert page.response.headers["Refresh"] == "2"
    assert site.match(match.id).last_entry == 0
    site.hear()
    assert "Your turn is played." in reader.get(reader.at).text


def test_a_turn_given_up_by_an_error_of_ours_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, reader, page = opened(site)
    jobs: Any = site.jobs
    jobs.worker = None
    monkeypatch.setattr("service.web.turns.verdict.PATIENCE", 0.05)
    reader.press(form_of(reader.whole(page)), "Play this turn")
    with site.changing() as work:
        sent = work.session.scalars(select(Submission)).one()
        sent.status, sent.verdict = SubmissionStatus.DEAD_LETTER, verdicts.GivenUp()
    assert "Something on our side went wrong" in reader.get(reader.at).text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_is_in_the_language_of_the_seat(site: Site, lang: str) -> None:
    match = site.table(guests=1, lang=lang)
    for _ in range(2):
        row = site.awaited(match.id)
        page = site.reader("en").get(site.turn_link(match))
        assert page.lang == match.seats[row.seat].lang
        site.play_on(match, 1)


def test_a_decision_made_between_two_looks_is_stale_and_no_error(site: Site) -> None:
    match, reader, page = opened(site)
    form, row = form_of(reader.whole(page)), site.awaited(match.id)
    site.play_on(match, 1)
    with site.changing() as work:
        made = work.session.get(DecisionRow, (match.id, row.decision))
        assert made is not None
        made.closed_entry = None
    assert "It has been played, so" in reader.get(reader.at).text
    page = reader.press(form, "Play this turn")
    assert page.status == 200
    assert "What you sent now was not used" in page.text


def test_a_heading_narrows_a_long_list_and_chooses_from_it(site: Site) -> None:
    _, reader, page = opened(site)
    form = form_of(page)
    everything = form.choices[0][1]
    headings = [href for _, href in page.links if "only=0" in href]
    assert len(headings) > 1
    listed: list[str] = []
    for href in headings:
        narrowed = reader.get(href)
        choices = form_of(narrowed).choices[0][1]
        assert form_of(narrowed)["a"] in choices
        assert 0 < len(choices) < len(everything)
        listed += choices
    assert sorted(listed) == sorted(everything), "every choice is under one heading"
    assert form_of(reader.get(narrowed.link("All"))).choices[0][1] == everything
    assert reader.get(f"{reader.at}&only=99").status == 200


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "Remove hunt–fire from the game"), ("fr", "Retirer Chasse–Feu")]
)
def test_what_was_not_played_after_a_reveal_comes_back_with_the_answer(
    site: Site, lang: str, said: str
) -> None:
    match, reader, page = opened(site, lang)
    form = form_of(reader.whole(page))
    page = reader.press(form, plays(form).text)
    assert said not in page.text
    with site.changing() as work:
        sent = work.session.scalars(select(Submission).where(Submission.match_id == match.id)).one()
        sent.verdict = verdicts.Played(
            unplayed=({"do": "remove", "tile": "hunt-fire.1"}, {"do": "camp"})
        )
    page = reader.get(reader.at)
    assert page.text.count(said) == 1
    assert page.source.count("<li>") >= 2


def test_what_was_done_to_the_reader_stands_above_the_story(site: Site) -> None:
    match, reader, page = opened(site)
    for _ in range(30):
        since = page.source.partition('id="since"')[2]
        done = re.search(r"<p><b>(.*?)</b></p>\n", since)
        if done:
            assert re.search(r"\byour?\b", done[1]), done[1]
            assert done.start() < since.index('<ol class="story">')
            return
        site.submit(match.id, body="\n".join(form_of(page).all("a")))
        site.hear()
        page = reader.get(site.turn_link(match))
    raise AssertionError("nobody has done anything to anybody")


def test_a_suggestion_among_the_words_of_a_turn_is_marked_there() -> None:
    page: Any = environment("en").get_template("pages/_plan.html").module
    options = {
        text: SimpleNamespace(text=text, action=text, events=()) for text in ("keep", "drop")
    }
    spots = {
        f"do:{text}": SimpleNamespace(lit=True, chosen=False, href="#", option=option)
        for text, option in options.items()
    }
    touch = SimpleNamespace(
        words=spots, options=(), taps=(), whys={}, advised=None, line=SimpleNamespace(view={})
    )
    words = SimpleNamespace(action=lambda action, *_: action, gain=lambda _: "")
    taps = SimpleNamespace(called=lambda thing, _: thing)
    told = str(page.choices(touch, words, taps, (), 0, True, "keep"))
    assert told.count("suggested") == 1
    assert told.index("keep") < told.index("suggested") < told.index("drop")
    assert str(page.marks(touch, "keep")).strip()
    assert not str(page.marks(touch, "food")).strip()
    assert "suggested" not in str(page.choices(touch, words, taps, (), 0))
