"""The rows of a tournament in a package: its shoe with every draw, entries, moves, outs, payouts.

Each line has a `row` that says what it is. docs/verify_package.py derives draws and seats again,
and looks for every payout in the ledger.
"""

from collections.abc import Iterator

from django.db.models import QuerySet

from games.models import ChainEntry
from tournaments.models import Elimination, Entry, Payout, TableChange, Tournament
from tournaments.overview.shoe_view import published
from wallets.models.holders import player_reference

ROWS = 500
# Of the public chain: what it has about a tournament's shoe.
KINDS = ("event_seal", "event_lock", "event_mix", "event_void")


def entries_about(number: int) -> QuerySet[ChainEntry]:
    shoe = Tournament.objects.get(pk=number).shoe
    return ChainEntry.objects.filter(
        kind__in=KINDS, made_at__gte=shoe.sealed_at, body__event_shoe=shoe.code
    )


def rows(number: int) -> Iterator[dict[str, object]]:
    """Everything that happened in a tournament, in its order."""
    tournament = Tournament.objects.get(pk=number)
    yield {"row": "shoe", **published(tournament)}
    yield from map(_entry, tournament.all_entries.order_by("number").iterator(chunk_size=ROWS))
    moves = TableChange.objects.filter(tournament=number).order_by("pk")
    related = ("entry", "draw", "from_table__event_table", "to_table__event_table")
    yield from map(_move, moves.select_related(*related).iterator(chunk_size=ROWS))
    outs = Elimination.objects.filter(tournament=number).order_by("sequence")
    yield from map(_out, outs.select_related("entry", "hand").iterator(chunk_size=ROWS))
    payouts = Payout.objects.filter(tournament=number).order_by("place", "pk")
    yield from map(_payout, payouts.select_related("entry").iterator(chunk_size=ROWS))


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "row": "entry",
        "entry": entry.number,
        "player": player_reference(entry.player_id),
        "state": entry.state,
        "entries": entry.entries,
        "stake_paid": entry.stake_paid,
        "fee_paid": entry.fee_paid,
        "drawn": entry.drawn,
        "points": entry.points,
        "place": entry.place,
        "prize": entry.prize,
    }


def _move(move: TableChange) -> dict[str, object]:
    source, target = move.from_table, move.to_table
    return {
        "row": "move",
        "entry": move.entry.number,
        "why": move.why,
        "from": [source.event_table.number, move.from_seat] if source else None,
        "to": [target.event_table.number, move.to_seat] if target else None,
        "chips": move.chips,
        "draw": move.draw.label if move.draw else None,
        "at": move.at.isoformat(),
    }


def _out(out: Elimination) -> dict[str, object]:
    return {
        "row": "out",
        "sequence": out.sequence,
        "entry": out.entry.number,
        "why": out.why,
        "hand": out.hand.code if out.hand else None,
        "stack": out.stack,
        "at": out.at.isoformat(),
    }


def _payout(payout: Payout) -> dict[str, object]:
    return {
        "row": "payout",
        "entry": payout.entry.number,
        "kind": payout.kind,
        "place": payout.place,
        "amount": payout.amount,
        "posting": str(payout.posting),
    }
