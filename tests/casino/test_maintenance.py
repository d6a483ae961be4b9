"""Maintenance: no new hand opens, live hands finish, and everybody learns why."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino.ops.maintenance import switch
from games.models import Hand, Table
from games.tables.settings import changed
from tests.casino.floor_scene import member
from tests.games.house import House
from tests.games.program import Program
from tests.people import HTMX, by_staff, client_of
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.values.errors import Refused

MESSAGE = "Back at six."
PAGE = "/admin/maintenance/"
Turn = Callable[..., None]


@pytest.fixture
def turn(house: House, django_capture_on_commit_callbacks: Any) -> Turn:
    """The switch, with what follows its commit."""

    def to(on: bool, message: str = MESSAGE) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            if on:
                switch.turn_on(journal.HOUSE, why="a test", now=house.now, message=message)
            else:
                switch.turn_off(journal.HOUSE, why="a test", now=house.now)

    return to


@pytest.mark.slow
def test_a_live_hand_is_played_to_its_end_and_no_other_opens(house: House, turn: Turn) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    dealt = table.hands_dealt
    turn(on=True)
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.filter(status=Hand.Status.FINISHED).exists()
    for _ in range(10):
        house.until_due(table)
    assert (table.hands_dealt, table.hand_id) == (dealt, None)
    assert table.seats.filter(left_at=None).count() == 3
    turn(on=False)
    house.until(table, lambda table: table.hands_dealt > dealt)


def test_a_round_without_a_bet_is_called_off_and_no_bet_makes_a_hand(
    house: House, turn: Turn
) -> None:
    table = house.dealt_in("baccarat", "alice")
    assert table.hand_id is not None
    turn(on=True)
    table.refresh_from_db()
    assert table.hand_id is None
    assert not Hand.objects.filter(table=table).exists()


@pytest.mark.parametrize("on", [True, False])
def test_the_first_bet_of_an_open_round_is_refused_at_the_address_of_bets(
    house: House, on: bool
) -> None:
    """Without what follows the commit, as if that had come too late for this table."""
    table = house.dealt_in("baccarat", "alice")
    if on:
        switch.turn_on(journal.HOUSE, why="a test", now=house.now)
    program = Program("alice")
    turn = table.turns["1"]
    program.post(
        f"tables/{table.pk}/act/",
        {"hand": table.hand_id, "turn": turn, "action": house.best_action(table, "alice")},
    )
    bets = Hand.objects.get(pk=table.hand_id).moves.count()
    assert (program.status, bets) == ((409, 0) if on else (200, 1))


def test_a_table_that_is_to_close_takes_no_first_bet_either(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSING)
    program = Program("alice")
    answer = program.post(
        f"tables/{table.pk}/act/",
        {
            "hand": table.hand_id,
            "turn": table.turns["1"],
            "action": house.best_action(table, "alice"),
        },
    )
    assert (program.status, answer["code"]) == (409, "table_closed")
    changed(table.pk, house.now)
    house.idle.add("alice")
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert not Hand.objects.filter(table=table).exists()


def test_a_round_with_a_bet_goes_on(house: House, turn: Turn) -> None:
    table = house.dealt_in("baccarat", "alice")
    house.let_people_act(table)
    turn(on=True)
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.get(table=table).status == Hand.Status.FINISHED


def test_seats_and_money_are_refused_with_a_code(house: House, turn: Turn) -> None:
    table = house.table("chinese_poker")
    house.player("alice")
    bob = house.player("bob")
    house.sit(bob, table, 2, 20_000)
    turn(on=True)
    program = Program("alice")
    answer = program.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert (program.status, answer["code"]) == (409, "maintenance")
    assert MESSAGE in answer["sentence"]
    with pytest.raises(Refused) as caught:
        house.sit(house.person("alice"), table, 1, 20_000)
    assert caught.value.code == "maintenance"
    # A player who sits there may go.
    client = client_of(bob)
    assert client.post(f"/tables/{table.pk}/leave/").status_code in (200, 302)
    assert not table.seats.filter(left_at=None).exists()


def test_every_page_says_so_and_everybody_may_sign_in(house: House, turn: Turn) -> None:
    house.player("alice")
    boss = member(house, "managers", "boss")
    turn(on=True)
    for name in ("alice", "boss"):
        client = Client()
        answer = client.post(
            "/players/sign-in/", {"username": name, "password": "a password for tests"}
        )
        assert answer.status_code == 302, answer.content.decode()[-500:]
        for address in ("/", "/lobby/", "/wallet/", "/history/"):
            assert MESSAGE in client.get(address, follow=True).text, address
    assert MESSAGE in Client().get("/lobby/").text
    assert client_of(boss).get(PAGE).status_code == 200
    turn(on=False)
    assert MESSAGE not in Client().get("/lobby/").text


def test_open_pages_learn_of_it_by_their_strip(house: House, turn: Turn) -> None:
    client = client_of(house.player("alice"))
    first = client.get("/running/")
    known = first.context["strip"].fingerprint
    assert client.get(f"/running/?known={known}").status_code == 204
    turn(on=True, message=f"{MESSAGE} <b>{{back}}</b> at six")
    shown = client.get(f"/running/?known={known}").text
    assert MESSAGE in shown
    assert "&lt;b&gt;{back}&lt;/b&gt; at six" in shown


@pytest.mark.always
def test_the_page_switches_and_is_journalled(house: House) -> None:
    client = client_of(member(house, "technicians", "tess"))
    assert (
        client.post(PAGE, {"on": "", "message": MESSAGE, "reason": "new disks"}).status_code == 302
    )
    assert switch.state().message == MESSAGE
    assert MESSAGE in client.get(PAGE).text
    assert client.post(PAGE, {"off": "", "message": "", "reason": "done"}).status_code == 302
    assert not switch.state().on
    entries = [
        (entry.verb, entry.actor_name, entry.reason)
        for entry in JournalEntry.objects.order_by("position")
    ]
    assert entries == [
        (switch.ON, "tess", "new disks"), (switch.OFF, "tess", "done"),
    ]  # fmt: skip
    entry = JournalEntry.objects.first()
    assert entry is not None
    assert entry.after == {"maintenance": True, "message": MESSAGE}


def test_others_do_not_switch_and_wrong_forms_switch_nothing(house: House) -> None:
    for group in ("floor", "cashiers", "auditors"):
        client = client_of(member(house, group))
        answer = client.post(PAGE, {"on": "", "message": "", "reason": "why"}, headers=HTMX)
        assert answer.status_code == 403
    boss = client_of(member(house, "managers"))
    for message, reason, sentence in (
        (MESSAGE, "", "This field is required."), ("x" * 201, "why", "at most 200 characters"),
    ):  # fmt: skip
        form = {"on": "", "message": message, "reason": reason}
        assert sentence in boss.post(PAGE, form).text
    assert not switch.state().on


@pytest.mark.always
def test_switching_twice_is_one_entry_and_a_message_is_one_line(house: House) -> None:
    for _ in range(2):
        switch.turn_on(journal.HOUSE, why="a test", now=house.now, message=" Back\n\u202eat six. ")
    switch.turn_on(journal.HOUSE, why="a test", now=house.now, message="Back at seven.")
    for _ in range(2):
        switch.turn_off(journal.HOUSE, why="a test", now=house.now)
    messages = [entry.after["message"] for entry in JournalEntry.objects.order_by("position")]
    assert messages == ["Back at six.", "Back at seven.", ""]
    with pytest.raises(Refused):
        switch.turn_on(journal.HOUSE, why="a test", now=house.now, message="x" * 201)


def command(*words: str) -> str:
    out = StringIO()
    call_command("maintenance", *words, stdout=out)
    return out.getvalue()


@pytest.mark.always
def test_the_command_switches(house: House) -> None:
    assert "Live hands: 0." in command("on", "--message", MESSAGE, *by_staff())
    assert switch.state().message == MESSAGE
    assert "off" in command("off", *by_staff())
    assert not switch.state().on
    assert JournalEntry.objects.count() == 2
    with pytest.raises(CommandError, match="at most 200"):
        command("on", "--message", "x" * 201, *by_staff())
    with pytest.raises(CommandError, match="no member of staff"):
        command("on", "--by", "nobody", "--why", "a test")
