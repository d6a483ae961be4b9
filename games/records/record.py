"""Finished hands: for those who played them, for auditors, and as portable records with proof.

A player sees a finished hand as their seat saw it: the record holds null for each card that its
reader has not seen, in the deal and in the moves of others. An auditor's record holds all cards.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _n

from games.models import Hand, Move
from games.rules.contract import AnyGame, State, replay, states
from games.rules.house.pools import recorded_mystery_left
from games.rules.record import MYSTERY_LEFT, digest_for_reader, leaf_of, without_cards
from games.rules.shoe import Draw
from games.shoes import custody
from games.tables import hand_digest
from games.tables.formats import format_of
from games.tables.hand_rows import hidden_beside
from games.tables.hand_state import cards_of, game_of, moves_of, opening
from games.tables.jackpots import trigger_is_open
from wallets.staff import journal
from wallets.values.errors import Hidden
from wallets.values.player import Viewer

AUDITOR: Final = hand_digest.AUDITOR
AUDIT: Final = "games.audit_hand"
# Where a session has the hands whose cards an auditor has opened.
OPENED: Final = "opened_hands"
CARDS_OPENED: Final = journal.register(
    "hand.open_cards",
    gettext_lazy("Opened all cards"),
    confirmed=True,
    permission=AUDIT,
)


def hands_of(user: Viewer) -> QuerySet[Hand]:
    """The finished hands that a user may look at, the latest first."""
    hands = Hand.objects.exclude(status=Hand.Status.LIVE).order_by("-pk")
    return hands if is_auditor(user) else hands.filter(seats__player=user.pk)


def is_auditor(user: Viewer) -> bool:
    return user.has_perm(AUDIT)


def hand_for(user: Viewer, hand_id: int) -> tuple[Hand, int | None]:
    """A hand and the user's own seat in it; hands of others are reported as missing."""
    hand = hands_of(user).select_related("shoe", "table__currency").filter(pk=hand_id).first()
    if hand is None or not format_of(hand.table).history_open(hand):
        raise Hidden("no_such_hand", _n("There is no such hand."))
    return hand, hand.seats.filter(player_id=user.pk).values_list("number", flat=True).first()


def note_opening(user: Viewer, hand: Hand, reason: str) -> None:
    """Note in the journal that an auditor has opened all cards of a hand, and why."""
    journal.write(
        journal.by(user),
        CARDS_OPENED,
        hand.reference,
        before={"cards": "public"},
        after={"cards": "all"},
        reason=reason,
    )


def every_state(hand: Hand, moves: Iterable[Move] | None = None) -> tuple[AnyGame, list[State]]:
    """The states of a hand: its opening, and the state after each move.

    A caller who has read its moves hands them in.
    """
    game = game_of(hand)
    made = moves_of(game, hand.moves.order_by("number") if moves is None else moves)
    return game, states(game, *opening(hand, game), made)


def record(
    hand: Hand, viewer: int | str | None, rows: hand_digest.Rows | None = None
) -> dict[str, Any]:
    """The portable record of a finished hand, with what its reader may see.

    `rows` are those of the hand, if the caller has read them with those of others.
    """
    game, rows = game_of(hand), rows or hand_digest.rows_of(hand)
    played = moves_of(game, rows.moves)
    last: State = replay(game, *opening(hand, game), played)
    dealt = range(game.dealt(last))
    shown = frozenset(dealt) if viewer == AUDITOR else game.shown(last, _seat(viewer))
    cards = cards_of(hand)[: len(dealt)]
    whole = hand_digest.whole(rows, game, len(dealt), played)
    hidden = hidden_beside(cards, shown)
    over = not game.to_act(last)
    visible = whole | {
        "format": "hand-record/1",
        "context": _visible_context(whole, viewer),
        "cards": [card.text if place in shown else None for place, card in enumerate(cards)],
        "moves": [
            _recorded_move(row, viewer, hidden, over=over, action=move["action"])
            for row, move in zip(rows.moves, whole["moves"], strict=True)
        ],
        **({"void": hand.void_reason} if hand.status == Hand.Status.VOID else {}),
        "shoe": msgspec.to_builtins(
            custody.proof(
                hand.shoe,
                first=hand.first_card,
                round_number=hand.round_number,
                places=shown,
                draws=msgspec.convert(hand.draws, tuple[Draw, ...]),
            )
        ),
    }
    secret, players = custody.secret_of(hand.shoe), hand_digest.players_of(rows.seats)
    names = viewer == AUDITOR
    digest = digest_for_reader(whole, visible, players, secret, names_players=names)
    return visible | {"digest": digest}


def handed_out(
    hand: Hand, viewer: int | str | None, rows: hand_digest.Rows | None = None
) -> dict[str, object]:
    """The record that leaves the house; even an auditor's omits a trigger that is still closed."""
    handed = record(hand, viewer, rows)
    if viewer == AUDITOR and MYSTERY_LEFT in handed["context"] and not trigger_is_open(hand):
        close_trigger(handed)
    return handed


def close_trigger(recorded: dict[str, Any]) -> None:
    """Remove from a record what the mystery pool lacked; the digest keeps its leaf."""
    left = recorded["context"][MYSTERY_LEFT]
    recorded["context"][MYSTERY_LEFT] = recorded_mystery_left(left, fell=False)
    digest = recorded.get("digest", {})
    if salt := digest.get("salts", {}).pop(MYSTERY_LEFT, ""):
        leaf = leaf_of(recorded["shoe"]["id"], MYSTERY_LEFT, left, bytes.fromhex(salt))
        digest.setdefault("leaves", {})[MYSTERY_LEFT] = leaf.hex()


def _visible_context(whole: dict[str, Any], viewer: int | str | None) -> dict[str, object]:
    """The context without what the mystery pool lacks, unless its prize fell in this hand."""
    context = dict(whole["context"])
    if viewer != AUDITOR and "mystery_left" in context:
        lines = (whole["settlement"] or {}).get("lines", ())
        fell = any(line["key"] == "mystery" for line in lines)
        context["mystery_left"] = recorded_mystery_left(context["mystery_left"], fell=fell)
    return context


def _seat(viewer: int | str | None) -> int | None:
    return viewer if isinstance(viewer, int) else None


def _recorded_move(
    row: Move, viewer: int | str | None, hidden: frozenset[str], *, over: bool, action: object
) -> dict[str, object]:
    """A move as a record has it: with all its cards or without any.

    The digest proves only whole actions. So if the viewer may see some of the cards and not all,
    the record shows none.
    """
    move = hand_digest.visible_move(row, viewer, hidden, over=over, action=action)
    whole = move["action"] == action
    return move if whole else {**move, "action": without_cards(move["action"])}
