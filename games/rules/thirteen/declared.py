"""The five games of thirteen cards."""

from functools import partial
from typing import Final

from games.rules.declaration import Declaration, Residents, SitAndGo, Speed, Stakes
from games.rules.declaration import marked as _n
from games.rules.declaration import marked_as as _p
from games.rules.groups import THIRTEEN

POINTS: Final = Stakes({"point": 100}, 10_000, 50_000, 2_000, 90, 8)
BANKED: Final = Stakes({"bet_min": 100, "bet_max": 1_000}, 10_000, 50_000, 2_000, 90, 8)

_game = partial(Declaration, family="thirteen", group=THIRTEEN, sign="13", is_guided=True)

GAMES: Final = (
    _game(
        key="chinese_poker",
        name=_n("Chinese poker"),
        module="games.rules.thirteen.chinese_poker",
        struct="ChinesePoker",
        place=10,
        table=_p("a table", "Pagoda"),
        residents=Residents(_p("a table", "Lantern"), 3),
        stakes=POINTS,
        sit_and_go=SitAndGo(_p("a tournament", "Pagoda sit-and-go"), 4, (50, 100, 200, 400)),
        speed=Speed(5.8, 0.8),
    ),
    _game(
        key="thirteen_hongkong",
        name=_n("Hong Kong thirteen cards"),
        module="games.rules.thirteen.banking",
        struct="ThirteenHongkong",
        short=_n("Hong Kong"),
        place=20,
        table=_p("a table", "Harbour"),
        residents=Residents(_p("a table", "Star Ferry"), 2),
        stakes=BANKED,
        sit_and_go=SitAndGo(
            _p("a tournament", "Harbour sit-and-go"), 4, (100, 200, 400, 600), banked=True
        ),
        speed=Speed(3.1, 0.8),
    ),
    _game(
        key="thirteen_taiwan",
        name=_n("Taiwan thirteen cards"),
        module="games.rules.thirteen.taiwan",
        struct="ThirteenTaiwan",
        short=_n("Taiwan"),
        place=30,
        table=_p("a table", "Night market"),
        residents=Residents(_p("a table", "Old street"), 4),
        stakes=POINTS,
        sit_and_go=SitAndGo(_p("a tournament", "Night market sit-and-go"), 4, (50, 100, 200, 400)),
        speed=Speed(8.1, 0.8),
    ),
    _game(
        key="thirteen_philippine",
        name=_n("Philippine thirteen cards"),
        module="games.rules.thirteen.banking",
        struct="ThirteenPhilippine",
        short=_n("Philippine"),
        place=40,
        table=_p("a table", "Intramuros"),
        residents=Residents(_p("a table", "Coconut grove"), 4),
        stakes=BANKED,
        sit_and_go=SitAndGo(
            _p("a tournament", "Intramuros sit-and-go"), 4, (100, 200, 400, 600), banked=True
        ),
        speed=Speed(3.7, 1.6),
    ),
    _game(
        key="thirteen_fujian",
        name=_n("Fujian thirteen cards"),
        module="games.rules.thirteen.fujian",
        struct="ThirteenFujian",
        short=_n("Fujian"),
        place=50,
        table=_p("a table", "Tulou"),
        residents=Residents(_p("a table", "Tea house"), 4),
        stakes=POINTS,
        sit_and_go=SitAndGo(_p("a tournament", "Tulou sit-and-go"), 4, (25, 50, 100, 200)),
        speed=Speed(16.3, 0.8),
    ),
)
