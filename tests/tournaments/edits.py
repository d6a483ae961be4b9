"""Edits that are made by SQL to a finished tournament, and the codes of what the audit finds.

`python -m tests.tournaments.print_edits` prints them; `docs/tournaments.md` says how many.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from games.models import ChainEntry, HandSeat, Seat
from tests.games.falsified import delete, sql, update
from tournaments.event.mixing import SECRET
from tournaments.models import (
    Bye,
    Draw,
    Elimination,
    Entry,
    EventTable,
    HandEnded,
    TableChange,
    Tournament,
)
from wallets.models import Account, Transaction
from wallets.models import Entry as Leg


class Edit(NamedTuple):
    """A change, and the codes of findings that must follow from it at least."""

    what: str
    codes: tuple[str, ...]
    make: Callable[[Tournament], object]
    # In which event it is made.
    kind: str


EDITS: list[Edit] = []


def edit(
    what: str, *codes: str, kind: str = "freeze_out"
) -> Callable[[Callable[[Tournament], object]], None]:
    return lambda make: EDITS.append(Edit(what, codes, make, kind))


def placed(event: Tournament, place: int) -> Entry:
    return Entry.objects.get(tournament=event, place=place)


def move(event: Tournament, **like: Any) -> TableChange:
    change = TableChange.objects.filter(tournament=event, **like).order_by("pk").first()
    assert change is not None, like
    return change


def posting(event: Tournament, kind: str) -> Transaction:
    transaction = Transaction.objects.filter(book=event.reference, kind=kind).order_by("pk").first()
    assert transaction is not None, kind
    return transaction


def exchange(one: Any, other: Any, *names: str) -> None:
    """Exchange columns of two rows, past constraints that hold for each moment."""
    values = {name: (getattr(one, name), getattr(other, name)) for name in names}
    spare = dict.fromkeys(names, 9_999)
    update(one, **spare)
    update(other, **{name: first for name, (first, _) in values.items()})
    update(one, **{name: second for name, (_, second) in values.items()})


# The shoe and its draws.


@edit("the secret of the shoe is that of another", "shoe_secret")
def _(event: Tournament) -> None:
    update(event.shoe, secret=SECRET.seal(bytes(32), event.shoe.code))


@edit("a secret that no key opens", "unreadable")
def _(event: Tournament) -> None:
    update(event.shoe, secret="00000000:damaged")


@edit("the mix of the shoe", "shoe_mix", "shoe_chain", "draw_order")
def _(event: Tournament) -> None:
    update(event.shoe, mix="ab" * 32)


@edit("what an entrant revealed", "shoe_mix", "shoe_part")
def _(event: Tournament) -> None:
    entry = Entry.objects.filter(tournament=event).exclude(reveal="").earliest("number")
    update(entry, reveal="cd" * 32)


@edit("who mixed for an entrant", "shoe_part")
def _(event: Tournament) -> None:
    entry = Entry.objects.filter(tournament=event).exclude(reveal="").earliest("number")
    update(entry, by_house=True)


@edit("the shoe's lock in the public chain is deleted", "shoe_chain")
def _(event: Tournament) -> None:
    delete(ChainEntry.objects.get(kind="event_lock", body__tournament=event.pk))


@edit("the order of a draw", "draw_order", "drawn_number", "seat_first")
def _(event: Tournament) -> None:
    draw = event.draws.get(number=1)
    update(draw, order=draw.order[::-1])


@edit("of whom an order was drawn", "draw_things", "seat_first")
def _(event: Tournament) -> None:
    draw = event.draws.get(number=1)
    update(draw, things=draw.things[::-1])


@edit("a draw is deleted", "draw_number", "drawn_number")
def _(event: Tournament) -> None:
    draw = Draw.objects.filter(tournament=event).latest("number")
    delete(draw)


@edit("two players exchange the numbers they drew", "drawn_number")
def _(event: Tournament) -> None:
    exchange(placed(event, 1), placed(event, 2), "drawn")


# Seats and moves.


@edit("a first seat", "seat_first", "move_seat")
def _(event: Tournament) -> None:
    row = move(event, why="start")
    update(row, to_seat=(row.to_seat or 0) % 4 + 1)


@edit("two players exchange their first seats", "seat_first", "seat_stranger")
def _(event: Tournament) -> None:
    first, second = TableChange.objects.filter(tournament=event, why="start").order_by("pk")[:2]
    exchange(first, second, "entry_id")


@edit("a move is deleted", "seat_stranger")
def _(event: Tournament) -> None:
    delete(TableChange.objects.filter(tournament=event).exclude(from_table=None).earliest("pk"))


@edit("a move is added", "move_source", "move_seat")
def _(event: Tournament) -> None:
    row = TableChange.objects.filter(tournament=event).exclude(from_table=None).earliest("pk")
    columns = "tournament_id, entry_id, why, from_table_id, from_seat, to_table_id, to_seat"
    sql(
        f"INSERT INTO tournaments_move ({columns}, chips, at) "
        f"SELECT {columns}, chips, at FROM tournaments_move WHERE id = %s",
        row.pk,
    )


@edit("from where a player was moved", "move_source")
def _(event: Tournament) -> None:
    row = TableChange.objects.filter(tournament=event).exclude(from_table=None).earliest("pk")
    assert row.from_seat is not None
    update(row, from_seat=row.from_seat % 4 + 1)


@edit("the chips of a move", "move_chips")
def _(event: Tournament) -> None:
    update(move(event, why="start"), chips=7)


@edit("when a player was seated", "seat_stranger")
def _(event: Tournament) -> None:
    row = move(event, why="start")
    update(row, at=row.at + timedelta(seconds=1))


@edit("a player sits at two tables", "seat_twice")
def _(event: Tournament) -> None:
    seats = Seat.objects.filter(table__organiser=event.reference)
    first = move(event, why="start")
    seat = seats.get(table=first.to_table_id, number=first.to_seat, sat_down_at=first.at)
    entry = first.entry
    other = seats.filter(sat_down_at=first.at).exclude(table=seat.table_id).earliest("pk")
    update(other, player=entry.player_id)


@edit("to which seat the rule moved a player", "move_plan")
def _(event: Tournament) -> None:
    row = move(event, why="balance")
    assert row.to_seat is not None
    update(row, to_seat=row.to_seat % 4 + 1)


@edit("who waited for a seat when seats were planned", "move_plan")
def _(event: Tournament) -> None:
    made = move(event, why="late").arrangement
    assert made is not None
    update(made, waiting=[])


@edit("how many byes a player had", "bye_count")
def _(event: Tournament) -> None:
    update(placed(event, 1), byes=3)


@edit("a table of the event is deleted", "table_number")
def _(event: Tournament) -> None:
    delete(EventTable.objects.get(tournament=event, number=1))


# Byes, rounds and deals.


@edit("who rested in a hand in step", "bye_order", kind="knock_out")
def _(event: Tournament) -> None:
    first, second = (Bye.objects.get(tournament=event, step=step) for step in (1, 2))
    update(second, entry_id=first.entry_id)


@edit("a bye is deleted", "bye_step", "bye_count", kind="knock_out")
def _(event: Tournament) -> None:
    delete(Bye.objects.filter(tournament=event, step=1).earliest("pk"))


@edit("who rested in a round of a duplicate", "round_byes", "bye_count", kind="duplicate")
def _(event: Tournament) -> None:
    row = Bye.objects.get(tournament=event, round=2)
    update(row, entry_id=event.all_entries.exclude(byes__gt=0).earliest("number").pk)


@edit("two players exchange their seats of a round", "round_seats", kind="knock_out")
def _(event: Tournament) -> None:
    exchange_seats(event)


@edit("two players exchange their seats of a duplicate's round", "round_seats", kind="duplicate")
def _(event: Tournament) -> None:
    exchange_seats(event)


def exchange_seats(event: Tournament) -> None:
    """In the moves, and in the seats of the tables: as if each had sat where the other did."""
    taken = TableChange.objects.filter(tournament=event, why="round", to_table__isnull=False)
    first, second = taken.order_by("-pk")[:2]
    seat, other = (
        Seat.objects.get(table=move.to_table_id, number=move.to_seat, sat_down_at=move.at)
        for move in (first, second)
    )
    exchange(first, second, "entry_id")
    exchange(seat, other, "player_id")


@edit("when a player was seated in a duplicate's round", "round_number", kind="duplicate")
def _(event: Tournament) -> None:
    row = TableChange.objects.filter(tournament=event, why="round").latest("pk")
    update(row, at=row.at + timedelta(seconds=1))


@edit("the draw of a duplicate's round", "draw_order", "round_seats", kind="duplicate")
def _(event: Tournament) -> None:
    draw = event.draws.get(label="round-2")
    update(draw, order=draw.order[::-1])


@edit("a player's match points", "match_points", kind="duplicate")
def _(event: Tournament) -> None:
    update(placed(event, event.entrants), points=9_999)


@edit("the chips that a player won in all deals", "match_chips", kind="duplicate")
def _(event: Tournament) -> None:
    row = placed(event, 1)
    update(row, chips_won=row.chips_won + 1)


@edit("the result of a seat in a deal", "hand_chips", "match_chips", kind="duplicate")
def _(event: Tournament) -> None:
    row = HandSeat.objects.filter(table__organiser=event.reference).earliest("pk")
    update(row, net=(row.net or 0) + 1)


@edit("the seal of a deal", "deal_seal", kind="duplicate")
def _(event: Tournament) -> None:
    update(event.deals.earliest("round", "number"), seal="ab" * 32)


@edit("a deal is deleted", "deal_seal", "match_points", kind="duplicate")
def _(event: Tournament) -> None:
    delete(event.deals.earliest("round", "number"))


@edit("a deal was never compared", "match_points", kind="duplicate")
def _(event: Tournament) -> None:
    update(event.deals.latest("round", "number"), compared_at=None)


# Hands, eliminations and places.


@edit("a hand's row in the event is deleted", "hand_row")
def _(event: Tournament) -> None:
    delete(HandEnded.objects.filter(tournament=event).earliest("pk"))


@edit("the result of a seat in a hand", "hand_chips", "chips_left")
def _(event: Tournament) -> None:
    row = HandSeat.objects.filter(table__organiser=event.reference, net__gt=0).earliest("pk")
    update(row, net=row.net + 1)


@edit("at what level a hand was played", "hand_stakes")
def _(event: Tournament) -> None:
    row = HandEnded.objects.filter(tournament=event).latest("pk")
    update(row, level=0)


@edit("two eliminations exchange their places in the order", "out_state", "place")
def _(event: Tournament) -> None:
    last, before = Elimination.objects.filter(tournament=event).order_by("-sequence")[:2]
    exchange(last, before, "sequence")


@edit("an elimination is deleted", "out_number", "out_state")
def _(event: Tournament) -> None:
    delete(Elimination.objects.filter(tournament=event).latest("sequence"))


@edit("the hand in which a player went out", "out_hand")
def _(event: Tournament) -> None:
    row = Elimination.objects.filter(tournament=event).latest("sequence")
    seats = HandSeat.objects.filter(table__organiser=event.reference)
    others = seats.filter(player=row.entry.player).values("hand")
    update(row, hand_id=seats.exclude(hand__in=others).earliest("pk").hand_id)


@edit("what a player brought to the last hand", "out_stack")
def _(event: Tournament) -> None:
    row = Elimination.objects.filter(tournament=event).latest("sequence")
    update(row, stack=row.stack + 1)


@edit("two places are exchanged, and their prizes and payouts with them", "place", "payout_posting")
def _(event: Tournament) -> None:
    first, second = placed(event, 1), placed(event, 2)
    exchange(first, second, "place", "prize")
    paid, less = event.payouts.order_by("place")[:2]
    exchange(paid, less, "entry_id")


@edit("a player's prize", "prize")
def _(event: Tournament) -> None:
    update(placed(event, 1), prize=1)


# Money.


@edit("the amount of a payout", "payout", "payout_posting")
def _(event: Tournament) -> None:
    row = event.payouts.get(place=1)
    update(row, amount=row.amount + 1)


@edit("a payout is deleted", "payout", "posting_strange")
def _(event: Tournament) -> None:
    delete(event.payouts.get(place=1))


@edit("a payout to somebody without a prize is added", "payout")
def _(event: Tournament) -> None:
    last = placed(event, event.entrants)
    values = (event.pk, last.pk, "prize", last.place, 5, event.ended_at)
    sql(
        "INSERT INTO tournaments_payout (tournament_id, entry_id, kind, place, amount, made_at) "
        "VALUES (%s, %s, %s, %s, %s, %s)",
        *values,
    )


@edit("a payout is unpaid again", "payout_unpaid")
def _(event: Tournament) -> None:
    first = event.payouts.get(place=1)
    sql(
        "UPDATE tournaments_payout SET posting = NULL, paid_at = NULL WHERE id = %s",
        first.pk,
    )


@edit("the posting of a prize", "payout_posting")
def _(event: Tournament) -> None:
    row = posting(event, "tournament_prize")
    sql("UPDATE wallets_entry SET amount = amount * 2 WHERE transaction_id = %s", row.pk)


@edit("the posting of an entry is deleted", "paid_in")
def _(event: Tournament) -> None:
    row = posting(event, "tournament_entry")
    sql("DELETE FROM wallets_entry WHERE transaction_id = %s", row.pk)
    delete(row)


@edit("a posting of nothing in the event's book", "posting_strange")
def _(event: Tournament) -> None:
    from uuid import uuid4

    update(posting(event, "chips_issued"), key=uuid4())


@edit("what a player has paid", "paid_in", "price", "sum")
def _(event: Tournament) -> None:
    row = placed(event, 1)
    update(row, stake_paid=row.stake_paid + 1)


@edit("chips that were issued", "chips_issued", "chips_left", "chips_sum")
def _(event: Tournament) -> None:
    row = posting(event, "chips_issued")
    sql("UPDATE wallets_entry SET amount = amount * 2 WHERE transaction_id = %s", row.pk)


@edit("the chips that a player takes from a seat", "seat_chips")
def _(event: Tournament) -> None:
    for row in Transaction.objects.filter(book=event.reference, kind="chips_moved"):
        seats = Seat.objects.filter(left_at__isnull=False)
        leg = Leg.objects.filter(transaction=row, account__in=seats.values("stack"), amount__lt=0)
        if leg.exists():
            sql("UPDATE wallets_entry SET amount = amount * 2 WHERE transaction_id = %s", row.pk)
            return
    raise AssertionError


@edit("what the house added to the pool", "guarantee")
def _(event: Tournament) -> None:
    assert event.added
    update(event, added=event.added - 1)


@edit("how many entered", "sum")
def _(event: Tournament) -> None:
    update(event, entrants=event.entrants + 1)


@edit("money is left in the prize pool", "account")
def _(event: Tournament) -> None:
    update(Account.objects.get(pk=event.prize_account_id), balance=5)


@edit("a structure with other prizes", "prize", "payout")
def _(event: Tournament) -> None:
    shares = [{"share": 5_000}, {"share": 5_000}]
    update(event, structure=event.structure | {"payouts": {"by": "percentage", "shares": shares}})


@edit("a structure that cannot be read", "unreadable")
def _(event: Tournament) -> None:
    update(event, structure={"name": 5})


def table_of_edits() -> str:
    """A table for auditors, in Markdown."""
    lines = ["| what is edited | codes of findings |", "| --- | --- |"]
    lines += [
        f"| {edit.what} | {', '.join(f'`{code}`' for code in edit.codes)} |" for edit in EDITS
    ]
    return "\n".join(lines) + "\n"
