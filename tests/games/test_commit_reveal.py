"""The seats' part in a shoe: commits, reveals, and those who withhold theirs."""

import pytest

from games.boards import table_view
from games.boards.shoe_status import ShoeView
from games.models import ChainEntry, Seat, Shoe, Table
from games.rules.blackjack.game import Blackjack
from games.rules.errors import Unreadable
from games.tables import deal, device_links
from games.words.refusals import NOT_DEALT
from tests.games.commit_reveal import (
    NAMES,
    Device,
    commit,
    pause_at,
    reveal,
    sealed_table,
    shoe,
    withhold,
)
from tests.games.evenings import played_once
from tests.games.house import House
from wallets.values.errors import Refused

evening = played_once(sealed_table)


def test_without_commits_the_house_mixes_and_deals_at_once(house: House, table: Table) -> None:
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY
    assert all(part.by_house for part in shoe(table).seats.all())


@pytest.mark.always
def test_a_seats_bytes_enter_the_mix(house: House, table: Table) -> None:
    octets = commit(house, table, "alice")
    house.until_due(table)
    assert table.phase == Table.Phase.REVEAL
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY
    parts = {part.number: part for part in shoe(table).seats.all()}
    assert [part.by_house for part in parts.values()] == [False, True, True]
    assert parts[1].reveal == octets.hex()


def test_the_hand_waits_for_the_last_reveal(house: House, table: Table) -> None:
    octets = {name: commit(house, table, name) for name in NAMES}
    house.until_due(table)
    for name in NAMES[:2]:
        reveal(house, table, name, octets[name])
        table.refresh_from_db()
        assert table.phase == Table.Phase.REVEAL
    reveal(house, table, "carol", octets["carol"])
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY


def test_withholding_voids_the_shoe_and_the_house_mixes_the_next_one(
    house: House, table: Table
) -> None:
    first = shoe(table)
    withhold(house, table, "alice")
    first.refresh_from_db()
    assert first.status == Shoe.Status.VOID
    assert first.void_reason == "not revealed by seat 1"
    assert first.mix == ""
    assert ChainEntry.objects.filter(kind="void", body__shoe=first.code).exists()
    assert house.seat(table, "alice").tip == ""
    commit(house, table, "alice")
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY
    assert shoe(table).seats.get(number=1).by_house


def test_a_seat_that_withheld_w_times_misses_so_many_shoes_and_takes_part_again(
    house: House, table: Table
) -> None:
    device = Device(house, table, "alice")
    for missed in (1, 3, 7):
        device.answer()
        house.until(table, lambda table: house.seat(table, "alice").house_shoes > 0)
        device.start()
        for left in range(missed, 0, -1):
            assert house.seat(table, "alice").house_shoes == left
            house.until(table, lambda table: table.phase == Table.Phase.PLAY)
            assert shoe(table).seats.get(number=1).by_house
            house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
        device.answer()
        house.until(table, lambda table: table.phase in (Table.Phase.REVEAL, Table.Phase.PLAY))
        device.answer()
        assert table.phase == Table.Phase.PLAY
        assert not shoe(table).seats.get(number=1).by_house


def test_the_last_chain_that_was_started_before_the_lock_counts(house: House, table: Table) -> None:
    commit(house, table, "alice")
    octets = commit(house, table, "alice")
    house.until_due(table)
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY


def test_a_chain_of_another_browser_is_not_missing_from_a_lock_before_it(
    house: House, table: Table
) -> None:
    """A browser accuses a house that says it has its tip and locks another one."""
    octets = commit(house, table, "alice")
    house.until_due(table)
    commit(house, table, "alice")
    seen, tip = mixing_for(house, table, "alice"), house.seat(table, "alice").tip
    assert tip not in seen.commits.values()
    assert (seen.tip, seen.wants_link) == ("", True)
    reveal(house, table, "alice", octets)
    assert house.seat(table, "alice").tip == tip
    assert mixing_for(house, table, "alice").tip == tip


def mixing_for(house: House, table: Table, name: str) -> ShoeView:
    player = house.person(name)
    mixing = table_view.table_view(player, table_view.table_for(player, table.pk), house.now).mixing
    assert mixing is not None
    return mixing


def test_other_bytes_are_no_reveal(house: House, table: Table) -> None:
    commit(house, table, "alice")
    house.until_due(table)
    with pytest.raises(Unreadable) as refused:
        reveal(house, table, "alice", bytes(32))
    assert refused.value.code == "reveal"


@pytest.mark.always
def test_what_is_neither_a_chain_nor_a_link(house: House, table: Table) -> None:
    alice, code = house.person("alice"), shoe(table).code
    for value in ("", "00", "zz" * 32, "0" * 63, "A" * 64, "0" * 64 + "\n"):
        for sent in (value, f"start {value}", f"{code} {value}"):
            with pytest.raises(Unreadable):
                device_links.take(alice, table.pk, sent, house.now)


@pytest.mark.always
def test_too_late_or_for_another_shoe(house: House, table: Table) -> None:
    with pytest.raises(Refused) as refused:
        device_links.take(house.person("alice"), table.pk, f"T1-99 {'0' * 64}", house.now)
    assert refused.value.code == "no_such_shoe"
    commit(house, table, "bob")
    with pytest.raises(Refused) as refused:
        reveal(house, table, "bob", bytes(32))
    assert refused.value.code == "no_reveal_due"
    house.until_due(table)
    commit(house, table, "alice")
    assert shoe(table).seats.get(number=1).by_house
    with pytest.raises(Refused) as refused:
        reveal(house, table, "carol", bytes(32))
    assert refused.value.code == "no_reveal_due"


@pytest.mark.always
def test_a_stranger_has_no_part(house: House, table: Table) -> None:
    with pytest.raises(Refused) as refused:
        device_links.take(house.player("stranger"), table.pk, f"start {'0' * 64}", house.now)
    assert refused.value.code == "not_seated_here"


def test_players_who_leave_after_committing_are_not_waited_for(house: House, table: Table) -> None:
    house.bots(1)
    Table.objects.filter(pk=table.pk).update(bots_max=1)
    commit(house, table, "alice")
    house.leave(house.person("alice"), table)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert Seat.objects.get(table=table, number=1, left_at__isnull=True).player.is_bot
    assert all(part.by_house for part in shoe(table).seats.all())
    assert not Shoe.objects.filter(status=Shoe.Status.VOID).exists()


def test_a_fresh_shoe_is_never_locked_before_the_seats_could_commit(
    house: House, table: Table
) -> None:
    house.until_due(table)
    house.void(table, "a spilt drink")
    house.until_due(table)
    assert table.phase == Table.Phase.PAUSE
    assert shoe(table).status == Shoe.Status.SEALED
    octets = commit(house, table, "alice")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY


def test_late_players_are_not_dealt_from_a_mix_they_took_no_part_in(
    house: House, table: Table
) -> None:
    octets = {name: commit(house, table, name) for name in NAMES}
    house.until_due(table)
    mixed = shoe(table)
    for name in NAMES[:2]:
        reveal(house, table, name, octets[name])
    house.change(table, "alice", sits_out=True)
    reveal(house, table, "carol", octets["carol"])
    table.refresh_from_db()
    assert table.phase == Table.Phase.WAITING
    house.leave(house.person("alice"), table)
    house.sit(house.player("dave"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.shoe_id != mixed.pk
    mixed.refresh_from_db()
    assert mixed.status == Shoe.Status.VOID


def test_leaving_does_not_make_withholding_undone(house: House, table: Table) -> None:
    commit(house, table, "alice")
    house.until_due(table)
    house.leave(house.person("alice"), table)
    house.until_due(table)
    assert shoe(table).status == Shoe.Status.SEALED
    house.sit(house.person("alice"), table, 1)
    assert house.seat(table, "alice").house_shoes == 1
    house.leave(house.person("alice"), table)
    house.pass_time(25 * 3600)
    elsewhere = house.table("chinese_poker")
    house.sit(house.person("alice"), elsewhere, 1)
    assert house.seat(elsewhere, "alice").house_shoes == 1
    assert house.seat(elsewhere, "alice").reveals == "-"


def test_commit_of_a_player_who_left_does_not_bind_the_seat(house: House, table: Table) -> None:
    commit(house, table, "alice")
    house.leave(house.person("alice"), table)
    house.sit(house.player("dave"), table, 1)
    dave = house.person("dave")
    status = table_view.table_view(dave, table_view.table_for(dave, table.pk), house.now).shoe
    assert status is not None
    assert status.wants_start
    octets = commit(house, table, "dave")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    reveal(house, table, "dave", octets)
    parts = {part.number: part for part in shoe(table).seats.all()}
    assert (parts[1].player_id, parts[1].by_house) == (dave.pk, False)


def test_each_round_that_is_played_takes_a_draw_and_a_shoe_has_only_so_many(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deal, "ROUNDS_MAX", 3)
    table = house.dealt_in("baccarat", "alice")
    first = shoe(table)
    lock = first.lock
    for _ in range(3):
        for empty in (True, False):
            house.until(table, lambda table: table.phase == Table.Phase.PLAY)
            if empty:
                house.nobody_bets(table)
            else:
                house.act(table, "alice", {"do": "bet", "on": "player", "amount": 100})
                house.act(table, "alice", {"do": "done"})
            table.refresh_from_db()
            assert table.phase == Table.Phase.PAUSE
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.shoe_id != first.pk
    first.refresh_from_db()
    assert (first.status, first.lock, first.rounds_played) == (Shoe.Status.SPENT, lock, 3)


@pytest.mark.parametrize("phase", [Table.Phase.PAUSE, Table.Phase.REVEAL])
def test_a_shoe_that_no_longer_fits_the_game_is_taken_away(
    house: House, phase: Table.Phase
) -> None:
    table = house.table("thirteen_fujian", options={"jokers": 2})
    pause_at(house, table, (*NAMES, "dave"))
    old, octets = shoe(table), b""
    if phase == Table.Phase.REVEAL:
        octets = commit(house, table, "alice")
        house.until_due(table)
    Table.objects.filter(pk=table.pk).update(options={"jokers": 0})
    if phase == Table.Phase.REVEAL:
        reveal(house, table, "alice", octets)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    old.refresh_from_db()
    assert (old.jokers, old.status) == (True, Shoe.Status.VOID)
    assert not shoe(table).jokers


@pytest.mark.parametrize(
    ("options", "left", "dealt", "spent"),
    [
        ({}, 79, 0, False),
        ({}, 79, 2, False),
        ({}, 77, 2, False),
        ({}, 76, 3, True),
        ({}, 78, 0, True),
        ({"cut_percent": 80}, 76, 4, True),
        ({"cut_percent": 80, "boxes": 1}, 63, 13, False),
    ],
)
def test_no_round_starts_without_enough_cards_in_the_shoe(
    options: dict[str, int], left: int, dealt: int, spent: bool
) -> None:
    lying = Shoe(decks=6, jokers=False, cards_dealt=312 - left, rounds_played=9)
    assert deal.is_spent(Blackjack(**options), lying, dealt) is spent  # type: ignore[arg-type]


def test_joining_while_a_shoe_is_mixed_waits_for_the_next_one(house: House) -> None:
    table = sealed_table(house, "chinese_poker")
    octets = commit(house, table, "alice")
    house.until_due(table)
    house.sit(house.player("dave"), table, 4)
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY
    assert table.hand is not None
    assert sorted(table.hand.seats.values_list("number", flat=True)) == [1, 2, 3]


def test_the_first_hand_after_a_round_without_a_bet_goes_to_those_who_mixed_it(
    house: House,
) -> None:
    table = house.dealt_in("baccarat", "alice")
    shoe = Shoe.objects.get(table=table)
    house.nobody_bets(table)
    assert (table.phase, table.shoe_id) == (Table.Phase.PAUSE, shoe.pk)
    house.sit(house.player("bob"), table, 2)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    shoe.refresh_from_db()
    assert (shoe.status, shoe.void_reason) == (Shoe.Status.VOID, NOT_DEALT)
    assert table.shoe is not None
    assert {part.number for part in table.shoe.seats.all()} == {1, 2}


def test_a_shoe_goes_on_after_a_round_without_a_bet_where_nobody_comes(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    shoe = table.shoe_id
    house.nobody_bets(table)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.shoe_id == shoe
