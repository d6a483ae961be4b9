"""Baccarat with and without commission."""

from typing import Final

from games.rules.declaration import Declaration, Residents
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import BACCARAT

# Rounds at baccarat are quick, and one shoe lasts for eighty; games with much to decide and a shoe
# for each hand have a smaller share of what is played.
GAMES: Final = (
    Declaration(
        key="baccarat",
        name=_n("Baccarat without commission"),
        module="games.rules.baccarat.game",
        struct="Baccarat",
        family="baccarat",
        group=BACCARAT,
        short=_n("without commission"),
        sign="9",
        place=90,
        is_guided=True,
        table=_p("a table", "Dragon"),
        residents=Residents(_p("a table", "Jade"), 3),
        share=42,
    ),
    Declaration(
        key="baccarat_commission",
        name=_n("Baccarat with commission"),
        module="games.rules.baccarat.game",
        struct="BaccaratCommission",
        family="baccarat",
        group=BACCARAT,
        short=_n("with commission"),
        sign="9",
        place=100,
        is_guided=True,
        table=_p("a table", "Phoenix"),
        residents=Residents(_p("a table", "Pearl"), 2),
        share=28,
    ),
)
