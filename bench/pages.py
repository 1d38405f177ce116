"""The pages a player waits for: what they cost the server, what they weigh, when they are painted.

The match is that of the gallery, in its middle; pages are asked for as a signed-in player, without
a network between. Chromium, where there is one, paints them from a server on this machine.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import zlib
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import sync_playwright
from sqlalchemy import select
from werkzeug.serving import make_server

from bench.table import Row, median_seconds
from engine.games import games
from service.core.models import Player
from service.core.settings import Settings
from service.dev.app import create_app
from service.dev.embedded.ports import free_port
from service.dev.gallery.sample import SampleService, live
from service.web.app import STATIC
from tests.support.chromium import FLAGS, chromium
from tests.support.tables import Jobs, settings_for

HEAVIEST_KB = 60.0
LARGEST_KB = 40.0
"""Of a page without its style and script, as it is packed on the way."""
SLOWEST_PAINT = 1000.0
ROUNDS = 5


def rows() -> list[Row]:
    """The rows of the pages."""
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_for(
            f"sqlite:///{folder}/unused.db", REQUESTS_PER_MINUTE="1000000", PALEOPOST_DATA=folder
        )
        app, addresses = _pages(settings, Path(folder))
        client = _signed_in(app)
        found = [_weight()]
        for name, address in addresses.items():
            found += [_cost(client, name, address), _size(client, name, address)]
        found += _painted(app, addresses)
    return found


def _pages(settings: Settings, folder: Path) -> tuple[Flask, dict[str, str]]:
    """The application over a made-up match, and the pages of it by name."""
    app = create_app(settings, Jobs())
    service = SampleService(settings, folder)
    app.extensions["paleopost"] = service
    table = live(service, next(iter(games())), "en")["playing"]
    match, asked = table.match(), table.awaited()
    assert asked is not None
    seat = f"/m/{match.code}/0"
    return app, {
        "front page": "/",
        "match page": seat,
        "turn page": f"{seat}/turn/{asked.decision}",
    }


def _signed_in(app: Flask) -> FlaskClient:
    client = app.test_client()
    service: SampleService = app.extensions["paleopost"]
    with service.database.read() as database:
        player = database.scalars(select(Player).order_by(Player.id)).first()
    assert player is not None
    with client.session_transaction() as session:
        session["player"] = player.id
    return client


def _weight() -> Row:
    """Style and scripts of the heaviest page, not packed. Fonts and drawings come besides."""
    most = sum((STATIC / name).stat().st_size for name in ("style.css", "turn.js", "replay.js"))
    return Row(
        what="pages: style and all scripts",
        ours=most / 1000,
        anchor=HEAVIEST_KB,
        unit="KB",
        against="60 KB",
        most=1.0,
        stretch=0.6,
    )


def _cost(client: FlaskClient, name: str, address: str) -> Row:
    """What the page costs against one that shows nothing but the frame."""
    client.get(address)
    frame = median_seconds(lambda: client.get("/sign-in"), ROUNDS, 3)
    ours = median_seconds(lambda: client.get(address), ROUNDS)
    return Row(
        what=f"{name}, CPU",
        ours=ours * 1000,
        anchor=frame * 1000,
        unit="ms",
        against="the sign-in page",
        most=30.0,
        stretch=15.0,
    )


def _size(client: FlaskClient, name: str, address: str) -> Row:
    """The page itself, packed as a proxy packs it."""
    return Row(
        what=f"{name}, packed",
        ours=len(zlib.compress(client.get(address).data, 6)) / 1000,
        anchor=LARGEST_KB,
        unit="KB",
        against="40 KB",
        most=1.0,
        stretch=0.6,
    )


def _painted(app: Flask, addresses: dict[str, str]) -> list[Row]:
    """The first paint of each page on a phone's screen, by a browser that has nothing of ours."""
    try:
        path = chromium()
    except RuntimeError:
        return []
    port = free_port()
    server = make_server("127.0.0.1", port, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    session = _signed_in(app).get_cookie("paleopost")
    assert session is not None
    found = []
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=path, args=FLAGS)
        for name, address in addresses.items():
            times = []
            for _ in range(ROUNDS):
                context = browser.new_context(
                    viewport={"width": 360, "height": 740}, bypass_csp=True
                )
                base = f"http://127.0.0.1:{port}"
                context.add_cookies([{"name": "paleopost", "value": session.value, "url": base}])
                page = context.new_page()
                page.goto(base + address)
                page.wait_for_function(PAINTED)
                times.append(page.evaluate(f"{PAINTED}.startTime"))
                context.close()
            found.append(
                Row(
                    what=f"{name}, first paint",
                    ours=statistics.median(times),
                    anchor=SLOWEST_PAINT,
                    unit="ms",
                    against="1 s",
                    most=1.0,
                    stretch=0.5,
                )
            )
        browser.close()
    server.shutdown()
    return found


PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]"
