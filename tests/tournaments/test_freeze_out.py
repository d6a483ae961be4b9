"""An event of several tables: seats, balance, levels, breaks, late entries, hand for hand."""

from collections import defaultdict
from datetime import timedelta

import pytest

from games.models import Table
from tests.tournaments.events import STACK, Event, structure
from tests.tournaments.test_entering import code_of
from tournaments.event import mixing
from tournaments.models import Draw, Elimination, Entry, HandEnded, TableChange
from tournaments.overview import my_entry
from tournaments.running import entries
from wallets.values.amounts import show_amount

pytestmark = pytest.mark.django_db(transaction=True)

# So low at first that no player is out before the levels pass.
LEVELS = [{"point": 10, "seconds": 60}, {"point": 20, "seconds": 60}, {"point": 500}]
HIGH = [{"point": 1_000}]


def test_seats_are_drawn_balanced_and_broken_until_one_is_left(event: Event) -> None:
    event.open(structure(levels=HIGH), 8)
    event.until(event.is_running)
    draw = Draw.objects.get()
    assert sorted(draw.things) == list(range(1, 9))
    order = mixing.drawn(draw)
    seats = TableChange.objects.order_by("pk").values_list("entry__number", flat=True)
    assert list(seats) == order
    drawn = Entry.objects.order_by("drawn").values_list("number", flat=True)
    assert list(drawn) == order
    assert sorted(event.sizes()) == [4, 4]
    shoe = event.row.shoe
    assert mixing.x_of(shoe, draw.link).hex() == draw.x_m
    again = mixing.order_of(shoe, bytes.fromhex(draw.x_m), draw.label, draw.size)
    assert list(again) == draw.order
    while not event.is_over():
        event.step()
        if event.is_running() and not event.row.moves_due:
            assert max(event.sizes()) - min(event.sizes()) <= 1
    event.check()
    assert TableChange.objects.exclude(why="start").exists()
    assert event.row.tables.filter(broken_at=None).count() == 0
    # No player was moved out of a hand.
    for move in TableChange.objects.exclude(from_table=None):
        for ended in HandEnded.objects.filter(table=move.from_table):
            assert not ended.hand.started_at < move.at < ended.at
    # Of several who went out in a hand, those who brought more to it place higher.
    by_hand = defaultdict[int | None, list[Elimination]](list)
    for row in Elimination.objects.exclude(hand=None).select_related("entry"):
        by_hand[row.hand_id].append(row)
    together = [rows for rows in by_hand.values() if len(rows) > 1]
    assert together
    for rows in together:
        best = sorted(rows, key=lambda row: (-row.stack, row.entry.drawn or 0))
        assert [row.entry.place for row in best] == sorted(row.entry.place or 0 for row in rows)


def test_levels_breaks_late_entries_and_add_ons_pass_by_the_clock(event: Event) -> None:
    played = structure(
        levels=LEVELS,
        breaks=[{"after_level": 1, "seconds": 90}],
        late_registration_level=1,
        guarantee=9_000,
        add_on={"chips": 500, "stake": 300, "fee": 30, "until_level": 1},
    )
    players = event.open(played, 4)
    event.until(lambda: Table.objects.filter(phase="play").exists())
    began = event.row.started_at
    assert began
    assert event.row.registration_open
    # The add-on comes between hands.
    buy = lambda: entries.add_on(players[0], event.number, event.house.now)  # noqa: E731
    buy()
    entry = event.entry(players[0])
    assert entry.seat is not None
    assert (entry.seat.stack.balance, entry.account.balance) == (STACK, 500)
    event.check()
    assert code_of(buy) == "added_on"
    event.until(lambda: event.entry(players[0]).account.balance == 0)
    assert (event.row.stakes, event.row.fees, event.row.add_ons) == (4_300, 430, 1)
    late = event.people(3)
    event.enter(late)
    event.check()
    event.until(lambda: not event.row.moves_due)
    assert sorted(event.sizes()) == [3, 4]
    assert TableChange.objects.filter(why="late").count() == 3
    assert set(Entry.objects.values_list("drawn", flat=True)) == set(range(1, 8))
    event.until(lambda: event.row.on_break)
    assert event.house.now - began >= timedelta(seconds=60)
    event.until(lambda: event.row.level == 2)
    assert event.house.now - began >= timedelta(seconds=150)
    row = event.row
    assert (row.registration_open, row.added) == (False, 9_000 - 7_300)
    (too_late,) = event.people(1)
    register = lambda: entries.register(too_late, event.number, event.house.now)  # noqa: E731
    assert code_of(register) == "registration_closed"
    other = lambda: entries.add_on(players[1], event.number, event.house.now)  # noqa: E731
    assert code_of(other) == "no_add_on"
    # An outage skips no level.
    event.house.pass_time(3_600)
    event.step()
    assert event.row.level == 3
    for ended in HandEnded.objects.select_related("hand"):
        # A level can end while a hand is played for what was due before.
        assert ended.hand.options["point"] in {10, 20, 500}
        started = ended.hand.started_at - began
        assert not timedelta(seconds=60) < started < timedelta(seconds=150), "dealt in the break"
    event.check()


def test_a_level_of_hands_ends_with_the_first_table(event: Event) -> None:
    levels = [{"point": 10, "hands": 2}, {"point": 20, "hands": 1}, {"point": 500}]
    event.open(structure(levels=levels, table_size=2), 4)
    event.until(lambda: event.row.level == 3)
    for level, hands in ((1, 2), (2, 1)):
        rows = HandEnded.objects.filter(level=level)
        counts = [rows.filter(table=table).count() for table in {row.table_id for row in rows}]
        assert max(counts) == hands
    event.check()


@pytest.mark.always
@pytest.mark.parametrize("length", [{"hands": 40}, {"seconds": 4_000}])
def test_one_who_is_out_enters_again_as_often_as_allowed(
    event: Event, length: dict[str, int]
) -> None:
    """A single player waits for last entries."""
    played = structure(
        table_size=2,
        levels=[{"point": 1_000, **length}, {"point": 1_000}],
        late_registration_level=1,
        reentries={"most": 1, "until_level": 1},
    )
    event.open(played, 2)
    for again in (1, 2, 3):
        event.until(lambda: Entry.objects.filter(state="out").exists())
        entry = Entry.objects.get(state="out")
        enter = lambda entry=entry: entries.enter_again(  # noqa: E731
            entry.player, event.number, event.house.now
        )
        if entry.entries == 2:
            break
        # Until the level ends both may play on.
        assert event.row.registration_open
        assert entry.place is None
        event.house.pass_time(60)
        mine = my_entry.mine(entry.player, event.row, event.house.now)
        (offer,) = (offer for offer in mine.offers if offer.verb == my_entry.ENTER_AGAIN)
        enter()
        left = show_amount(event.house.wallet(entry.player).balance, event.row.currency)
        assert offer.note == f"Leaves {left} in your wallet."
        assert code_of(enter) == "not_out"
        assert (event.row.level_ends_at is None) == ("hands" in length)
        event.check()
        row = event.row
        assert (row.entries, row.entrants, row.stakes) == (2 + again, 2, 1_000 * (2 + again))
    assert code_of(enter) == "reentries_used"
    assert Elimination.objects.filter(entry=entry).count() == 2
    waited = event.house.now
    event.play()
    event.check()
    assert event.house.now - waited >= timedelta(seconds=120)


def test_near_the_money_all_tables_wait_for_one_another(event: Event) -> None:
    payouts = {"by": "percentage", "shares": [{"share": 2_500, "places": 4}]}
    played = structure(levels=[{"point": 400}], payouts=payouts, hand_for_hand=2, table_size=3)
    event.open(played, 6)
    event.until(lambda: event.row.hand_for_hand)
    steps = 0
    while event.row.hand_for_hand:
        allowed = {row.hands_allowed for row in event.row.tables.filter(broken_at=None)}
        assert None not in allowed
        before = HandEnded.objects.count()
        event.step()
        steps += HandEnded.objects.count() - before
        for row in event.row.tables.filter(broken_at=None).select_related("table"):
            assert row.hands_allowed is None or row.table.hands_dealt <= row.hands_allowed
    assert steps > 0
    assert event.row.players_left <= 4
    event.check()


def test_the_name_of_a_shoe_is_part_of_every_draw(event: Event) -> None:
    """What was drawn in one event tells nothing of the next one with the same secret."""
    orders = []
    for _ in range(2):
        shoe = event.announce(structure()).shoe
        shoe.mix = "00" * 32
        orders.append(mixing.order_of(shoe, mixing.x_of(shoe, 1), "seats", 12))
    assert orders[0] != orders[1]
