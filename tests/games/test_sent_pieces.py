"""A browser is sent the pieces of the board that it does not have."""

import re
from html.parser import HTMLParser
from typing import Final

import pytest
from django.conf import settings
from django.test import Client

from games.models import Table
from games.pieces.assembly import OWN, PUBLIC, Assembly
from games.rules.catalogue import GAMES
from tests.games.house import House
from tests.games.viewers import people_of
from tests.people import HTMX, client_of

SAME: Final = re.compile(r'<\w+ id="([^"]+)" data-same="\w+"></\w+>')
VOID: Final = frozenset({"br", "input", "img", "hr", "path", "use", "circle", "text", "textPath"})
# What differs in each answer: the token of forms, the key of a top-up, and the time.
EACH_TIME: Final = re.compile(
    r'csrfmiddlewaretoken" value="\w+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|data-now="[^"]+"'
)
every_game = pytest.mark.parametrize("game", GAMES)


class Extents(HTMLParser):
    """Where each element with an id begins and ends in a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines = [0]
        for line in text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.open: list[tuple[str, str, int]] = []
        self.found: dict[str, tuple[int, int]] = {}
        self.feed(text)

    def place(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id") or "", self.place()))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content, as most of a drawing is."""

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        opened, key, start = self.open.pop()
        assert opened == tag, (opened, tag)
        if key:
            self.found[key] = (start, self.place() + len(f"</{tag}>"))


def put_in_place(before: str, sent: str) -> str:
    """The board that a browser has when it has put in place what it was sent."""
    extents = Extents(before).found

    def kept(found: re.Match[str]) -> str:
        start, end = extents[found[1]]
        return before[start:end]

    return SAME.sub(kept, sent)


def board(client: Client, table: Table, known: str = "") -> str:
    headers = HTMX | ({"Known": known} if known else {})
    text = client.get(f"/tables/{table.pk}/board/", headers=headers).text
    return EACH_TIME.sub("", text)


def marks(text: str) -> str:
    found = re.search(r'data-marks="(\w*)"', text)
    assert found
    return found[1]


@every_game
def test_pieces_put_in_place_are_the_whole_board(house: House, game: str) -> None:
    """For everybody at a table, and a stranger, from one move to the next."""
    names = people_of(game)
    table = house.dealt_in(game, *names)
    clients = [Client(), *(client_of(house.person(name)) for name in names)]
    shown = [board(client, table) for client in clients]
    saved = 0
    for _step in range(4):
        house.let_people_act(table)
        table.refresh_from_db()
        for number, client in enumerate(clients):
            sent = board(client, table, marks(shown[number]))
            whole = board(client, table)
            assert put_in_place(shown[number], sent) == whole
            saved += len(whole) - len(sent)
            shown[number] = whole
    assert saved > 0


def test_a_board_that_a_browser_has_is_sent_as_placeholders(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    alice = client_of(house.person("alice"))
    text = board(alice, table)
    again = board(alice, table, marks(text))
    assert {"seat-1", "seat-2", "seat-3", "felt", "moves", "my-seat"} <= set(SAME.findall(again))
    assert 'class="card' not in again


@pytest.mark.parametrize("known", ["x", "0" * 800, "é", "{}"])
def test_marks_that_no_piece_has_are_no_harm(house: House, known: str) -> None:
    table = house.table("doudizhu")
    assert not SAME.findall(board(Client(), table, known))


def test_a_changed_piece_is_sent_with_what_it_lies_in() -> None:
    def assembled(inner: str) -> tuple[Assembly, str]:
        one = Assembly()
        within = one.add("hand", f'<div class="x" id="inner">{inner}</div>')
        beside = one.add("choices", '<p id="beside">same</p>')
        return one, str(one.add("bar", f'<section id="outer">{within}{beside}</section>'))

    before, _made = assembled("old")
    after, made = assembled("new")
    known = {before.marks[at : at + 8] for at in range(0, len(before.marks), 8)}
    text = after.put_together(made, known)
    assert '<div class="x" id="inner">new</div>' in text
    assert SAME.findall(text) == ["beside"]
    assert text.startswith('<section id="outer">')
    assert SAME.findall(after.put_together(made, {*known, after.pieces["inner"].mark})) == ["outer"]


def test_the_register_has_the_pieces_of_the_templates() -> None:
    folder = settings.BASE_DIR / "templates" / "pieces"
    texts = [file.read_text(encoding="utf-8") for file in folder.rglob("*.html")]
    assert {name for text in texts for name in re.findall(r'{% piece "(\w+)" %}', text)} == (
        PUBLIC | OWN
    )


def test_what_stands_for_a_piece_cannot_be_typed(house: House) -> None:
    """An amount that is refused is shown again as it was sent."""
    table = house.table("doudizhu")
    alice = client_of(house.player("alice"))
    typed = "\1\2\3\1seat-1\1\1piece:seat-1\1"
    sent = {"seat": "1", "amount": typed}
    refused = alice.post(f"/tables/{table.pk}/sit/", sent, headers=HTMX)
    assert refused.status_code == 400
    assert f'value="{typed}"' in refused.text
