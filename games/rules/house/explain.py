"""Explaining a set of cards in the terms of a game against the house."""

from typing import Any

from games.rules.house.game import HouseGame


def explain(game: HouseGame[Any], text: str) -> dict[str, Any]:
    """What the cards are in this game; each game says what it takes."""
    return game.explain_cards(text)
