"""A reader of pages without a browser: follows links, fills forms in and presses their buttons."""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

VOID = {"input", "br", "img", "meta", "link", "hr"}
VERBATIM = {"script", "style"}
"""What stands in them has no tags."""
UNSAID = {"title", "option", "svg"}
"""What stands in them is not of the text of a page."""
READ = {"html", "meta", "form", "a", "button", "input", "select", "option", "textarea"}
"""Tags whose attributes are looked at; of all others their id alone."""

# Pages are our own, and well-formed: to read one by Python's parser takes longer than to write it.
_MARKUP = re.compile(
    r"""<!--.*?-->|<!.*?>|<(/?)([a-zA-Z][^\s/>]*)([^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*)>""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_ID = re.compile(r"""(?<![^\s"'])id=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


class Button:
    """A submit button: what it says and what it changes of its form."""

    def __init__(self, attrs: dict[str, str]) -> None:
        self.name = attrs.get("name", "")
        self.value = attrs.get("value", "")
        self.method = attrs.get("formmethod", "")
        self.action = attrs.get("formaction", "")
        self.text = ""


class Form:
    """A form as a browser sends it.

    `fields` are its names and values in order, `choices` the names of its selects and all values
    each offers.
    """

    def __init__(self, attrs: dict[str, str]) -> None:
        self.method = attrs.get("method", "get")
        self.action = attrs.get("action", "")
        self.id = attrs.get("id", "")
        self.fields: list[tuple[str, str]] = []
        self.choices: list[tuple[str, list[str]]] = []
        self.buttons: list[Button] = []

    def __getitem__(self, name: str) -> str:
        return next(value for key, value in self.fields if key == name)

    def all(self, name: str) -> list[str]:
        """Every value of a repeated field."""
        return [value for key, value in self.fields if key == name]

    def put(self, name: str, value: str, at: int = 0) -> None:
        """Fill in the field of this name; of a repeated one, that in place `at`."""
        places = [i for i, (key, _) in enumerate(self.fields) if key == name]
        self.fields[places[at]] = (name, value)


class Reading:
    """What is written on a page of HTML."""

    def __init__(self, source: str) -> None:
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.lang = self.seen = ""
        self._said: list[str] = []
        self._open: list[str] = []
        self._link: list[str] | None = None
        self._href = ""
        self._select = ""
        self._options: list[tuple[str, bool]] = []
        self._area: tuple[str, list[str]] | None = None
        self._of_area = ""
        self._outside: Button | None = None
        self._read(source)
        self.text = " ".join("".join(self._said).split())

    def _of(self, name: str) -> Form:
        """The form of this id, which a field or button outside of it belongs to."""
        return next(form for form in self.forms if form.id == name)

    def _read(self, source: str) -> None:
        at = 0
        while found := _MARKUP.search(source, at):
            if found.start() > at:
                self._data(unescape(source[at : found.start()]))
            at = found.end()
            end, tag, attributes = found.groups()
            if tag is None:
                continue
            tag = tag.lower()
            if end:
                self._ends(tag)
                continue
            self._begins(tag, attributes)
            if tag in VERBATIM:
                closed = source.index(f"</{tag}", at)
                self._data(source[at:closed])
                at = closed
            elif attributes.endswith("/") and tag not in VOID:
                self._ends(tag)
        self._data(unescape(source[at:]))

    def _begins(self, tag: str, attributes: str) -> None:
        found = {}
        if tag in READ:
            found = {
                name.lower(): unescape(double or single or bare)
                for name, double, single, bare in _ATTRIBUTE.findall(attributes)
            }
            if "id" in found:
                self.ids.append(found["id"])
        elif " id=" in attributes and (named := _ID.search(attributes)):
            self.ids.append(unescape("".join(filter(None, named.groups()))))
        if tag not in VOID:
            self._open.append(tag)
        match tag:
            case "html":
                self.lang = found["lang"]
            case "meta" if found.get("name") == "seen":
                self.seen = found["content"]
            case "form":
                self.forms.append(Form(found))
            case "a":
                self._link, self._href = [], found.get("href", "")
            case "button" if "form" in self._open:
                self.forms[-1].buttons.append(Button(found))
            case "button" if "form" in found:
                self._outside = Button(found)
                self._of(found["form"]).buttons.append(self._outside)
            case "input" if "form" in self._open and found.get("name"):
                ticks = found.get("type") in ("checkbox", "radio")
                if not ticks or "checked" in found:
                    self.forms[-1].fields.append((found["name"], found.get("value", "")))
            case "select":
                self._select, self._options = found.get("name", ""), []
            case "option":
                self._options.append((found.get("value", ""), "selected" in found))
            case "textarea":
                self._area = (found.get("name", ""), [])
                self._of_area = found.get("form", "")

    def _ends(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        match tag:
            case "a" if self._link is not None:
                self.links.append((" ".join("".join(self._link).split()), self._href))
                self._link = None
            case "select" if "form" in self._open:
                chosen = [value for value, selected in self._options if selected]
                value = chosen[0] if chosen else self._options[0][0]
                self.forms[-1].fields.append((self._select, value))
                self.forms[-1].choices.append((self._select, [v for v, _ in self._options]))
            case "textarea" if self._area is not None and ("form" in self._open or self._of_area):
                form = self._of(self._of_area) if self._of_area else self.forms[-1]
                form.fields.append((self._area[0], "".join(self._area[1])))
                self._area = None
            case "button":
                self._outside = None

    def _data(self, data: str) -> None:
        if self._area is not None:
            self._area[1].append(data)
        if self._outside is not None:
            self._outside.text += data
        elif "form" in self._open and "button" in self._open:
            self.forms[-1].buttons[-1].text += data
        if self._link is not None:
            self._link.append(data)
        if UNSAID.isdisjoint(self._open):
            self._said.append(data + " ")


class Page:
    """An answer: `forms`, `links` by text, `text` as one line, `ids`; `seen` is where a page tells
    that it is looked at ("" if it does not). Reading it takes as long as writing it does, and is
    left until somebody asks.
    """

    def __init__(self, response: TestResponse) -> None:
        self.response = response
        self.status = response.status_code
        self.source = response.get_data(as_text=True)

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self.source if self.response.mimetype == "text/html" else "")

    @property
    def forms(self) -> list[Form]:
        return self._reading.forms

    @property
    def links(self) -> list[tuple[str, str]]:
        return self._reading.links

    @property
    def ids(self) -> list[str]:
        return self._reading.ids

    @property
    def lang(self) -> str:
        return self._reading.lang

    @property
    def seen(self) -> str:
        return self._reading.seen

    @property
    def text(self) -> str:
        return self._reading.text

    def form(self, action: str = "", button: str = "") -> Form:
        """The form of this id, or whose address, or that of one of its buttons, contains
        `action`.
        """
        for form in self.forms:
            addresses = [form.id, form.action, *(b.action for b in form.buttons)]
            says = [b.text.strip() for b in form.buttons]
            if any(action in address for address in addresses) and (not button or button in says):
                return form
        raise AssertionError(f"no form for {action!r} in: {self.text[:300]}")

    def link(self, text: str) -> str:
        """Where the first link with this text leads."""
        return next(href for said, href in self.links if text in said)


class Reader:
    """Somebody at a browser: keeps cookies, follows redirects."""

    def __init__(self, client: FlaskClient, lang: str = "en") -> None:
        self.client = client
        self.lang = lang
        self.at = "/"

    def get(self, address: str, **more: Any) -> Page:
        """Open an address."""
        return self._read(self.client.get(self._there(address), **self._asking(more)))

    def look(self, address: str) -> Page:
        """Open a page and look at it, as far as it wants to know."""
        page = self.get(address)
        if page.seen:
            told = self.client.post(page.seen, headers={"Sec-Fetch-Site": "same-origin"})
            assert told.status_code == 204
        return page

    def post(self, address: str, fields: list[tuple[str, str]], **more: Any) -> Page:
        """Send fields, whatever the page says."""
        body = urlencode(fields)
        return self._read(
            self.client.post(
                self._there(address),
                data=body,
                content_type="application/x-www-form-urlencoded",
                **self._asking(more),
            )
        )

    def press(self, form: Form, button: str = "") -> Page:
        """Press the button with this text (the first if empty), with all the form holds."""
        pressed = next(b for b in form.buttons if button in b.text)
        fields = list(form.fields)
        if pressed.name:
            fields.append((pressed.name, pressed.value))
        address = pressed.action or form.action or self.at
        if (pressed.method or form.method).lower() == "post":
            return self.post(address, fields)
        parts = urlsplit(address)
        return self.get(f"{parts.path}?{urlencode(fields)}")

    def whole(self, page: Page) -> Page:
        """The page of a turn with all of it shown on the board, the suggestion where nothing is
        chosen: only that can be played.
        """
        form = page.form("handing")
        asks = [button.text for button in form.buttons if button.name == "whole"]
        return self.press(form, asks[0]) if asks else page

    def _there(self, address: str) -> str:
        parts = urlsplit(urljoin(f"http://localhost{self.at}", address))
        return f"{parts.path}?{parts.query}" if parts.query else parts.path

    def _asking(self, more: dict[str, Any]) -> dict[str, Any]:
        headers = {"Accept-Language": self.lang} | more.pop("headers", {})
        return {"follow_redirects": True, "headers": headers} | more

    def _read(self, response: TestResponse) -> Page:
        self.at = response.request.path
        query = response.request.query_string.decode()
        self.at += f"?{query}" if query else ""
        return Page(response)
