"""Suggesting what to do with a hand: what to lead, and how the hand splits."""

from collections.abc import Sequence

from msgspec import Struct

from games.rules.cards import Card
from games.rules.doudizhu.combinations import Kind
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import EVERYTHING, Outlook, Planner
from games.rules.doudizhu.ranks import pick, rank_set
from games.rules.doudizhu.state import HAND_MAX
from games.rules.errors import Unreadable


class Suggestion(Struct, frozen=True):
    """A lead: its shape, the chance that it holds, and the leads it and the rest need."""

    cards: tuple[Card, ...]
    kind: Kind
    standing: float
    leads_needed: float


def suggest(game: Doudizhu, cards: Sequence[Card]) -> list[Suggestion]:
    """The best leads of a hand whose holder has seen no other card, the best first."""
    if not 0 < len(cards) <= HAND_MAX or len(set(cards)) < len(cards):
        raise Unreadable(
            "card_count", "A hand is one to {most} cards, each of them once.", most=HAND_MAX
        )
    hand = rank_set(cards)
    planner = Planner(Outlook(EVERYTHING - hand), game.wings)
    return [
        Suggestion(
            pick(cards, hint.ranks),
            hint.reading.kind,
            round(hint.standing, 3),
            round(max(0, 1 + hint.cost), 3),
        )
        for hint in planner.hints(hand)
    ]
