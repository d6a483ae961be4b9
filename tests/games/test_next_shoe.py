"""The next shoe is mixed while a hand is played, so that a slow line takes part in it."""

from uuid import uuid4

import pytest
from django.test import Client

from games.boards import table_view
from games.models import ChainEntry, Shoe, Table
from games.records.audit import Auditor
from games.rules.shoe import ShoeProtocol
from games.shoes import seats
from games.shoes.custody import is_receipt_of
from games.tables import commit_reveal
from tests.attack import withholding
from tests.games.commit_reveal import NAMES, commit, reveal, sealed_table, shoe, withhold
from tests.games.evenings import played_once
from tests.games.house import House
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.storage.signing import is_signed
from wallets.values.days import day_of
from wallets.values.errors import Refused


def dealt_table(house: House) -> Table:
    table = sealed_table(house)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    return table


evening = played_once(dealt_table)


def coming(table: Table) -> Shoe:
    """The shoe of the next hand, while a hand is played."""
    table.refresh_from_db()
    assert table.next_shoe is not None
    return table.next_shoe


def commit_to(house: House, table: Table, name: str, *, after: float = 0) -> bytes:
    """Commit to the next shoe so many seconds later; the bytes."""
    house.pass_time(after)
    lying, number = coming(table), house.seat(table, name).number
    octets = f"the bytes of {name}".encode().ljust(32)
    own = ShoeProtocol(lying.code).commitment(number, octets).hex()
    commit_reveal.commit(house.person(name), table.pk, lying.code, own, house.now)
    return octets


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


# Quick devices


def test_a_commit_has_the_whole_hand_to_arrive(house: House, table: Table) -> None:
    lying = coming(table)
    assert lying.status == Shoe.Status.SEALED
    octets = {name: commit_to(house, table, name) for name in NAMES}
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert (shoe(table).pk, table.next_shoe) == (lying.pk, None)
    house.until_due(table)
    assert table.phase == Table.Phase.REVEAL
    for name in NAMES:
        reveal(house, table, name, octets[name])
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY
    assert by_house(lying) == []


def test_among_quick_devices_the_shoe_is_not_locked_before_the_next_hand_is_due(
    house: House, table: Table
) -> None:
    """Until then players may come and go."""
    for name in NAMES:
        commit_to(house, table, name, after=0.1)
    assert coming(table).lock == ""
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert shoe(table).lock == ""


def test_whoever_leaves_in_the_hand_has_no_part_in_the_next_shoe(
    house: House, table: Table
) -> None:
    house.bots(1)
    Table.objects.filter(pk=table.pk).update(bots_max=1)
    for name in NAMES:
        commit_to(house, table, name)
    house.leave(house.person("alice"), table)
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    parts = {part.number: part.by_house for part in shoe(table).seats.all()}
    assert parts == {1: True, 2: False, 3: False}


def test_a_commit_to_the_next_shoe_can_be_withdrawn(house: House, table: Table) -> None:
    octets = commit_to(house, table, "alice")
    lying = coming(table)
    own = ShoeProtocol(lying.code).commitment(1, octets).hex()
    commit_reveal.withdraw(house.person("alice"), table.pk, lying.code, own)
    assert not lying.seats.exists()


def test_a_voided_hand_goes_on_with_the_shoe_that_was_prepared(house: House, table: Table) -> None:
    lying = coming(table)
    house.void(table, "a spilt drink")
    house.until_due(table)
    assert (table.phase, shoe(table).pk, table.next_shoe) == (Table.Phase.PAUSE, lying.pk, None)


@pytest.mark.parametrize("game", ["baccarat", "blackjack"])
def test_a_shoe_for_many_rounds_has_no_next_one_before_its_last(house: House, game: str) -> None:
    table = house.dealt_in(game, "alice")
    assert (table.next_shoe, Shoe.objects.count()) == (None, 1)
    house.nobody_bets(table)
    Shoe.objects.update(cards_dealt=404 if game == "baccarat" else 300)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert coming(table).status == Shoe.Status.SEALED


def test_a_round_without_a_bet_passes_the_prepared_shoe_on(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice")
    lying = coming(table)
    house.nobody_bets(table)
    assert shoe(table).pk == lying.pk


# Slow devices


def test_for_a_slow_device_the_shoe_is_locked_in_the_hand_and_nobody_waits(
    house: House, table: Table
) -> None:
    octets = {name: commit_to(house, table, name) for name in NAMES[:2]}
    octets["carol"] = commit_to(house, table, "carol", after=3)
    lying = coming(table)
    assert lying.status == Shoe.Status.LOCKED
    house.pass_time(3)
    for name in NAMES:
        reveal(house, table, name, octets[name], lying.code)
    assert table.phase == Table.Phase.PLAY
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    due = table.due_at
    house.until_due(table)
    assert (table.phase, house.now) == (Table.Phase.PLAY, due)
    lying.refresh_from_db()
    assert (shoe(table).pk, by_house(lying)) == (lying.pk, [])


def test_no_reveal_of_the_next_shoe_is_published_before_it_is_dealt(
    house: House, table: Table, client: Client
) -> None:
    octets = {name: commit_to(house, table, name, after=2) for name in NAMES}
    lying = coming(table)
    for name in NAMES:
        reveal(house, table, name, octets[name], lying.code)
    published = client.get(f"/fairness/shoes/{lying.code}.json")
    assert published.json()["lock"]
    assert not any(given.hex() in published.text for given in octets.values())


def test_a_locked_shoe_that_misses_a_reveal_is_voided_when_the_hand_is_due(
    house: House, table: Table
) -> None:
    """It had the whole hand to arrive, so the table waits for it no longer."""
    octets = {name: commit_to(house, table, name, after=2) for name in NAMES}
    lying = coming(table)
    for name in NAMES[1:]:
        reveal(house, table, name, octets[name], lying.code)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    house.pass_time(10)
    house.until_due(table)
    lying.refresh_from_db()
    assert (lying.status, lying.void_reason) == (Shoe.Status.VOID, "not revealed by seat 1")
    assert house.seat(table, "alice").house_shoes == 1
    assert (table.phase, shoe(table).status) == (Table.Phase.PAUSE, Shoe.Status.SEALED)


def test_whoever_leaves_a_locked_next_shoe_has_withheld(house: House, table: Table) -> None:
    """Otherwise a player who knows the mix could refuse a deal by leaving."""
    octets = {name: commit_to(house, table, name, after=2) for name in NAMES}
    lying = coming(table)
    for name in NAMES:
        reveal(house, table, name, octets[name], lying.code)
    house.leave(house.person("alice"), table)
    house.until(table, lambda table: table.phase == Table.Phase.WAITING)
    house.sit(house.player("dave"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    lying.refresh_from_db()
    assert lying.status == Shoe.Status.VOID
    last = table.seats.filter(player__username="alice").latest("pk")
    assert last.house_shoes == 1


@pytest.mark.parametrize("reveals", [True, False])
@pytest.mark.parametrize(("left", "counted"), [(0, 0), (5_000, 1)])
def test_only_a_player_who_could_go_on_withholds(
    house: House, reveals: bool, left: int, counted: int
) -> None:
    """Alice loses her stack in the hand after the lock, and may have money left for a top-up."""
    table = sealed_table(house, "chinese_poker")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    octets = {name: commit_to(house, table, name, after=2) for name in NAMES}
    lying = coming(table)
    for name in NAMES if reveals else NAMES[1:]:
        reveal(house, table, name, octets[name], lying.code)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    lose_all_but(house, table, "alice", left)
    house.until(table, lambda table: lying.pk != table.shoe_id)
    lying.refresh_from_db()
    assert lying.status == Shoe.Status.VOID
    assert house.seat(table, "alice").house_shoes == counted


def test_a_seat_that_is_kept_for_somebody_is_no_reason_to_lock_early(
    house: House, table: Table
) -> None:
    house.leave(house.person("carol"), table)
    for name in NAMES[:2]:
        commit_to(house, table, name, after=2)
    assert coming(table).status == Shoe.Status.SEALED


def test_nobody_waits_for_a_device_that_is_too_slow_for_a_shoe_that_was_not_prepared(
    house: House, table: Table
) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    commit(house, table, "alice")
    table.seats.filter(number=1).update(reply_ms=4_000)
    house.until_due(table)
    assert (table.phase, by_house(shoe(table))) == (Table.Phase.PLAY, [1, 2, 3])
    assert house.seat(table, "alice").house_shoes == 0


def test_a_slow_device_does_not_wait_for_somebody_who_is_away(house: House, table: Table) -> None:
    octets = commit_to(house, table, "alice", after=2)
    house.pass_time(6)
    house.be_seen(table)
    assert coming(table).status == Shoe.Status.SEALED
    house.let_people_act(table)
    lying = coming(table)
    assert (lying.status, by_house(lying)) == (Shoe.Status.LOCKED, [2, 3])
    reveal(house, table, "alice", octets, lying.code)


def test_the_deal_waits_longer_for_a_slow_device_but_not_for_ever(
    house: House, table: Table
) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    commit(house, table, "alice")
    table.seats.filter(number=1).update(reply_ms=2_500)
    house.until_due(table)
    locked = house.now
    assert table.due_at is not None
    assert (table.due_at - locked).total_seconds() == 5
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    commit(house, table, "bob")
    table.seats.filter(number=3).update(reply_ms=2_900)
    house.until_due(table)
    locked = house.now
    assert (table.due_at - locked).total_seconds() == 5.8


# What is counted


def test_a_seat_knows_for_how_many_of_the_last_shoes_its_number_counted(
    house: House, table: Table
) -> None:
    octets = commit_to(house, table, "alice")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    reveal(house, table, "alice", octets)
    alice = house.person("alice")
    board = table_view.table_view(alice, table_view.table_for(alice, table.pk), house.now)
    # The house mixed the first shoe, before any player had committed.
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
def test_withholding_gains_less_than_one_bit_in_sixteen_shoes_because_it_is_limited(
    is_limited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_limited:
        monkeypatch.setattr(withholding, "is_set_aside", lambda _seat: False)
    gained = withholding.bits_a_shoe(disliked=0.08, risked=4 if is_limited else seats.KEPT)
    assert (gained < 1 / withholding.SHOES_A_BIT) is is_limited


# Late reveals


def test_a_late_reveal_is_published_with_a_receipt_that_says_so(
    house: House, table: Table, client: Client
) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    lying = shoe(table)
    octets = withhold(house, table, "alice")
    house.pass_time(40)
    receipt = reveal(house, table, "alice", octets, lying.code)
    assert receipt["statement"]["late"] is True
    assert is_signed("receipt", receipt["statement"], receipt["signature"], receipt["key"])
    assert reveal(house, table, "alice", octets, lying.code) == receipt
    published = client.get(f"/fairness/shoes/{lying.code}.json").json()
    assert published["seats"][0]["reveal"] == octets.hex()
    assert [one["late"] for one in published["seats"]] == [True, False, False]
    (entry,) = ChainEntry.objects.filter(kind="late_reveal")
    assert entry.body == {"shoe": lying.code, "seat": 1, "reveal": octets.hex()}
    lying.refresh_from_db()
    assert is_receipt_of(lying, lying.seats.get(number=1))
    # It still counts as withheld.
    assert house.seat(table, "alice").reveals == "-"
    with pytest.raises(Refused):
        reveal(house, table, "bob", octets, lying.code)


def test_a_late_reveal_arrives_from_a_player_who_has_left(house: House, table: Table) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    lying = shoe(table)
    octets = withhold(house, table, "alice")
    house.leave(house.person("alice"), table)
    assert reveal(house, table, "alice", octets, lying.code)["statement"]["late"]


@pytest.mark.parametrize(
    "forged", [{"late": False}, {"reveal": "0" * 64}], ids=["said to be in time", "other bytes"]
)
def test_the_audit_notices_a_late_reveal_that_was_changed(
    house: House, table: Table, forged: dict[str, object]
) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    lying = shoe(table)
    octets = withhold(house, table, "alice")
    reveal(house, table, "alice", octets, lying.code)
    day = day_of(house.now)
    assert [found for code, found in Auditor().other_shoes(day) if code == lying.code] == []
    lying.seats.filter(number=1).update(**forged)
    (sentences,) = [found for code, found in Auditor().other_shoes(day) if code == lying.code]
    assert "the public chain has other late reveals" in sentences
