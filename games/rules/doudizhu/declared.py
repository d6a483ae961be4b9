"""Dou Dizhu as the house lists it."""

from typing import Final

from games.rules.declaration import Declaration, Residents, SitAndGo, Speed, Stakes
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import DOUDIZHU

GAMES: Final = (
    Declaration(
        key="doudizhu",
        name=_n("Dou Dizhu"),
        module="games.rules.doudizhu.game",
        struct="Doudizhu",
        family="doudizhu",
        group=DOUDIZHU,
        sign="斗",
        place=60,
        is_guided=True,
        table=_p("a table", "Landlord's yard"),
        residents=Residents(_p("a table", "Bamboo grove"), 3),
        stakes=Stakes({"point": 100}, 5_000, 50_000, 1_000, 25, 8),
        sit_and_go=SitAndGo(
            _p("a tournament", "Yard sit-and-go"), 3, (50, 100, 200, 400), decision_seconds=25
        ),
        speed=Speed(4.8, 5.0),
    ),
)
