"""The seats' part in a shoe: commits, reveals, and those who withhold theirs."""

import secrets

import pytest

from games import ceremony, dealing
from games.boards import board
from games.models import ChainEntry, Seat, Shoe, Table
from games.refusal import Refused
from games.rules.blackjack.game import Blackjack
from games.rules.errors import Unreadable
from games.rules.shoe import Ceremony
from tests.games.house import House

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def table(house: House) -> Table:
    """Three people at Dou Dizhu, the first shoe sealed before them."""
    table = house.table("doudizhu")
    for number, name in enumerate(NAMES, 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    return table


def shoe(table: Table) -> Shoe:
    table.refresh_from_db()
    assert table.shoe is not None
    return table.shoe


def commit(house: House, table: Table, name: str) -> bytes:
    octets = secrets.token_bytes(32)
    lying = shoe(table)
    told = Ceremony(lying.code).commitment(house.seat(table, name).number, octets)
    ceremony.commit(house.person(name), table.pk, lying.code, told.hex())
    return octets


def reveal(house: House, table: Table, name: str, octets: bytes) -> None:
    ceremony.reveal(house.person(name), table.pk, shoe(table).code, octets.hex(), house.now)


def test_without_commits_the_house_mixes_and_deals_at_once(house: House, table: Table) -> None:
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY
    assert all(part.by_house for part in shoe(table).seats.all())


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
    told = {name: commit(house, table, name) for name in NAMES}
    house.until_due(table)
    for name in NAMES[:2]:
        reveal(house, table, name, told[name])
        table.refresh_from_db()
        assert table.phase == Table.Phase.REVEAL
    reveal(house, table, "carol", told["carol"])
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY


def test_whoever_withholds_has_the_shoe_voided_and_the_second_time_the_house_mixes(
    house: House, table: Table
) -> None:
    for time in (1, 2):
        first = shoe(table)
        commit(house, table, "alice")
        house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
        house.until_due(table)
        first.refresh_from_db()
        assert first.status == Shoe.Status.VOID
        assert first.void_reason == "not revealed by seat 1"
        assert first.mix == ""
        assert house.seat(table, "alice").withheld == time
        assert ChainEntry.objects.filter(kind="void", body__shoe=first.code).exists()
    with pytest.raises(Refused) as refused:
        commit(house, table, "alice")
    assert refused.value.code == "seat_by_house"
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY


def test_the_first_commit_stands(house: House, table: Table) -> None:
    octets = commit(house, table, "alice")
    commit(house, table, "alice")
    house.until_due(table)
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY


def test_other_bytes_are_no_reveal(house: House, table: Table) -> None:
    commit(house, table, "alice")
    house.until_due(table)
    with pytest.raises(Unreadable) as refused:
        reveal(house, table, "alice", bytes(32))
    assert refused.value.code == "reveal"


@pytest.mark.parametrize("told", ["", "00", "zz" * 32, "0" * 63, "A" * 64])
def test_a_commit_that_is_none(house: House, table: Table, told: str) -> None:
    with pytest.raises(Unreadable):
        ceremony.commit(house.person("alice"), table.pk, shoe(table).code, told)


def test_too_late_or_for_another_shoe(house: House, table: Table) -> None:
    with pytest.raises(Refused) as refused:
        ceremony.commit(house.person("alice"), table.pk, "T1-99", "0" * 64)
    assert refused.value.code == "no_such_shoe"
    commit(house, table, "bob")
    house.until_due(table)
    with pytest.raises(Refused) as refused:
        commit(house, table, "alice")
    assert refused.value.code == "shoe_locked"
    with pytest.raises(Refused) as refused:
        reveal(house, table, "carol", bytes(32))
    assert refused.value.code == "no_reveal_due"


def test_a_stranger_has_no_part(house: House, table: Table) -> None:
    with pytest.raises(Refused) as refused:
        ceremony.commit(house.player("stranger"), table.pk, shoe(table).code, "0" * 64)
    assert refused.value.code == "not_seated_here"


def test_who_leaves_after_committing_is_not_waited_for(house: House, table: Table) -> None:
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


def test_whoever_comes_later_is_not_dealt_from_a_mix_without_their_part(
    house: House, table: Table
) -> None:
    told = {name: commit(house, table, name) for name in NAMES}
    house.until_due(table)
    mixed = shoe(table)
    for name in NAMES[:2]:
        reveal(house, table, name, told[name])
    house.change(table, "alice", sits_out=True)
    reveal(house, table, "carol", told["carol"])
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
    assert house.seat(table, "alice").withheld == 1
    house.leave(house.person("alice"), table)
    house.pass_time(25 * 3600)
    house.sit(house.person("alice"), table, 1)
    assert house.seat(table, "alice").withheld == 0


def test_what_somebody_committed_who_has_left_does_not_bind_their_seat(
    house: House, table: Table
) -> None:
    commit(house, table, "alice")
    house.leave(house.person("alice"), table)
    house.sit(house.player("dave"), table, 1)
    dave = house.person("dave")
    told = board.board(dave, board.table_for(dave, table.pk), house.now).shoe
    assert told is not None
    assert told.wants_commit
    octets = commit(house, table, "dave")
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    reveal(house, table, "dave", octets)
    parts = {part.number: part for part in shoe(table).seats.all()}
    assert (parts[1].player_id, parts[1].by_house) == (dave.pk, False)


def test_an_empty_round_too_takes_a_draw_and_a_shoe_has_only_so_many(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealing, "ROUNDS_MAX", 3)
    table = house.dealt_in("baccarat", "alice")
    first = shoe(table)
    lock = first.lock
    for _ in range(3):
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
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
    for number, name in enumerate((*NAMES, "dave"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    old, octets = shoe(table), b""
    if phase == Table.Phase.REVEAL:
        octets = commit(house, table, "alice")
        house.until_due(table)
    Table.objects.filter(pk=table.pk).update(options={"jokers": 0})
    if phase == Table.Phase.REVEAL:
        ceremony.reveal(house.person("alice"), table.pk, old.code, octets.hex(), house.now)
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
def test_no_round_begins_that_the_shoe_may_not_suffice_for(
    options: dict[str, int], left: int, dealt: int, spent: bool
) -> None:
    lying = Shoe(decks=6, jokers=False, cards_dealt=312 - left, rounds_played=9)
    assert dealing.is_spent(Blackjack(**options), lying, dealt) is spent  # type: ignore[arg-type]


def test_who_sits_down_while_a_shoe_is_mixed_waits_for_the_next(house: House) -> None:
    table = house.table("chinese_poker")
    for number, name in enumerate(NAMES, 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    octets = commit(house, table, "alice")
    house.until_due(table)
    house.sit(house.player("dave"), table, 4)
    reveal(house, table, "alice", octets)
    table.refresh_from_db()
    assert table.phase == Table.Phase.PLAY
    assert table.hand is not None
    assert sorted(table.hand.seats.values_list("number", flat=True)) == [1, 2, 3]
