"""Every form of the back office: which there are for whom, and what they do to the ledger."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Table
from tests.games.house import House
from tests.people import client_of
from wallets.models import Jackpot, Transaction
from wallets.money import jackpots

REASON = "the club has asked for it"
# A form that is new here has been looked at: does it move money, and does it then say who and why?
OF_MANAGERS = {
    "games.table": {"add", "change"},
    "games.sharedhand": {"change"},
    "games_chat.chatline": {"change"},
    "games_chat.silence": {"add", "change"},
    # It is changed on its page.
    "wallets.jackpot": {"add"},
    "axes.accessattempt": {"delete"},
    # Announcing and cancelling go through approvals, on pages of their own.
    "tournaments.template": {"add"},
    "tournaments.schedule": {"add"},
    # It leads to the editor of events.
    "tournaments.tournament": {"add"},
}
FORMS = {
    "floor": {
        "games.table": {"change"},
        "games_chat.chatline": {"change"},
        "games_chat.silence": {"add", "change"},
    },
    "managers": OF_MANAGERS,
    "technicians": {"axes.accessattempt": {"delete"}},
    "cashiers": {},
    "auditors": {},
}
JACKPOT: dict[str, Any] = {
    "name": "Dragon",
    "kind": "progressive",
    "currency": "PLAY",
    "seed": "10",
    "reserve": "0",
    "share_bp": "5",
    "lowest": 1,
    "highest": 2,
    "active": "on",
    "reason": REASON,
}


@pytest.fixture
def operator(house: House) -> Player:
    player = house.player("olga", 0)
    appoint(player, "managers")
    return player


@pytest.fixture
def client(operator: Player) -> Client:
    return client_of(operator)


@pytest.mark.parametrize("role", FORMS)
def test_these_are_the_forms_of_a_role(house: House, role: str) -> None:
    request: Any = RequestFactory().get("/admin/")
    request.user = house.player("sam", 0)
    appoint(request.user, role)
    request.user = Player.objects.get(username="sam")
    rights: dict[str, set[str]] = {}
    for model, of_list in admin.site._registry.items():
        may = {
            "add": of_list.has_add_permission(request),
            "change": of_list.has_change_permission(request),
            "delete": of_list.has_delete_permission(request),
        }
        if any(may.values()):
            rights[model._meta.label_lower] = {name for name, allowed in may.items() if allowed}
    assert rights == FORMS[role]


def postings_since(last: int) -> set[tuple[str, str, str]]:
    posted = Transaction.objects.filter(pk__gt=last)
    return set(posted.values_list("kind", "actor", "reason"))


def last() -> int:
    return Transaction.objects.latest("pk").pk


def test_each_form_that_moves_money_says_who_and_why(
    house: House, client: Client, operator: Player
) -> None:
    table = house.dealt_in("baccarat", "alice")
    # A round that ends in a tie moves nothing.
    paid = Hand.objects.filter(posting__isnull=False)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE and paid.exists())
    me = f"player:{operator.pk}"

    before = last()
    assert client.post("/admin/wallets/jackpot/add/", JACKPOT).status_code == 302
    assert postings_since(before) == {("seed", me, REASON)}
    jackpot = Jackpot.objects.get()

    before, address = last(), f"/admin/wallets/jackpot/{jackpot.pk}"
    assert client.post(f"{address}/change/", JACKPOT | {"seed": "20"}).status_code == 302
    assert postings_since(before) == {("seed", me, REASON)}

    before = last()
    jackpots.configure(jackpot, actor=me, reason=REASON, active=False)
    assert client.post(f"{address}/drain/", {"amount": "20", "reason": REASON}).status_code == 302
    assert postings_since(before) == {("drain", me, REASON)}

    before = last()
    hand = paid.first()
    assert hand is not None
    address = f"/admin/games/hand/{hand.pk}/take-back/"
    assert (
        client.post(address, {"reason": REASON, "house_pays": "on", "typed": "VOID"}).status_code
        == 302
    )
    ((kind, actor, reason),) = postings_since(before)
    assert (kind, actor) == ("hand_void", me)
    assert REASON in reason


def test_the_other_forms_move_nothing(house: House, client: Client) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    before = last()
    alice = house.person("alice").pk
    reason = {"reason": REASON}
    shut = {"name": table.name, "status": "closing", "overflow_max": 0, "reason": REASON}
    for address, form in (
        (f"/admin/games/table/{table.pk}/change/", shut),
        (f"/admin/players/player/{alice}/freeze/", reason),
        (
            "/admin/games_chat/silence/add/",
            {"player": alice, "until_0": "2027-01-01", "until_1": "12:00", "reason": "noise"},
        ),
    ):
        assert client.post(address, form).status_code == 302, address
    assert not postings_since(before)
