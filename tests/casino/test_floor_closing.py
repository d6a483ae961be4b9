"""Tables, games and the house are closed from the floor, and the kill switch stops new hands."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from casino.accounts.models import Player
from casino.office.alarms import condition_checks
from casino.office.alarms.models import Alarm
from casino.office.floor import closing, halting, listing
from casino.office.models import HouseState
from games.models import Hand, Seat, Table
from games.shoes import custody
from games.tables import seating
from games.tables.lock import seats_at
from tests.casino.floor_scene import WHY, flo, is_over, mona, table
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import approvals
from wallets.values.errors import Refused

__all__ = ["flo", "mona", "table"]
pytestmark = pytest.mark.django_db


def alarms_at(now: datetime) -> set[str]:
    """The kinds of alarms that stand after a look."""
    condition_checks.look(now)
    return set(Alarm.objects.filter(cleared_at=None).values_list("kind", flat=True))


# Closing


def test_a_table_closed_in_mid_hand_plays_it_and_empties(
    house: House, table: Table, flo: Player
) -> None:
    client = client_of(flo)
    hand = table.hand_id
    asking = client.get(f"/admin/floor/tables/{table.pk}/close/")
    effects = {effect.words: effect.amount for effect in asking.context["effects"]}
    assert effects["players stand up"] == "3"
    assert effects["PLAY returns to wallets"] == "1,500.00"
    answer = client.post(f"/admin/floor/tables/{table.pk}/close/", {"reason": WHY})
    assert answer.status_code == 302
    table.refresh_from_db()
    assert (table.status, table.hand_id) == (Table.Status.CLOSING, hand)
    house.until(table, is_over)
    assert Hand.objects.get(pk=hand).status == Hand.Status.FINISHED
    assert Hand.objects.filter(table=table).count() == 1
    assert not Seat.objects.filter(table=table, left_at=None).exists()
    assert sum(house.wallet(house.person(name)).balance for name in ("alice", "bob", "carol")) > 0
    row = listing.one(table.pk, house.now)
    assert row is not None
    assert (row.closure and row.closure.by_name, row.money) == ("flo", 0)


def test_a_table_closed_while_its_shoe_is_mixed_deals_no_further_hand(
    house: House, flo: Player
) -> None:
    table = house.table("doudizhu")
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    closing.close_table(flo, table.pk, WHY, house.now)
    house.until(table, is_over)
    assert not Hand.objects.filter(table=table).exists()


def test_a_waiting_table_closes_at_once_and_opens_again(house: House, flo: Player) -> None:
    table = house.table("doudizhu")
    closing.close_table(flo, table.pk, WHY, house.now)
    house.until_due(table)
    assert is_over(table)
    closing.open_table(flo, table.pk, WHY, house.now)
    table.refresh_from_db()
    assert table.status == Table.Status.OPEN
    house.sit(house.player("alice"), table, 1)


def test_the_second_operator_reads_what_the_first_has_done(
    house: House, table: Table, flo: Player, mona: Player
) -> None:
    closing.close_table(flo, table.pk, "the light is broken", house.now)
    page = client_of(mona).post(f"/admin/floor/tables/{table.pk}/close/", {"reason": WHY})
    assert page.status_code == 200
    assert "flo closed this table at" in page.text
    assert "the light is broken" in page.text
    assert JournalEntry.objects.filter(verb="table.close").count() == 1


def test_a_game_closes_and_the_same_tables_open_again(
    house: House, table: Table, flo: Player
) -> None:
    empty, apart, other = (
        house.table("doudizhu"),
        house.table("doudizhu"),
        house.table("baccarat"),
    )
    closing.close_table(flo, apart.pk, "needs new cards", house.now)
    assert closing.close_game(flo, "doudizhu", WHY, house.now) == 2
    with pytest.raises(Refused, match="No table of this game is open"):
        closing.close_game(flo, "doudizhu", WHY, house.now)
    assert closing.open_game(flo, "doudizhu", WHY, house.now) == 2
    status = dict(Table.objects.values_list("pk", "status"))
    assert status[table.pk] == status[empty.pk] == status[other.pk] == Table.Status.OPEN
    assert status[apart.pk] == Table.Status.CLOSING
    entry = JournalEntry.objects.get(verb="game.close")
    assert entry.after["tables"] == [table.reference, empty.reference]


def test_the_house_closes_gracefully_and_opens_again(
    house: House, table: Table, mona: Player
) -> None:
    late = house.player("dave")
    assert closing.close_house(mona, WHY, house.now) == 1
    with pytest.raises(Refused, match="mona closed the house at"):
        closing.close_house(mona, WHY, house.now)
    with pytest.raises(Refused) as refused:
        house.sit(late, house.table("baccarat"), 1)
    assert refused.value.code == "house_closed"
    house.until(table, is_over)
    closing.open_house(mona, WHY, house.now)
    table.refresh_from_db()
    assert table.status == Table.Status.OPEN
    house.sit(late, table, 1)


def test_nobody_else_leaves_a_seat_of_a_closing_table(
    house: House, table: Table, flo: Player
) -> None:
    """Players may still leave by themselves, and get their chips once."""
    closing.close_table(flo, table.pk, WHY, house.now)
    seating.leave(house.person("alice"), table.pk, house.now)
    house.until(table, is_over)
    assert house.total() == 0


# The kill switch


def test_the_kill_switch_stops_new_hands_at_once_and_a_second_person_confirms(
    house: House, table: Table, flo: Player, mona: Player
) -> None:
    waiting = house.table("doudizhu")
    for number, name in enumerate(("dora", "emil", "fred"), 1):
        house.sit(house.player(name), waiting, number)
    hand = table.hand_id
    proposal = halting.halt(flo, "cards are seen", uuid4(), house.now)
    assert proposal is not None
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.get(pk=hand).status == Hand.Status.FINISHED
    for _round in range(8):
        for halted in (table, waiting):
            house.until_due(halted)
    assert not Hand.objects.filter(status=Hand.Status.LIVE).exists()
    assert Hand.objects.count() == 1
    # No player has lost a seat.
    assert Seat.objects.filter(left_at=None).count() == 6
    with pytest.raises(Refused) as own:
        approvals.approve(flo, proposal.pk, reason="yes", now=house.now)
    assert own.value.code == "own_proposal"
    approvals.approve(mona, proposal.pk, reason="I saw it too", now=house.now)
    assert closing.state().confirmed_by_name == "mona"
    assert "halt" in alarms_at(house.now)
    halting.lift(mona, "new shoes", house.now)
    assert "halt" not in alarms_at(house.now + timedelta(minutes=1))
    house.until(waiting, lambda table: table.hand_id is not None)


def test_a_table_that_mixes_its_shoe_is_stopped_too(house: House, flo: Player) -> None:
    table = house.table("doudizhu")
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert table.shoe is not None
    custody.lock(table.shoe, seats_at(table), house.now)
    Table.objects.filter(pk=table.pk).update(phase=Table.Phase.REVEAL, due_at=house.now)
    halting.halt(flo, WHY, uuid4(), house.now)
    for _round in range(3):
        house.until_due(table)
        assert table.phase == Table.Phase.REVEAL
    HouseState.objects.update(halted_at=None)
    house.until_due(table)
    assert table.hand_id is not None


@pytest.mark.always
def test_stopping_twice_names_who_was_first(house: House, flo: Player, mona: Player) -> None:
    client = client_of(mona)
    halting.halt(flo, "cards are seen", uuid4(), house.now)
    page = client.post("/admin/floor/halt/", {"reason": WHY, "typed": "STOP"})
    assert "flo stopped all new hands at 12:00: cards are seen" in page.text
    assert Proposal.objects.count() == 1
    halting.lift(mona, WHY, house.now)
    with pytest.raises(Refused, match="not stopped"):
        halting.lift(mona, WHY, house.now)
    # What is over cannot be confirmed any more, and asks no colleague.
    proposal = Proposal.objects.get()
    assert approvals.outcome_of(proposal) == "lifted"
    assert "lifted" in client.get("/admin/approvals/").text
    assert proposal.status == Proposal.Status.EXPIRED
    with pytest.raises(Refused) as late:
        approvals.approve(mona, proposal.pk, reason="x", now=house.now)
    assert late.value.code == "proposal_expired"


@pytest.mark.always
@pytest.mark.parametrize("typed", ["", "stop it", "CLOSE"])
def test_the_kill_switch_is_covered(house: House, flo: Player, typed: str) -> None:
    page = client_of(flo).post("/admin/floor/halt/", {"reason": WHY, "typed": typed})
    assert page.status_code == 200
    assert closing.hands_may_begin()
