"""The next shoe is mixed while a hand is played, by links that come with the acts of the hand."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from msgspec import to_builtins

from games.boards import table_view
from games.bots.simulate import strategies
from games.models import ChainEntry, Move, Shoe, Table
from games.records.audit import Auditor
from games.shoes import seats
from games.shoes.custody import is_receipt_of
from games.tables import hand_verbs
from games.tables.carried import Carried
from games.tables.decisions import Decision
from games.tables.hand_state import game_of
from games.words.refusals import NOT_DEALT
from tests.attack import withholding
from tests.games.commit_reveal import (
    NAMES,
    Device,
    commit,
    reveal,
    sealed_table,
    shoe,
)
from tests.games.evenings import played_once
from tests.games.house import House
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.storage.signing import is_signed
from wallets.values.days import day_of


def dealt_table(house: House) -> Table:
    """A hand from a shoe that three devices have mixed: the next one is locked ahead."""
    table = sealed_table(house)
    devices = devices_at(house, table)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    for device in devices:
        device.answer()
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY
    return table


def devices_at(house: House, table: Table) -> list[Device]:
    devices = [Device(house, table, name) for name in NAMES]
    for device in devices:
        device.start()
    return devices


evening = played_once(dealt_table)


def coming(table: Table) -> Shoe:
    """The shoe of the next hand, while a hand is played."""
    table.refresh_from_db()
    assert table.next_shoe is not None
    return table.next_shoe


def act(house: House, table: Table, device: Device, *, carries: str | None = None) -> Carried:
    """Let a player act as a bot would, with the link that is due."""
    hand, state = house.state(table)
    game, lying = game_of(hand), coming(table)
    text = device.link_for(lying) if carries is None else carries
    action = strategies(game)["best"](game, game.view(state, device.number))
    decision = Decision(hand.pk, house.turn(table, device.number))
    carried = Carried(text)
    player = house.person(device.name)
    hand_verbs.act_all(player, table.pk, decision, [to_builtins(action)], house.now, carried)
    table.refresh_from_db()
    return carried


def act_until(house: House, table: Table, devices: list[Device], phase: Table.Phase) -> None:
    """Let all play on with their links until the hand, or the wait after it, is over."""
    for _step in range(500):
        if table.phase == phase:
            return
        acting = [device for device in devices if str(device.number) in table.turns]
        if table.phase == Table.Phase.PLAY and acting:
            act(house, table, acting[0])
        else:
            house.until_due(table)
    raise AssertionError(table.phase)


def lose_all_but(house: House, table: Table, name: str, left: int) -> None:
    """Move a player's stack and wallet to the house, but for so much in the wallet."""
    wallet, stack = house.wallet(house.person(name)), house.seat(table, name).stack
    source = account("issue", "house", table.currency)
    lost = stack.balance + wallet.balance - left
    legs = [Leg(stack.pk, -stack.balance), Leg(wallet.pk, left - wallet.balance)]
    post(
        uuid4(), "test", [*legs, Leg(source.pk, lost)],
        book="test", actor="test", reason="lost everything",
    )  # fmt: skip


def by_house(lying: Shoe) -> list[int]:
    return [part.number for part in lying.seats.all() if part.by_house]


def devices_of(house: House, table: Table) -> list[Device]:
    return [Device(house, table, name) for name in NAMES]


def dropped(table: Table) -> int:
    table.refresh_from_db()
    return table.locked_ahead.count(seats.MISSED)


# Locked ahead


def test_links_come_with_acts_and_the_next_hand_waits_for_none(house: House, table: Table) -> None:
    lying, devices = coming(table), devices_of(house, table)
    assert (lying.status, lying.locked_at) == (Shoe.Status.LOCKED, lying.sealed_at)
    assert {part.number: part.commit for part in lying.seats.all()} == {
        part.number: part.reveal for part in shoe(table).seats.all()
    }
    act_until(house, table, devices, Table.Phase.PAUSE)
    assert (shoe(table).pk, table.next_shoe) == (lying.pk, None)
    assert all(part.reveal and part.receipt for part in lying.seats.all())
    house.until_due(table)
    lying.refresh_from_db()
    assert (table.phase, lying.status, by_house(lying)) == (Table.Phase.PLAY, "open", [])
    assert table.locked_ahead == seats.IN_TIME
    assert all(is_receipt_of(lying, part) for part in lying.seats.all())
    assert {house.seat(table, name).reveals for name in NAMES} == {"++"}


def test_devices_send_no_request_but_acts(house: House) -> None:
    """A thirteen-card hand is one act of each: a budget of 1.1 requests an act leaves no more."""
    table = sealed_table(house, "chinese_poker")
    devices = devices_at(house, table)
    act_until(house, table, devices, Table.Phase.REVEAL)
    for device in devices:
        device.answer()
    hands, alone = 5, 0
    for _hand in range(hands):
        for phase in (Table.Phase.PAUSE, Table.Phase.PLAY):
            act_until(house, table, devices, phase)
            lying = table.shoe if phase == Table.Phase.PAUSE else None
            alone += sum(bool(lying and device.link_for(lying)) for device in devices)
    acts = Move.objects.filter(hand__table=table, hand__number__gt=1).count()
    assert acts >= (hands - 1) * len(devices)
    assert (acts + alone) / acts <= 1.1
    assert not Shoe.objects.filter(table=table, status=Shoe.Status.VOID).exists()


def test_an_act_that_carries_nothing_useful_is_played_all_the_same(
    house: House, table: Table
) -> None:
    lying = coming(table)
    for sent in ("", "nonsense", f"{lying.code} {'0' * 64}", f"T9-9 {'0' * 64}", "start"):
        acting = next(
            device for device in devices_of(house, table) if str(device.number) in table.turns
        )
        moves = table.moves_made
        assert act(house, table, acting, carries=sent).receipt is None
        assert table.moves_made > moves
    assert not lying.seats.exclude(reveal="").exists()


def test_a_link_that_comes_again_gets_the_same_receipt(house: House, table: Table) -> None:
    device = next(
        device for device in devices_of(house, table) if str(device.number) in table.turns
    )
    sent = device.link_for(coming(table))
    receipt = act(house, table, device).receipt
    assert receipt is not None
    assert is_signed("receipt", receipt["statement"], receipt["signature"], receipt["key"])
    house.pass_time(1)
    assert device.send(sent) == receipt
    while str(device.number) not in table.turns:
        house.let_people_act(table)
        table.refresh_from_db()
    assert act(house, table, device, carries=sent).receipt == receipt


def test_no_link_is_shown_before_the_deal(house: House, table: Table, client: Client) -> None:
    """Neither to players nor in what is published; the next deal shows all."""
    lying, devices = coming(table), devices_of(house, table)
    act_until(house, table, devices, Table.Phase.PAUSE)
    given = [part.reveal for part in lying.seats.all()]
    pages = [client.get(f"/fairness/shoes/{lying.code}.json").text]
    for name in NAMES:
        client.force_login(house.person(name))
        pages.append(client.get(f"/tables/{table.pk}/").text)
        pages.append(client.get(f"/api/tables/{table.pk}/").text)
    pages += [str(entry.body) for entry in ChainEntry.objects.all()]
    assert not any(link in page for link in given for page in pages)
    house.until_due(table)
    published = client.get(f"/fairness/shoes/{lying.code}.json").text
    assert all(link in published for link in given)


@pytest.mark.always
def test_who_has_not_acted_sends_the_link_when_the_hand_is_over(house: House, table: Table) -> None:
    lying, devices = coming(table), devices_of(house, table)
    house.idle.add("alice")
    act_until(house, table, devices[1:], Table.Phase.PAUSE)
    house.until_due(table)
    assert table.phase == Table.Phase.REVEAL
    devices[0].answer()
    assert (table.phase, shoe(table).pk, by_house(lying)) == (Table.Phase.PLAY, lying.pk, [])


def test_a_link_that_is_withheld_voids_the_shoe(house: House, table: Table) -> None:
    lying, devices = coming(table), devices_of(house, table)
    house.idle.add("alice")
    act_until(house, table, devices[1:], Table.Phase.PAUSE)
    while table.phase != Table.Phase.REVEAL:
        house.until_due(table)
    house.until_due(table)
    lying.refresh_from_db()
    assert (lying.status, lying.void_reason) == (Shoe.Status.VOID, "not revealed by seat 1")
    assert (house.seat(table, "alice").house_shoes, dropped(table)) == (1, 0)
    # No lock asks for that link again; those that came are the next commits.
    tips = [house.seat(table, name).tip for name in NAMES]
    assert tips == ["", *(part.reveal for part in lying.seats.filter(number__gt=1))]


def test_a_chain_that_is_started_under_a_lock_counts_from_the_next_one(
    house: House, table: Table
) -> None:
    """The link that the lock asks for can only come from the browser that has the chain."""
    lying, devices = coming(table), devices_of(house, table)
    renewed = Device(house, table, "alice", "another browser")
    renewed.start()
    act_until(house, table, devices, Table.Phase.PAUSE)
    house.until_due(table)
    assert (shoe(table).pk, by_house(lying)) == (lying.pk, [])
    assert coming(table).seats.get(number=1).commit == renewed.chain[0].hex()


def test_a_player_whose_page_is_closed_is_mixed_for_and_not_waited_for(
    house: House, table: Table
) -> None:
    """As the page is left it sends the link that is due, and ends its chain."""
    lying, devices = coming(table), devices_of(house, table)
    alice = devices[0]
    alice.send(alice.link_for(lying))
    alice.send(f"end {alice.chain[2].hex()}")
    act_until(house, table, devices[1:], Table.Phase.PAUSE)
    house.until_due(table)
    assert (table.phase, by_house(lying)) == (Table.Phase.PLAY, [])
    assert by_house(coming(table)) == [1]
    assert house.seat(table, "alice").reveals.count(seats.MISSED) == 0


# Others than those of the lock


def leave(house: House, table: Table, devices: list[Device]) -> None:
    house.leave(house.person("carol"), table)


def come(house: House, table: Table, devices: list[Device]) -> None:
    house.sit(house.player("dave"), table, 4)


@pytest.mark.parametrize("change", [leave, come])
def test_a_shoe_that_is_locked_for_others_is_dropped_and_a_fresh_one_locked(
    house: House, change: Any
) -> None:
    table = sealed_table(house, "chinese_poker")
    devices = devices_at(house, table)
    act_until(house, table, devices, Table.Phase.REVEAL)
    for device in devices:
        device.answer()
    lying = coming(table)
    act_until(house, table, devices, Table.Phase.PAUSE)
    change(house, table, devices)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    lying.refresh_from_db()
    assert (lying.status, lying.void_reason) == (Shoe.Status.VOID, NOT_DEALT)
    body = ChainEntry.objects.get(kind="void", body__shoe=lying.code).body
    assert len(body["reveals"]) == 3
    assert shoe(table).status == Shoe.Status.LOCKED
    for device in devices:
        if table.seats.filter(player__username=device.name, left_at=None).exists():
            device.answer()
    assert table.phase == Table.Phase.PLAY
    assert [part.number for part in shoe(table).seats.all()] == (
        [1, 2] if change is leave else [1, 2, 3, 4]
    )
    # Nobody has withheld; the table locks its next shoe when it is due.
    assert set(table.seats.values_list("house_shoes", flat=True)) == {0}
    assert (dropped(table), coming(table).status) == (1, Shoe.Status.SEALED)
    day = day_of(house.now)
    assert [findings for code, findings in Auditor().other_shoes(day) if code == lying.code] == []


@pytest.mark.parametrize(
    ("outcomes", "late"),
    [("", 1), ("+++", 1), ("-", 3), ("-+-", 7), ("----", 31), ("-" * 49, 31), ("-" + "+" * 49, 1)],
)
def test_a_table_that_drops_shoes_locks_the_next_ones_late(outcomes: str, late: int) -> None:
    table = Table(locked_ahead=outcomes)
    seats.note_locked_ahead(table, dealt=False)
    assert table.late_locks == late
    assert [seats.may_lock_ahead(table) for _ in range(late + 1)] == [False] * late + [True]


def test_whoever_leaves_once_the_deal_waits_for_links_has_withheld(
    house: House, table: Table
) -> None:
    """A shoe that is locked when it is due has no time in which players come and go."""
    lying, devices = coming(table), devices_of(house, table)
    house.idle.add("alice")
    act_until(house, table, devices[1:], Table.Phase.PAUSE)
    while table.phase != Table.Phase.REVEAL:
        house.until_due(table)
    house.leave(house.person("alice"), table)
    house.until_due(table)
    lying.refresh_from_db()
    assert lying.status == Shoe.Status.VOID
    assert table.seats.filter(player__username="alice").latest("pk").house_shoes == 1


@pytest.mark.parametrize(("left", "counted"), [(0, 0), (5_000, 1)])
def test_only_a_player_who_could_go_on_withholds(house: House, left: int, counted: int) -> None:
    table = sealed_table(house, "chinese_poker")
    commit(house, table, "alice")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    lose_all_but(house, table, "alice", left)
    house.until_due(table)
    assert house.seat(table, "alice").house_shoes == counted


def test_a_seat_that_is_kept_for_somebody_is_no_reason_to_lock_ahead(
    house: House, table: Table
) -> None:
    devices = devices_of(house, table)
    house.leave(house.person("carol"), table)
    act_until(house, table, devices, Table.Phase.PAUSE)
    assert dropped(table) == 0


@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_a_shoe_for_many_rounds_has_no_next_one_before_its_last_and_is_locked_when_due(
    house: House, game: str
) -> None:
    table = house.dealt_in(game, "alice")
    assert (table.next_shoe, Shoe.objects.count()) == (None, 1)
    house.nobody_bets(table)
    Device(house, table, "alice").start()
    Shoe.objects.update(cards_dealt=404 if game == "baccarat" else 300)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert coming(table).status == Shoe.Status.SEALED


def test_a_round_without_a_bet_passes_the_prepared_shoe_on(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice")
    lying = coming(table)
    house.nobody_bets(table)
    assert shoe(table).pk == lying.pk


def test_a_voided_hand_goes_on_with_the_shoe_that_was_prepared(house: House, table: Table) -> None:
    lying = coming(table)
    house.void(table, "a spilt drink")
    house.until_due(table)
    assert (table.phase, shoe(table).pk, table.next_shoe) == (Table.Phase.PAUSE, lying.pk, None)


# Slow devices


def test_nobody_waits_for_a_device_that_is_too_slow_for_a_shoe_that_was_not_prepared(
    house: House,
) -> None:
    table = sealed_table(house)
    commit(house, table, "alice")
    table.seats.filter(number=1).update(reveals="+", reply_ms=4_000)
    house.until_due(table)
    assert (table.phase, by_house(shoe(table))) == (Table.Phase.PLAY, [1, 2, 3])
    assert house.seat(table, "alice").house_shoes == 0


@pytest.mark.parametrize(
    ("reveals", "milliseconds", "waits"),
    [("", 0, 6), ("+", 500, 2), ("+", 2_500, 5), ("+", 2_900, 5.8)],
)
def test_the_deal_waits_longer_for_a_slow_device_but_not_for_ever(
    house: House, reveals: str, milliseconds: int, waits: float
) -> None:
    table = sealed_table(house)
    commit(house, table, "alice")
    table.seats.filter(number=1).update(reveals=reveals, reply_ms=milliseconds)
    house.until_due(table)
    assert table.due_at is not None
    assert (table.due_at - house.now).total_seconds() == waits


# What is counted


def test_a_seat_knows_for_how_many_of_the_last_shoes_its_number_counted(
    house: House,
) -> None:
    table = sealed_table(house)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    octets = commit(house, table, "alice")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    reveal(house, table, "alice", octets)
    alice = house.person("alice")
    board = table_view.table_view(alice, table_view.table_for(alice, table.pk), house.now)
    # The house mixed the first shoe, before any player had a chain.
    assert board.counted == (1, 2)
    page = Client()
    page.force_login(alice)
    said = page.get(f"/tables/{table.pk}/").text
    assert "Your device's number counted in 1 of the last 2 shoes." in said


def test_only_the_last_fifty_are_kept(house: House, table: Table) -> None:
    seat = house.seat(table, "alice")
    seats.note_withheld(seat)
    assert seat.house_shoes == 1
    for _ in range(seats.KEPT):
        seats.note_mixed(seat, by_house=False)
    assert len(seat.reveals) == len(seat.shoes) == seats.KEPT
    seats.note_withheld(seat)
    assert seat.house_shoes == 1


@pytest.mark.always
@pytest.mark.parametrize(
    ("replies", "noted"),
    [
        ([100, 400], 0),
        ([2_000], 2_000),
        ([2_000, 100], 1_700),
        ([2_000, 100, 3_000], 3_000),
        ([600, 100, 100], 0),
        ([20_000], 0),
    ],
)
def test_a_slow_answer_is_remembered_for_a_while(
    house: House, table: Table, replies: list[float], noted: int
) -> None:
    seat = house.seat(table, "alice")
    for milliseconds in replies:
        seats.note_reply(seat, milliseconds)
    assert seat.reply_ms == noted


@pytest.mark.parametrize("is_limited", [True, False])
@pytest.mark.parametrize("bits", [withholding.bits_a_shoe, withholding.bits_a_shoe_dropped])
def test_refusing_deals_gains_less_than_one_bit_in_sixteen_shoes_because_it_is_limited(
    bits: Any, is_limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_limited:
        monkeypatch.setattr(withholding, "is_set_aside", lambda _seat: False)
        monkeypatch.setattr(withholding, "may_lock_ahead", lambda _table: True)
    gained = bits(disliked=0.08, risked=4 if is_limited else seats.KEPT)
    assert (gained < 1 / withholding.SHOES_A_BIT) is is_limited
