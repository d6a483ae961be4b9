"""The groups of games in the lobby; an installed package may bring its own group."""

from typing import Final

from games.rules.declaration import Group
from games.rules.declaration import marked as _n

THIRTEEN: Final = Group(
    "all-thirteen", _n("Thirteen cards"), ("AhKhQc", "9s9h9c4d4s", "Td9d8d7d6d")
)
DOUDIZHU: Final = Group("all-doudizhu", _n("Dou Dizhu"), ("2sAsRJBJ2h",))
POKER: Final = Group("all-poker", _n("Poker"), ("AhKh",))
BLACKJACK: Final = Group("all-blackjack", _n("Blackjack"), ("AsJh",))
BACCARAT: Final = Group("all-baccarat", _n("Baccarat"), ("9hKc4s3d",))
