"""Russian poker as the house lists it."""

from typing import Final

from games.rules.declaration import Declaration, Residents
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import POKER

GAMES: Final = (
    Declaration(
        key="russian_poker",
        name=_n("Russian poker"),
        module="games.rules.russian_poker.game",
        struct="RussianPoker",
        family="russian_poker",
        answers="games.families.poker.family",
        group=POKER,
        picture=("TcJcQcKcAc",),
        place=110,
        edge=190,
        edition=2,
        is_guided=True,
        table=_p("a table", "Neva"),
        residents=Residents(_p("a table", "Winter palace"), 2),
        pool="progressive",
        share=6,
    ),
)
