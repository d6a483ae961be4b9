"""What cannot be undone is typed or decided by a second person, and its button is never filled."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from casino.accounts.models import Player
from casino.care.models import ErasureRequest
from games.models import Hand, Table
from tests.casino.floor_scene import mona, table
from tests.games.house import House
from tests.people import client_of
from tests.tournaments.events import Event, structure
from wallets.typed_form import FinalForm, Typed

__all__ = ["mona", "table"]
pytestmark = pytest.mark.django_db
FILLED: Final = re.compile(r'class="[^"]*\b(bg-primary-600|main)\b')
Address = Callable[[House, Table], str]


def hand_at(table: Table, address: str) -> str:
    return address.format(Hand.objects.filter(table=table).latest("pk").pk)


def paid(house: House, table: Table) -> str:
    house.until(table, lambda _table: Hand.objects.filter(status="finished").exists())
    return f"/admin/hands/{Hand.objects.filter(status='finished').latest('pk').code}/"


def event(house: House) -> str:
    made = Event(house)
    made.announce(structure())
    return f"/admin/tournaments/tournament/{made.number}"


def with_a_request(house: House, _table: Table) -> str:
    alice = house.person("alice")
    ErasureRequest.objects.create(player_id=alice.pk, made_at=house.now)
    return f"/admin/players/player/{alice.pk}/erase/"


# The pages, each with a form for what cannot be undone.
PAGES: Final[dict[str, Address]] = {
    "stop all hands": lambda _house, _table: "/admin/floor/halt/",
    "close the house": lambda _house, _table: "/admin/floor/house/close/",
    "void a live hand": lambda _house, table: hand_at(table, "/admin/games/hand/{}/take-back/"),
    "reverse a paid hand": paid,
    "cancel an event": lambda house, _table: f"{event(house)}/cancel/",
    "disqualify a player": lambda house, _table: f"{event(house)}/disqualify/",
    "close an account": lambda house, _table: (
        f"/admin/players/{house.person('alice').pk}/file/close/"
    ),
    "erase a player": with_a_request,
}


def forms_below(kind: type[Any]) -> set[type[Any]]:
    kinds = {kind}
    for subclass in kind.__subclasses__():
        kinds |= forms_below(subclass)
    return kinds


@pytest.fixture
def shown(house: House, table: Table, mona: Player, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the final form of a page is, and the HTML around its button."""
    used: list[object] = []
    for kind in (Typed, FinalForm):
        plain = kind.__init__

        def noted(form: object, *given: Any, plain: Any = plain, **named: Any) -> None:
            used.append(form)
            plain(form, *given, **named)

        monkeypatch.setattr(kind, "__init__", noted)

    def show(what: str) -> tuple[type[Any], str]:
        text = client_of(mona).get(PAGES[what](house, table)).text
        form = type(used[-1])
        (markup,) = [
            element
            for element in re.findall(r"<form\b.*?</form>", text, re.DOTALL)
            if 'name="reason"' in element and 'method="post"' in element
        ]
        return form, markup

    return show


@pytest.mark.parametrize("what", PAGES)
def test_it_is_typed_or_needs_a_second_person(what: str, shown: Any) -> None:
    form, html = shown(what)
    assert issubclass(form, Typed | FinalForm)
    assert issubclass(form, Typed) == ('name="typed"' in html)
    buttons = re.findall(r"<button\b[^>]*>", html)
    assert buttons
    assert not [button for button in buttons if FILLED.search(button)]


def test_every_form_for_what_cannot_be_undone_has_a_page_here(shown: Any) -> None:
    met = {shown(what)[0] for what in PAGES}
    known = forms_below(Typed) | forms_below(FinalForm)
    assert {form for form in known if getattr(form, "word", "") or form is FinalForm} == met
