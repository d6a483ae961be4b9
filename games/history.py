"""Finished hands: for those who played them, for auditors, and as portable records with proof.

A player sees a finished hand as its seat saw it. The record of a hand holds null for a card that
its reader has not seen, in the deal and in the others' moves; an auditor's record holds them all.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _n

from games import shoes
from games.hands import cards_of, game_of, moves_of, opening, party_of
from games.models import Hand, Move
from games.refusal import Hidden
from games.rules.cards import Card
from games.rules.contract import AnyGame, State, View, states
from games.rules.house.pools import recorded_mystery_left
from games.rules.shoe import Draw

# Somebody who sees every card. Seats are numbers, and None is a spectator.
AUDITOR: Final = "auditor"
CARD_NAMES: Final = frozenset(card.text for card in Card)
# What others know of an arrangement while the hand runs.
LAID_DOWN: Final = {
    "do": "arrange",
    "front": [None] * 3,
    "middle": [None] * 5,
    "back": [None] * 5,
}


def hands_of(user: Any) -> QuerySet[Hand]:
    """The finished hands that a user may look at, the latest first."""
    hands = Hand.objects.exclude(status=Hand.Status.LIVE).order_by("-pk")
    return hands if is_auditor(user) else hands.filter(seats__player=user)


def is_auditor(user: Any) -> bool:
    return bool(user.has_perm("games.audit_hand"))


def hand_for(user: Any, hand_id: int) -> tuple[Hand, int | None]:
    """A hand and the user's own seat in it; somebody else's hand is as if it were not there."""
    hand = hands_of(user).select_related("shoe", "table__currency").filter(pk=hand_id).first()
    if hand is None:
        raise Hidden("no_such_hand", _n("There is no such hand."))
    return hand, hand.seats.filter(player=user).values_list("number", flat=True).first()


def note_opening(user: Any, hand: Hand) -> None:
    """An auditor has opened every card of a hand: that stands in the list of what staff did."""
    LogEntry.objects.log_actions(user.pk, [hand], CHANGE, "opened all cards", single_object=True)


def every_state(hand: Hand) -> tuple[AnyGame, list[State]]:
    """The hand step by step: how it opened, and how it stood after each move."""
    game = game_of(hand)
    moves = moves_of(game, hand.moves.order_by("number"))
    return game, list(states(game, *opening(hand, game), moves))


def views(hand: Hand, seat: int | None) -> list[View]:
    """The hand step by step as a seat, or a spectator, saw it."""
    game, path = every_state(hand)
    return [game.view(state, seat) for state in path]


def record(hand: Hand, viewer: int | str | None) -> dict[str, Any]:
    """The portable record of a finished hand, as far as its reader may see it."""
    game, path = every_state(hand)
    last = path[-1]
    dealt = range(game.dealt(last))
    shown = frozenset(dealt) if viewer == AUDITOR else game.shown(last, _seat(viewer))
    cards = cards_of(hand)[: len(dealt)]
    rows = hand.moves.order_by("number")
    hidden = hidden_beside(cards, shown)
    over = not game.to_act(last)
    return {
        "format": "hand-record/1",
        "id": hand.code,
        "game": hand.game,
        "rules_version": hand.rules_version,
        "options": hand.options,
        "stakes": hand.stakes,
        "context": _context_told(hand, viewer),
        "cards": [card.text if place in shown else None for place, card in enumerate(cards)],
        "moves": [told_move(row, viewer, hidden, over=over) for row in rows],
        "settlement": hand.settlement,
        **({"void": hand.void_reason} if hand.status == Hand.Status.VOID else {}),
        "shoe": msgspec.to_builtins(
            shoes.proof(
                hand.shoe,
                first=hand.first_card,
                round_number=hand.round_number,
                places=shown,
                draws=msgspec.convert(hand.draws, tuple[Draw, ...]),
            )
        ),
    }


def _context_told(hand: Hand, viewer: int | str | None) -> dict[str, Any]:
    """The context, without what would give a mystery prize's closed trigger away."""
    context = dict(hand.context)
    if viewer != AUDITOR and "mystery_left" in context:
        lines = (hand.settlement or {}).get("lines", ())
        fell = any(line["key"] == "mystery" for line in lines)
        context["mystery_left"] = recorded_mystery_left(context["mystery_left"], fell=fell)
    return context


def _seat(viewer: int | str | None) -> int | None:
    return viewer if isinstance(viewer, int) else None


def hidden_beside(cards: Sequence[Card], shown: Iterable[int]) -> frozenset[str]:
    """The names of all cards but those at the places that are shown."""
    return CARD_NAMES - {cards[place].text for place in shown}


def told_move(
    row: Move, viewer: int | str | None, hidden: frozenset[str], *, over: bool
) -> dict[str, Any]:
    """A move as a record has it, for one viewer.

    How a seat has arranged its cards, or that it needs no rows since it declares a natural, is told
    when the hand is over.
    """
    action = row.action
    if viewer not in (AUDITOR, row.seat):
        action = _without(action, hidden)
        if not over and action["do"] == "arrange":
            action = LAID_DOWN
    return {
        "seat": party_of(row.seat),
        "action": action,
        "at": row.at.isoformat(),
        "by": row.by,
    }


def _without(told: Any, hidden: frozenset[str]) -> Any:
    """What somebody else said, without the names of the cards that stay hidden."""
    if isinstance(told, dict):
        return {name: _without(part, hidden) for name, part in told.items()}
    if isinstance(told, list):
        return [_without(part, hidden) for part in told]
    return None if isinstance(told, str) and told in hidden else told
