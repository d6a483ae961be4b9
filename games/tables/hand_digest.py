"""The whole record of a hand, and its digest in the public chain.

Readers get the record without what they may not see (`games/records/record.py`); the digest is made
of the whole (`games/rules/record.py`). It is published in the transaction in which the hand ends,
so that nothing of a finished hand can change unseen.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import prefetch_related_objects

from games.models import Hand, HandSeat, Move, ShoeSeat
from games.rules.contract import AnyGame, PlayedMove
from games.rules.record import digest_of, leaf_of, salt_of
from games.shoes import custody
from games.tables.hand_rows import HandRows, MoveRow, ResultRow, action_of, without_hidden
from games.tables.hand_state import as_stored, context_of, game_of, moves_of, party_of, state_of
from wallets.storage.sealed_columns import SealBroken
from wallets.values.errors import Refused

# Leaves in the chain: what the house stores besides the record, and why a hand was voided.
KEPT = "kept"
VOID = "void"
# A viewer who sees every card. Seats are numbers, and None is a spectator.
AUDITOR: Final = "auditor"


class Rows(NamedTuple):
    """The rows of a hand that is over."""

    hand: Hand
    moves: list[Move]
    seats: list[HandSeat]


def rows_of(hand: Hand) -> Rows:
    return rows_of_each([hand])[0]


def rows_of_each(hands: Sequence[Hand]) -> list[Rows]:
    """The rows of many hands, by as many statements as those of one."""
    numbers = [hand.pk for hand in hands]
    moves, seats = defaultdict[int, list[Move]](list), defaultdict[int, list[HandSeat]](list)
    prefetch_related_objects(hands, "shoe__seats")
    for move in Move.objects.filter(hand__in=numbers).order_by("number"):
        moves[move.hand_id].append(move)
    for seat in HandSeat.objects.filter(hand__in=numbers).order_by("number"):
        seats[seat.hand_id].append(seat)
    return [Rows(hand, moves[hand.pk], seats[hand.pk]) for hand in hands]


def whole(
    rows: HandRows,
    game: AnyGame,
    dealt: int,
    played: Sequence[PlayedMove] | None = None,
    parts: Sequence[ShoeSeat] | None = None,
) -> dict[str, Any]:
    """The parts of a record from which its digest is made; for the cards, only their number.

    `played` are the moves, and `parts` those of the shoe, if the caller has read them already.
    """
    hand = rows.hand
    played = moves_of(game, rows.moves) if played is None else played
    return {
        "id": hand.code,
        "started": iso_time(hand.started_at),
        "ended": iso_time(hand.ended_at),
        "game": hand.game,
        "rules_version": hand.rules_version,
        "options": hand.options,
        "stakes": hand.stakes,
        "context": context_json(hand, game),
        "cards": [None] * dealt,
        "moves": moves_json(rows.moves, played),
        "settlement": hand.settlement,
        "shoe": {
            "id": hand.shoe_id,
            "from": hand.first_card,
            "round": hand.round_number,
            "mix": hand.shoe.mix,
            "seats": [
                {"seat": part.number, "who": custody.who_gave(part)}
                for part in (hand.shoe.seats.all() if parts is None else parts)
            ],
        },
    }


def visible_move(
    row: Move,
    viewer: int | str | None,
    hidden: frozenset[str],
    *,
    over: bool,
    action: Any = None,
) -> dict[str, object]:
    """A move as one viewer may see it; `hidden` are the cards that others must not see."""
    action = action_of(row) if action is None else action
    if viewer not in (AUDITOR, row.seat):
        action = without_hidden(action, hidden, over=over)
    return {"seat": party_of(row.seat), "action": action, "at": iso_time(row.at), "by": row.by}


def iso_time(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()


def context_json(hand: Hand, game: AnyGame) -> dict[str, object]:
    """The context of a hand, without the fields that its game left undecided."""
    context = as_stored(context_of(hand, game))
    return {name: value for name, value in context.items() if value is not None}


def moves_json(rows: Iterable[MoveRow], played: Iterable[PlayedMove]) -> list[dict[str, object]]:
    """The moves as in the record of a reader who may see every card."""
    return [
        {
            "seat": party_of(row.seat),
            "action": as_stored(action),
            "at": iso_time(row.at),
            "by": row.by,
        }
        for row, (_party, action) in zip(rows, played, strict=True)
    ]


def players_of(seats: Iterable[ResultRow]) -> dict[str, int]:
    return {str(row.number): row.player_id for row in seats}


def published(
    rows: HandRows,
    game: AnyGame,
    dealt: int,
    secret: bytes,
    played: Sequence[PlayedMove] | None = None,
    parts: Sequence[ShoeSeat] | None = None,
) -> dict[str, str]:
    """The hashes of a hand's record for its entry in the public chain."""
    record, hand = whole(rows, game, dealt, played, parts), rows.hand
    hashes = {
        "digest": digest_of(record, players_of(rows.seats), secret).hex(),
        KEPT: _leaf(hand, KEPT, _beside(rows), secret),
    }
    return hashes | void_published(hand, secret) if hand.void_reason else hashes


def void_published(hand: Hand, secret: bytes) -> dict[str, str]:
    """The hash of the reason why a hand was voided or reversed; the reason itself is not public."""
    return {VOID: _leaf(hand, VOID, hand.void_reason, secret)}


def published_of_void(hand: Hand) -> dict[str, object]:
    """The same hashes for a voided or reversed hand, even if it can no longer be replayed."""
    try:
        rows, game = rows_of(hand), game_of(hand)
        dealt = game.dealt(state_of(hand, game, rows.moves))
        hashes = published(rows, game, dealt, custody.secret_of(hand.shoe))
    except (Refused, msgspec.ValidationError, SealBroken):
        return {"digest": None}
    return dict(hashes)


def _beside(rows: HandRows) -> dict[str, object]:
    """Return the facts that no record has: pools, profile, rows of seats, answered turns.

    A hand without a profile has no entry for it, as no hand had before there were profiles.
    """
    profile = rows.hand.profile_version_id
    return {
        "jackpots": rows.hand.jackpots,
        "stays": {str(row.number): row.seat_id for row in rows.seats},
        "turns": [row.turn for row in rows.moves],
        **({} if profile is None else {"profile": profile}),
    }


def _leaf(hand: Hand, name: str, value: object, secret: bytes) -> str:
    salt = salt_of(secret, hand.shoe_id, hand.code, name)
    return leaf_of(hand.shoe_id, name, value, salt).hex()
