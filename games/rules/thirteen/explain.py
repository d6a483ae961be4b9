"""Explaining a set of cards in the terms of a thirteen-card game, for support and for learners."""

from collections.abc import Sequence

from games.rules.cards import Card, cards_text, parse_cards
from games.rules.contract import check_cards
from games.rules.errors import Unreadable
from games.rules.poker import CATEGORY_NAMES, holds_joker
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.showdown import ROW_NAMES
from games.rules.thirteen.state import HAND_SIZE


def explain(game: ThirteenGame, text: str) -> dict[str, object]:
    """Thirteen cards: the naturals held. With slashes, or three or five cards: what rows are."""
    rows = tuple(parse_cards(part) for part in text.split("/"))
    cards = tuple(card for row in rows for card in row)
    check_cards(cards, game.composition(), 0)
    sizes = [len(row) for row in rows]
    if sizes == [HAND_SIZE]:
        return {"naturals": _naturals(game, cards)}
    if sizes in ([3], [5]):
        return {"row": _row(game, cards)}
    if sizes == [3, 5, 5]:
        foul = game.out_of_order([game.rank_row(row) for row in rows])
        named = {name: _row(game, row) for name, row in zip(ROW_NAMES, rows, strict=True)}
        return {
            "rows": named,
            "foul": foul and foul.sentence,
            "naturals": _naturals(game, cards),
        }
    raise Unreadable(
        "card_count", "Three, five or thirteen cards can be explained, or three rows: 3/5/5."
    )


def _naturals(game: ThirteenGame, cards: Sequence[Card]) -> list[dict[str, object]]:
    return [
        {"natural": natural.value, "points": game.naturals[natural]}
        for natural in game.held_naturals(cards)
    ]


def _row(game: ThirteenGame, cards: Sequence[Card]) -> dict[str, object]:
    value = game.rank_row(cards)
    worth = {
        name: game.row_prices.get((row, value.category), 1)
        for row, name in enumerate(ROW_NAMES)
        if (name == "front") == (len(cards) == 3)
    }
    return {
        "cards": cards_text(cards),
        "category": CATEGORY_NAMES[value.category],
        "joker": holds_joker(cards),
        "points": worth,
    }
