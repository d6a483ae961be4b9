"""A page as a browser without a script takes it: its words, its cards, and what its forms send."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, NamedTuple

from games.rules.cards import Card
from games.words.naming import card_name

CARD = re.compile(r"(?<![\w+/=.-])([2-9TJQKA][cdhs]|BJ|RJ)(?![\w+/=.-])")


def cards_in(text: str) -> set[str]:
    """Every card that a response names, anywhere in it: as it is written, or in words."""
    plain = unescape(text)
    names = {card_name(card.text): card.text for card in Card}
    in_words = re.findall(rf"\b({'|'.join(map(re.escape, names))})\b", plain)
    return set(CARD.findall(plain)) | {names[name] for name in in_words}


def words(text: str) -> str:
    """The text of a page without its markup."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


class Button(NamedTuple):
    name: str
    value: str
    least: str
    most: str


class Form:
    def __init__(self, attributes: dict[str, str]) -> None:
        self.id = attributes.get("id", "")
        self.address = attributes.get("action", "")
        self.fields: list[tuple[str, str]] = []
        self.boxes: list[tuple[str, str]] = []
        self.typed: list[str] = []
        self.buttons: list[Button] = []

    def sent(self, button: Button | None = None, **typed: str) -> dict[str, list[str]]:
        """The data that a browser would send."""
        data: dict[str, list[str]] = {}
        for name, value in self.fields:
            data.setdefault(name, []).append(typed.get(name, value))
        if button and button.name:
            data.setdefault(button.name, []).append(button.value)
        return data


class Page(HTMLParser):
    """The forms of a page by their ids, with fields that stand elsewhere and name them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: dict[str, Form] = {}
        self._open: Form | None = None
        # The name of the last select.
        self._choice = ""
        self._loose: list[tuple[str, str, dict[str, str]]] = []
        self.feed(text)
        for tag, owner, attributes in self._loose:
            if owner in self.forms:
                self._add(self.forms[owner], tag, attributes)

    def handle_starttag(self, tag: str, attrs: list[Any]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(attributes)
            self.forms[self._open.id] = self._open
        elif tag in ("input", "button") and "form" in attributes:
            self._loose.append((tag, attributes["form"], attributes))
        elif tag in ("input", "button") and self._open:
            self._add(self._open, tag, attributes)
        elif tag == "select":
            self._choice = attributes.get("name", "")
        elif tag == "option" and self._open and "selected" in attributes and self._choice:
            self._open.fields.append((self._choice, attributes.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None

    def _add(self, form: Form, tag: str, attributes: dict[str, str]) -> None:
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "button":
            if attributes.get("type") != "button" and "disabled" not in attributes:
                form.buttons.append(
                    Button(
                        name,
                        value,
                        attributes.get("data-least", ""),
                        attributes.get("data-most", ""),
                    )
                )
        elif attributes.get("type") in ("radio", "checkbox"):
            form.boxes.append((name, value))
            if "checked" in attributes and name:
                form.fields.append((name, value))
        elif name:
            form.fields.append((name, value))
            if attributes.get("type") != "hidden":
                form.typed.append(name)


def spot(text: str, key: str) -> dict[str, str]:
    """The attributes of a spot."""
    tag = re.search(rf'<button id="spot-{key}"[^>]*>', text)
    assert tag, key
    return dict(re.findall(r'([\w-]+)="([^"]*)"', tag[0]))
