"""The tables: each game before a round, at a decision, and with its result."""

from typing import Final

import pytest

from games.models import Table
from games.rules.cards import Card, parse_cards
from tests.compared.scenes import Scene
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.repeating import repeat_draws

ME: Final = "alice"
FARMERS: Final = ("老周", "小兰")
RIVALS: Final = ("Mei", "Zhou", "Wen")
# What each seat holds, from the first on.
LANDLORD_AND_FARMERS: Final = (
    "RJ2s2dAsKhKdQsQdJsJhTdTc9d9h8d8h7c3c3s3d",
    "3h4c5c6d6c8s9cTsJcQhQcKsKcAdAc2hBJ",
    "4s4h4d5s6h7d8c9s2c5h5d6s7h7sThJdAh",
)
MIDDLE: Final = "2dKh3c"
LAST_CARDS: Final = (
    "RJ2s2d3s3c4d5s6s7s8s9hTs7d8d9cTcJcQsKsAs",
    "2hAcKcTd9s6d6c5d3h4c5h6h7h8h9dThJh",
    "QhJd4s4h3d5c7c8cJsQdQcKhKdAhAd2cBJ",
)
# Each play, and the passes on it until the next.
PLAYED_TO_THE_END: Final = (
    (ME, "3c4d5s6s7s8s9hTs"),
    ("老周", "4c5h6h7h8h9dThJh"),
    (ME, "7d8d9cTcJcQsKsAs"),
    (ME, "3s"),
    ("小兰", "2c"),
    ("小兰", "QdQcKhKdAhAd"),
    *(("小兰", card) for card in ("3d", "5c", "7c", "8c", "Js", "BJ")),
    (ME, "RJ"),
    (ME, "2s2d"),
)
ROWS: Final = ("front", "middle", "back")
THIRTEEN: Final = {
    ME: ("AhQhQd", "KsJs9s6s2s", "8h8d8c5h5d"),
    "Mei": ("KdQc7h", "AcQs7s6c4c", "TdTc4h4d3c"),
    "Zhou": ("KhKc2h", "9c9d2d2c5s", "3h4s5c6d7c"),
    "Wen": ("AdAsTs", "6h7d8s9hTh", "JhJdJc3d3s"),
}


def doudizhu_turn(house: House, patch: pytest.MonkeyPatch) -> str:
    table = doudizhu(house, patch, LANDLORD_AND_FARMERS, MIDDLE)
    for name, cards in ((ME, "3c3s3d"), ("小兰", "4s4h4d"), ("小兰", "5s6h7d8c9s")):
        play(house, table, name, cards)
    house.until(table, lambda one: "1" in one.turns)
    return f"/tables/{table.pk}/?help=0"


def doudizhu_win(house: House, patch: pytest.MonkeyPatch) -> str:
    table = doudizhu(house, patch, LAST_CARDS, "2d3c4d")
    for name, cards in PLAYED_TO_THE_END:
        play(house, table, name, cards)
    return f"/tables/{table.pk}/"


def doudizhu(house: House, patch: pytest.MonkeyPatch, hands: tuple[str, ...], middle: str) -> Table:
    """Alice is the landlord at three, with 2,480 before the hand."""
    repeat_draws(patch, "drawn")
    left = parse_cards(middle)
    held = [[card for card in parse_cards(hand) if card not in left] for hand in hands]
    # The first hand is dealt from the left of the first seat, the button.
    deal_first(patch, dealt_in_turn([*held[1:], held[0]]) + list(left))
    table = house.table(
        "doudizhu",
        name="竹林",
        options={"point": 1_000, "rake_bp": 0},
        buy_in_max=1_000_000,
        pause_seconds=8,
    )
    for number, name in enumerate((ME, *FARMERS), 1):
        house.sit(house.player(name), table, number, 248_000)
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    while "1" not in table.turns:
        (number,) = table.turns
        house.act(table, (ME, *FARMERS)[int(number) - 1], {"do": "call", "points": 0})
        table.refresh_from_db()
    house.act(table, ME, {"do": "call", "points": 3})
    return table


def play(house: House, table: Table, name: str, cards: str) -> None:
    """Play these cards when all others before have passed."""
    table.refresh_from_db()
    names = (ME, *FARMERS)
    while str(names.index(name) + 1) not in table.turns:
        (number,) = table.turns
        house.act(table, names[int(number) - 1], {"do": "pass"})
        table.refresh_from_db()
    texts = [card.text for card in parse_cards(cards)]
    house.act(table, name, {"do": "play", "cards": texts})


def thirteen_arrange(house: House, patch: pytest.MonkeyPatch) -> str:
    return f"/tables/{thirteen(house, patch).pk}/?help=best_expected"


def thirteen_showdown(house: House, patch: pytest.MonkeyPatch) -> str:
    table = thirteen(house, patch)
    for name, rows in THIRTEEN.items():
        laid = [[card.text for card in parse_cards(row)] for row in rows]
        house.act(table, name, {"do": "arrange"} | dict(zip(ROWS, laid, strict=True)))
    return f"/tables/{table.pk}/"


def thirteen(house: House, patch: pytest.MonkeyPatch) -> Table:
    repeat_draws(patch, "drawn")
    held = [list(parse_cards("".join(rows))) for rows in THIRTEEN.values()]
    deal_first(patch, dealt_in_turn([*held[1:], held[0]]))
    table = house.table(
        "chinese_poker",
        name="Harbour",
        options={"point": 500, "rake_bp": 0},
        buy_in_max=1_000_000,
        decision_seconds=60,
        pause_seconds=8,
    )
    for number, name in enumerate(THIRTEEN, 1):
        house.sit(house.player(name), table, number, 312_000)
    house.until(table, lambda one: one.phase == Table.Phase.PLAY)
    return table


def dealt_in_turn(hands: list[list[Card]]) -> list[Card]:
    """Cards dealt one at a time, from the first of these hands."""
    return [card for round_of_cards in zip(*hands, strict=True) for card in round_of_cards]


# What still differs, and why.
TURN: Final = (
    "the first hint is another play, as the house's strategy chooses it; the strip says what the "
    "multiplier is made of; a pass of my own stands beside my part"
)
WIN: Final = (
    "chips fly to who has won and then are gone; my panel has no face, as my plate is in the bar; "
    "how it was settled can be opened"
)
ARRANGE: Final = (
    "a suggestion lays the cards into their rows at once, so that the hand is empty then; what "
    "each makes is said with its ranks; cards can be sorted by suit"
)
SHOWDOWN: Final = (
    "a panel says rows won and lost, and money stands in the console alone; points of this game "
    "have no bonus for a scoop; my rows say what they won from all"
)
SCENES: Final[tuple[Scene, ...]] = (
    Scene("phone-doudizhu-turn", doudizhu_turn, ME, language="zh-hans", differs=TURN),
    Scene("phone-doudizhu-win", doudizhu_win, ME, language="zh-hans", differs=WIN),
    Scene("phone-thirteen-arrange", thirteen_arrange, ME, differs=ARRANGE),
    Scene("phone-thirteen-showdown", thirteen_showdown, ME, differs=SHOWDOWN),
)
