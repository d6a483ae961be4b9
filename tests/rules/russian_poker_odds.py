"""What the tests of the odds of Russian poker share."""

from collections.abc import Sequence

from games.rules.cards import DECK, Card
from games.rules.russian_poker.game import RussianPoker

GAME = RussianPoker()


def card(text: str) -> Card:
    return Card(text)


def left_after(*seen: Sequence[Card]) -> list[Card]:
    hidden = {card for cards in seen for card in cards}
    return [card for card in DECK if card not in hidden]
