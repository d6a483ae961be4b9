"""Blackjack as the house lists it."""

from typing import Final

from games.rules.declaration import Declaration, Residents
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import BLACKJACK

GAMES: Final = (
    Declaration(
        key="blackjack",
        name=_n("Blackjack"),
        module="games.rules.blackjack.game",
        struct="Blackjack",
        family="blackjack",
        group=BLACKJACK,
        sign="21",
        place=80,
        edition=3,
        edge=479,
        is_guided=True,
        table=_p("a table", "Twenty-one"),
        residents=Residents(_p("a table", "Corner"), 2),
        pool="mystery",
        share=12,
    ),
)
