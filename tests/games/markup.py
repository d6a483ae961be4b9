"""A page as a browser without a script takes it: its words, its cards, and what its forms send."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, NamedTuple

from games.rules.cards import Card
from games.templatetags.cards import card_name

CARD = re.compile(r"(?<![\w+/=.-])([2-9TJQKA][cdhs]|BJ|RJ)(?![\w+/=.-])")


def cards_in(text: str) -> set[str]:
    """Every card that a response names, anywhere in it: as it is written, or in words."""
    plain = unescape(text)
    names = {card_name(card.text): card.text for card in Card}
    in_words = re.findall(rf"\b({'|'.join(map(re.escape, names))})\b", plain)
    return set(CARD.findall(plain)) | {names[name] for name in in_words}


def words(text: str) -> str:
    """What a page says, without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


class Button(NamedTuple):
    name: str
    value: str
    least: str
    most: str


class Form:
    def __init__(self, told: dict[str, str]) -> None:
        self.id = told.get("id", "")
        self.address = told.get("action", "")
        self.fields: list[tuple[str, str]] = []
        self.boxes: list[tuple[str, str]] = []
        self.typed: list[str] = []
        self.buttons: list[Button] = []

    def sent(self, button: Button | None = None, **typed: str) -> dict[str, list[str]]:
        """What a browser would send."""
        told: dict[str, list[str]] = {}
        for name, value in self.fields:
            told.setdefault(name, []).append(typed.get(name, value))
        if button and button.name:
            told.setdefault(button.name, []).append(button.value)
        return told


class Page(HTMLParser):
    """The forms of a page by their ids, with fields that stand elsewhere and name them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: dict[str, Form] = {}
        self._open: Form | None = None
        self._loose: list[tuple[str, str, dict[str, str]]] = []
        self.feed(text)
        for tag, owner, told in self._loose:
            if owner in self.forms:
                self._add(self.forms[owner], tag, told)

    def handle_starttag(self, tag: str, attrs: list[Any]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(told)
            self.forms[self._open.id] = self._open
        elif tag in ("input", "button") and "form" in told:
            self._loose.append((tag, told["form"], told))
        elif tag in ("input", "button") and self._open:
            self._add(self._open, tag, told)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None

    def _add(self, form: Form, tag: str, told: dict[str, str]) -> None:
        name, value = told.get("name", ""), told.get("value", "")
        if tag == "button":
            if told.get("type") != "button":
                form.buttons.append(
                    Button(name, value, told.get("data-least", ""), told.get("data-most", ""))
                )
        elif told.get("type") in ("radio", "checkbox"):
            form.boxes.append((name, value))
            if "checked" in told and name:
                form.fields.append((name, value))
        elif name:
            form.fields.append((name, value))
            if told.get("type") != "hidden":
                form.typed.append(name)


def spot(text: str, key: str) -> dict[str, str]:
    """The attributes of a spot."""
    tag = re.search(rf'<button id="spot-{key}"[^>]*>', text)
    assert tag, key
    return dict(re.findall(r'([\w-]+)="([^"]*)"', tag[0]))
