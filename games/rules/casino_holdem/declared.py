"""Casino hold'em as the house lists it."""

from typing import Final

from games.rules.declaration import Declaration, Residents
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import POKER

GAMES: Final = (
    Declaration(
        key="casino_holdem",
        name=_n("Casino hold'em"),
        module="games.rules.casino_holdem.game",
        struct="CasinoHoldem",
        family="casino_holdem",
        answers="games.families.poker.family",
        group=POKER,
        place=70,
        edge=2_648,
        edition=2,
        is_guided=True,
        table=_p("a table", "Riverboat"),
        residents=Residents(_p("a table", "Fireside"), 2),
        pool="progressive",
        share=6,
    ),
)
