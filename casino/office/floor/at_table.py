"""The page of one table next to its felt: what each seat did, the log, the last hands."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Sum

from casino.office.floor.listing import FloorRow, Sitter
from games.boards.moves import MoveView, move_in_words
from games.models import Hand, HandSeat, Move, Seat, Table
from games.tables.formats import format_of
from games.tables.playing import is_held
from games.tables.replay import game_of, party_of
from games.words.naming import player_title
from wallets.models import Currency
from wallets.values.amounts import show_amount, show_signed

# The newest moves of the hand.
MOVES_SHOWN: Final = 12


class SeatLine(NamedTuple):
    """A seat: its stack, what that won or lost since the player sat down, and the last act."""

    sitter: Sitter
    stack: str
    since: datetime
    change: str
    is_loss: bool
    act: MoveView | None


def hand_shown(table: Table) -> Hand | None:
    """The hand whose moves are public: the live hand, or the last one."""
    hand = Hand.objects.filter(table=table).order_by("-id").first()
    if hand is None or is_held(table):
        # What is held back still plays at other tables.
        return None
    is_open = hand.status == Hand.Status.LIVE or format_of(table).history_open(hand)
    return hand if is_open else None


def log_of(row: FloorRow, hand: Hand | None, currency: Currency) -> list[MoveView]:
    """The moves of a hand as spectators saw them, the newest first.

    A row has openly what a spectator could see when the move was made; the rest is encrypted.
    """
    if hand is None:
        return []
    names = {one.number: one.name for one in row.sitters}
    game = game_of(hand)
    return [
        move_in_words(game, _public(move), names, currency)
        for move in hand.moves.order_by("-number")
    ]


def _public(move: Move) -> dict[str, object]:
    return {
        "seat": party_of(move.seat),
        "action": move.action,
        "by": move.by,
        "at": move.at.isoformat(),
    }


def seats_of(row: FloorRow, log: Iterable[MoveView], currency: Currency) -> Iterator[SeatLine]:
    """Each seat with the last act of the hand that the log is about."""
    acts: dict[str, MoveView] = {}
    for move in log:
        acts.setdefault(move.who, move)
    seated = Seat.objects.filter(table=row.id, left_at__isnull=True)
    since = dict(seated.values_list("number", "sat_down_at"))
    won = dict(
        HandSeat.objects.filter(seat__in=seated, hand__status=Hand.Status.FINISHED)
        .order_by()
        .values_list("number")
        .annotate(won=Sum("net"))
    )
    for one in row.sitters:
        if one.number in since:
            change = won.get(one.number, 0)
            yield SeatLine(
                one,
                show_amount(one.stack, currency, is_exact=True),
                since[one.number],
                show_signed(change, currency),
                change < 0,
                acts.get(one.name),
            )


def with_results(
    table: Table, hands: Iterable[Hand], currency: Currency
) -> Iterator[tuple[Hand, str]]:
    """Say what each hand has brought to whom, unless its event keeps results secret so far."""
    found = list(hands)
    rows = HandSeat.objects.filter(hand__in=found, net__isnull=False).select_related("player")
    by_hand: dict[int, list[str]] = defaultdict(list)
    for row in rows.order_by("hand", "number"):
        name = player_title(row.player.username, row.player.is_bot)
        by_hand[row.hand_id].append(f"{name} {show_signed(row.net or 0, currency)}")
    for hand in found:
        is_open = hand.status == Hand.Status.FINISHED and format_of(table).history_open(hand)
        yield hand, " · ".join(by_hand[hand.pk]) if is_open else ""
