"""Baccarat with and without commission."""

from functools import partial
from typing import Final

from games.rules.declaration import Declaration, Residents
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import BACCARAT

_game = partial(
    Declaration,
    module="games.rules.baccarat.game",
    family="baccarat",
    group=BACCARAT,
    sign="9",
    is_guided=True,
)

# Rounds at baccarat are quick, and one shoe lasts for eighty; games with much to decide and a shoe
# for each hand have a smaller share of what is played.
GAMES: Final = (
    _game(
        key="baccarat",
        name=_n("Baccarat without commission"),
        struct="Baccarat",
        short=_n("without commission"),
        place=90,
        edge=1_350,
        table=_p("a table", "Dragon"),
        residents=Residents(_p("a table", "Jade"), 3),
        share=42,
    ),
    _game(
        key="baccarat_commission",
        name=_n("Baccarat with commission"),
        struct="BaccaratCommission",
        short=_n("with commission"),
        place=100,
        edge=1_150,
        table=_p("a table", "Phoenix"),
        residents=Residents(_p("a table", "Pearl"), 2),
        share=28,
    ),
)
