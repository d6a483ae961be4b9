"""Explaining a set of cards: everything it can be played as, or why it can be played as nothing."""

from typing import Any

from games.rules.cards import parse_cards
from games.rules.doudizhu import combinations
from games.rules.doudizhu.combinations import SHAPES, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import RANK_NAMES, in_order, names, rank_set
from games.rules.errors import Unreadable


def explain(game: Doudizhu, text: str) -> dict[str, Any]:
    """Every reading of the cards, in the order in which a leader's are understood."""
    cards = parse_cards(text)
    if not cards or len(set(cards)) < len(cards):
        raise Unreadable("cards", "One card or more can be explained, each of them once.")
    ranks = rank_set(cards)
    answer: dict[str, Any] = {"cards": [card.text for card in in_order(cards)], "readings": []}
    for reading in readings(ranks, game.wings):
        copies, _ = SHAPES[reading.kind]
        answer["readings"].append(
            {
                "kind": reading.kind.value,
                "rank": RANK_NAMES[reading.place],
                "length": reading.length,
                "carries": names(ranks - copies * reading.main),
            }
        )
    if not answer["readings"]:
        refusal = combinations.no_combination(ranks, game.wings)
        answer["refused"] = {"code": refusal.code, "message": refusal.sentence}
    return answer
