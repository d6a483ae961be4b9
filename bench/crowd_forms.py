"""What a table's page offers, read from its HTML: parts that renew themselves, forms, and spots.

A browser parses all of it; here expressions find what a player needs, so that a crowd of pages
leaves the processors to the house.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final, NamedTuple

ATTRIBUTE: Final = re.compile(r'([\w:-]+)(?:="([^"]*)")?')
INSIDE: Final = r'(?:[^>"]++|"[^"]*+")*+'
TAG: Final = rf"<{{}}\b({INSIDE})>"
ELEMENT: Final = re.compile(rf"<(\w+)({INSIDE})>")
PLACE: Final = re.compile(r'<(\w+) id="([^"]+)" data-same></\1>')
FORM: Final = re.compile(TAG.format("form") + "(.*?)</form>", re.S)
# Players who can pass ask for a hint so often, and tick the cards that it names.
HINT_SHARE: Final = 0.3
# How many cards a form takes at the least, where one is not enough.
CARDS: Final = {"give": 3, "exchange": 2}
SIZES: Final = {"front": 3, "middle": 5, "back": 5}
# A natural is declared, and some forms are sent, by a second press only.
SECOND_PRESS: Final = "declare"

Attributes = dict[str, str]
Fields = list[tuple[str, str]]


class Press(NamedTuple):
    """A form that is sent, with the values of the button that was pressed."""

    path: str
    fields: Fields

    def value(self, name: str) -> str:
        return next((value for field, value in self.fields if field == name), "")


class Part(NamedTuple):
    """A part of a page that fetches itself: so often, at once, and on these events."""

    path: str
    seconds: float
    at_once: bool
    events: frozenset[str]


def attributes(tag: str) -> Attributes:
    return {name: unescape(value) for name, value in ATTRIBUTE.findall(tag)}


def tags(html: str, name: str, having: str = "") -> Iterator[Attributes]:
    """The attributes of each such tag that has this text in it."""
    for match in re.finditer(TAG.format(name), html):
        if having in match[1]:
            yield attributes(match[1])


def tag(html: str, number: str) -> Attributes:
    """The attributes of the element with this id; none if it is not there."""
    match = _by_id(html, number)
    return attributes(match[2]) if match else {}


def parts(html: str) -> dict[str, Part]:
    """The parts that fetch themselves, by id."""
    parts = {}
    for tag in tags(html, r"\w+", "hx-trigger="):
        if "hx-get" not in tag or "id" not in tag:
            continue
        seconds, at_once, events = 0.0, False, set[str]()
        for words in (piece.split() for piece in tag["hx-trigger"].split(",")):
            if words[0] == "every":
                seconds = _seconds(words[1])
            elif words == ["load"]:
                at_once = True
            elif words[0] not in ("load", "intersect", "change"):
                events.add(words[0].removeprefix("sse:"))
        parts[tag["id"]] = Part(tag["hx-get"], seconds, at_once, frozenset(events))
    return parts


def _seconds(text: str) -> float:
    return float(text[:-2]) / 1000 if text.endswith("ms") else float(text[:-1])


def put_together(pieces: Mapping[str, str]) -> str:
    """The board that a page makes of the pieces of its stream: a frame and its contents.

    An empty element with `data-same` is the place of another piece.
    """

    def piece(place: re.Match[str]) -> str:
        return PLACE.sub(piece, pieces[place[2]]) if place[2] in pieces else place[0]

    return PLACE.sub(piece, pieces["board"])


def _by_id(html: str, number: str) -> re.Match[str] | None:
    named = f'id="{number}"'
    for match in ELEMENT.finditer(html, max(0, html.rfind("<", 0, html.find(named)))):
        return match if named in match[2] else None
    return None


def help_link(board: str, draw: random.Random) -> str:
    """Where the page gets a suggestion, if a player would ask for one now."""
    match = re.search(r'hx-get="([^"]*\?help=[^"]*)"', board)
    asks = 'id="act-arrange"' in board or ('id="act-pass"' in board and draw.random() < HINT_SHARE)
    return unescape(match[1]) if match and asks else ""


def press(board: str, draw: random.Random) -> Press | None:
    """What a player sends who has seen the board: bets, a move, or an answer."""
    forms = {
        at["id"]: (at, inside)
        for at, inside in ((attributes(match[1]), match[2]) for match in FORM.finditer(board))
        if at.get("id")
    }
    bets = _bets(board, *forms["betting"], draw) if "betting" in forms else None
    if bets:
        return bets
    if "insurance" in forms:
        at, inside = forms["insurance"]
        return Press(at["action"], [*_inputs(inside), ("insurance", "none")])
    moves = [name for name in forms if name.startswith("act-")]
    draw.shuffle(moves)
    # Those who do not know what beats a play, pass.
    moves.sort(key=lambda name: name == "act-play" and not _cards(board, name, ticked=True))
    for name in moves:
        at, inside = forms[name]
        buttons = _buttons(board, name, inside)
        if buttons:
            button = draw.choice(buttons)
            fields = [*_inputs(inside), *_picked(board, name), *button]
            return Press(at["action"], fields)
    return None


def sent(board: str, form: str) -> Press | None:
    """A form as it stands, with the first choice of each list."""
    for match in FORM.finditer(board):
        at = attributes(match[1])
        if at.get("id") == form:
            lists = [
                (attributes(select[1])["name"], option[1])
                for select in re.finditer(TAG.format("select") + "(.*?)</select>", match[2], re.S)
                if (option := re.search(r'<option value="([^"]+)"', select[2]))
            ]
            return Press(at.get("action", ""), [*_inputs(match[2]), *lists])
    return None


def _inputs(inside: str) -> Fields:
    """What a form holds without being touched."""
    return [
        (tag["name"], tag.get("value", ""))
        for tag in tags(inside, "input", "name=")
        if "form" not in tag
        and (tag.get("type", "text") in ("hidden", "text") or "checked" in tag)
        and not tag["name"].startswith("insured-")
    ]


def _buttons(board: str, form: str, inside: str) -> list[Fields]:
    """What each button adds that sends the form, in it or elsewhere."""
    own = list(tags(inside, "button"))
    beside = [tag for tag in tags(board, "button") if tag.get("form") == form]
    return [
        [(button["name"], button.get("value", ""))] if "name" in button else []
        for button in own + beside
        if button.get("type", "submit") == "submit"
        and not {"disabled", "popovertarget"} & button.keys()
        and button.get("name") != SECOND_PRESS
    ]


def _cards(board: str, form: str, *, ticked: bool = False) -> list[str]:
    return [
        tag["value"]
        for tag in tags(board, "input", f'form="{form}"')
        if tag.get("name") == "cards" and ("checked" in tag or not ticked)
    ]


def _picked(board: str, form: str) -> Fields:
    """The cards that go with a form: those of a suggestion, or the least that can be."""
    if form == "act-arrange":
        return _arranged(board)
    cards = _cards(board, form, ticked=True)
    if not cards:
        cards = _cards(board, form)[-CARDS.get(form.split("-")[1], 1) :]
    return [("cards", card) for card in cards]


def _arranged(board: str) -> Fields:
    """Each card in its row; without a suggestion as they come, even if it is a foul."""
    radios = [tag for tag in tags(board, "input", 'form="act-arrange"') if "name" in tag]
    placed = [
        (radio["name"], radio["value"])
        for radio in radios
        if "checked" in radio and radio.get("value")
    ]
    if placed:
        return placed
    names = dict.fromkeys(radio["name"] for radio in radios)
    rows = [row for row, size in SIZES.items() for _ in range(size)]
    return [*zip(names, rows, strict=False), ("meant", "yes")]


def _bets(board: str, form: Attributes, inside: str, draw: random.Random) -> Press | None:
    """The least on one spot, and no more bets; nothing once a bet is placed."""
    fields = _inputs(inside)
    if not any(name == "played_hand" for name, _value in fields):
        return None
    spots = [tag for tag in tags(board, "button", "data-spot=") if tag["data-money"] == "amount"]
    free = [spot for spot in spots if int(spot["data-room"])]
    if not free or any(int(spot["data-standing"]) for spot in spots):
        return None
    spot = draw.choice(free)
    wanted = {spot["data-spot"]: max(1, int(spot["data-floor"]))}
    return Press(form["action"], [*fields, ("spots", json.dumps(wanted)), ("deal", "yes")])
