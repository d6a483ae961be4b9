"""High card: one card for each player, who stays for two points or folds for one.

The highest card among those who stay takes the points of all others. Suits rank clubs, diamonds,
hearts, spades, so no two cards are equal.
"""

from typing import Final

from games.rules.declaration import Declaration, Group, Stakes

GAMES: Final = (
    Declaration(
        key="high_card",
        name="High card",
        module="high_card.game",
        struct="HighCard",
        family="high_card",
        group=Group("all-high-card", "High card", ("AsKh",)),
        bots="high_card.bots",
        answers="high_card.answers",
        table="Hilltop",
        stakes=Stakes({"point": 100}, 5_000, 50_000, 1_000, 20),
    ),
)
