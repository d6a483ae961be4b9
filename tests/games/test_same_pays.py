"""Rules page, panel, API, record and settlement say the same pays, with pools and without."""

import html
import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import json

from games.boards.rule_tables import PaytableRow, RuleTable, share_in_words
from games.models import Hand, Table
from games.records.record import record
from games.rules.blackjack.state import Bet, Hit
from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import HOUSE, Action, AnyGame, SeatStack
from games.rules.house.actions import Close, Pool
from games.rules.house.antes import Ante
from games.rules.house.bonus import BonusGame
from games.rules.house.sides import SideContext
from games.rules.house.till import Odds
from games.rules.settlement import Settlement
from games.tables import demo
from games.tables.jackpots import game_at
from tests.games.evenings import played_once
from tests.games.families import costs, paytables, winnings
from tests.games.house import House
from tests.games.program import Program
from tests.people import HTMX, client_of
from wallets.money import jackpots

WITH_BONUS = [key for key in GAMES if issubclass(game_type(key), BonusGame)]
# Of each family one game is looked at in each run.
FIRST = {GAMES[key].family: key for key in reversed(GAMES)}
RELEASE = pytest.mark.release
STAKE = 100
POOL = 50_000
# What a jackpot's line pays at least: the best line of fixed odds below it.
FLOORS = {
    "blackjack": Odds(240, 1),
    "casino_holdem": Odds(100, 1),
    "russian_poker": Odds(150, 1),
}
# One box: its first card, the dealer's, its second, and what is drawn.
BLACKJACK = {
    "suited_blackjack": "Ac9dTcTsThTd",
    "mixed_blackjack": "Ac9dTdTsThTc",
    "suited_678": "6c9d7c8cTsTh",
    "mixed_678": "6c9d7d8cTsTh",
    "mixed_777": "7c9d7d7hTsTh",
    "suited_777": "7c9d7c7cTsTh",
    "spade_777": "7s9d7s7sTsTh",
}
# Two cards of the box, and the flop.
HOLDEM = {
    "pair_of_aces": "AcAdKs9h5s",
    "two_pair": "AcKdAsKh5s",
    "three": "AcAdAs9h5s",
    "straight": "5c6d7s8h9s",
    "flush": "Ac9c2c5c7c",
    "full_house": "AcAdAsKhKs",
    "four": "AcAdAsAhKs",
    "straight_flush": "5c6c7c8c9c",
    "royal_flush": "AcKcQcJcTc",
}
RUSSIAN = {
    "three": "9c9d9h5s3c",
    "straight": "5c6d7h8s9c",
    "flush": "Ac9c7c5c2c",
    "full_house": "9c9d9h5s5c",
    "four": "9c9d9h9s5c",
    "straight_flush": "5c6c7c8c9c",
    "royal_flush": "AcKcQcJcTc",
}


def dealt_russian(cards: str) -> str:
    box, dealer = parse_cards(cards), parse_cards("KhTd8d6h4d")
    return "".join(a.text + b.text for a, b in zip(box, dealer, strict=True)) + "2s2h2d3h"


def dealt_holdem(cards: str) -> str:
    first, second, *flop = (card.text for card in parse_cards(cards))
    return f"{first}4h{second}4s{''.join(flop)}2d3d"


def settled(game: Any, word: str) -> Settlement:
    """A round in which the one bonus bet holds a combination; the pools hold what they hold."""
    context = SideContext(mystery_left=10**6 if game.mystery_bp else None)
    if game.key == "blackjack":
        cards, moves = BLACKJACK[word], [(1, Bet(1, STAKE, STAKE)), (HOUSE, Close())]
        moves += [] if "blackjack" in word else [(1, Hit(1, 0))]
    else:
        russian = game.key == "russian_poker"
        cards = dealt_russian(RUSSIAN[word]) if russian else dealt_holdem(HOLDEM[word])
        moves = [(1, Ante(1, STAKE, STAKE)), (HOUSE, Close())]
    return _played(game, cards, moves, context)


def _played(
    game: AnyGame, cards: str, moves: Sequence[tuple[Any, Action]], context: SideContext
) -> Settlement:
    state = game.open([SeatStack(1, 10**7)], parse_cards(cards), context)
    for party, action in moves:
        state = game.apply(state, party, action)
    while waiting := game.to_act(state):
        (party,) = waiting
        action = game.fallback(state, party)
        if isinstance(action, Pool):
            action = Pool(action.pool, POOL)
        state = game.apply(state, party, action)
    settlement: Settlement = game.settle(state)
    return settlement


def play(_house: House) -> None:
    demo.seed()


evening = played_once(play)
pytestmark = pytest.mark.usefixtures("tonight")


def table_of(key: str, pools: bool) -> Table:
    """A table of the demonstration, with pools of other shares than the usual, or with none."""
    table = Table.objects.select_related("currency").get(name=GAMES[key].table)
    table.jackpots.clear()
    if pools:
        for kind, share_bp in (("progressive", 2_500), ("mystery", 700)):
            pool = jackpots.create(
                f"{kind} here", kind, table.currency, actor="house", share_bp=share_bp
            )
            table.jackpots.add(pool)
    return table


def tables_on(page: str) -> dict[str, list[tuple[str, ...]]]:
    """The tables of the rules: by their titles the rows of words and values."""
    tables = {}
    for figures in re.findall(r"<table class=\"figures.*?</table>", page, re.DOTALL):
        title = "".join(re.findall(r"<caption>(.*?)</caption>", figures))
        rows = re.findall(r"<tr>\s*<th scope=\"row\">(.*?)</th>(.*?)</tr>", figures, re.DOTALL)
        tables[html.unescape(title)] = [
            (
                html.unescape(re.sub(r"\s*<small>.*", "", label, flags=re.DOTALL)),
                *(html.unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", cells)),
            )
            for label, cells in rows
        ]
    return tables


def options_of(game: AnyGame) -> Any:
    return json.decode(json.encode(game))


def as_shown(tables: Sequence[RuleTable]) -> dict[str, list[tuple[str, ...]]]:
    return {table.label: [(row.label, *row.values) for row in table.rows] for table in tables}


def bonus_rows(game: AnyGame) -> list[PaytableRow]:
    """The lines that cards make, without what is drawn besides."""
    [bonus] = [paytable for paytable in paytables(game) if paytable.bet == "bonus"]
    return [row for row in bonus.rows if not row.beside]


@pytest.mark.parametrize(
    ("game", "pools"),
    [
        pytest.param(key, pools, marks=() if FIRST[GAMES[key].family] == key else RELEASE)
        for key in GAMES
        for pools in (False, True)[: 1 + (key in WITH_BONUS)]
    ],
)
def test_every_view_of_a_table_shows_the_rules_in_play(
    house: House, game: str, pools: bool
) -> None:
    table = table_of(game, pools)
    has_bonus = game in WITH_BONUS
    for number, name in enumerate(("alice", "bob", "carol", "dave")[: table.places], 1):
        house.sit(house.player(name), table, number, table.buy_in_min)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    hand = Hand.objects.get(table=table)
    played = game_at(table)
    # The record of the hand, and the API.
    assert hand.options == options_of(played)
    table_data = Program("alice").get(f"tables/{table.pk}/")
    assert table_data["options"] == hand.options
    (row,) = [entry for entry in Program().get("tables/")["tables"] if entry["id"] == table.pk]
    assert row["options"] == hand.options
    # The rules beside the table.
    client = client_of(house.person("alice"))
    rules = tables_on(client.get(f"/tables/{table.pk}/rules/", headers=HTMX).text)
    assert as_shown([*winnings(played), *costs(played)]).items() <= rules.items()
    # The panel.
    page = client.get(f"/tables/{table.pk}/").text
    panel = re.findall(r'<tr data-row="bonus-(\w+)".*?<td class="number">(.*?)</td>', page)
    if has_bonus:
        assert [pays for _label, pays in rules["Bonus"]] == [html.unescape(p) for _w, p in panel]
        assert (hand.options["jackpot_bp"], hand.options["mystery_bp"]) == (
            (2_500, 700) if pools else (0, 0)
        )
        shares = [pays for _word, pays in panel if "jackpot" in pays]
        assert bool(shares) == pools
    else:
        assert panel == []


@pytest.mark.parametrize("pools", [False, True], ids=["alone", "pools"])
@pytest.mark.parametrize("key", WITH_BONUS)
def test_settlement_pays_each_line_as_stated(house: House, key: str, pools: bool) -> None:
    game: Any = game_at(table_of(key, pools))
    rows = bonus_rows(game)
    known = {"blackjack": BLACKJACK, "casino_holdem": HOLDEM, "russian_poker": RUSSIAN}[key]
    assert {row.word for row in rows} == set(known)
    taken = {label: value for cost in costs(game) for label, (value,), _note in cost.rows}
    for row in rows:
        settlement = settled(game, row.word)
        won = [line for line in settlement.lines if line.key in ("bonus_won", "jackpot")]
        assert [line.values["combination"] for line in won] == [row.word]
        values = won[0].values
        if row.odds is None:
            share_bp = int(values["share_bp"])
            # A jackpot's line that could pay less than the line below it names that as the least.
            assert row.pays in (share_in_words(share_bp), share_in_words(share_bp, FLOORS[key]))
            assert won[0].amount == POOL * int(values["share_bp"]) // 10_000
        else:
            assert (values["pays"], values["to"]) == (row.odds.pays, row.odds.to)
            assert won[0].amount == row.odds.win(STAKE)
        fed = [line.values["share_bp"] for line in settlement.lines if line.key == "pool_share"]
        assert fed == ([2_500, 700] if pools else [])
    assert taken["Of a bonus bet, to the jackpot"] == ("25%" if pools else "–")
    assert taken["Of a bonus bet, to the mystery prize"] == ("7%" if pools else "–")


def test_a_record_of_a_finished_hand_says_them_too(house: House) -> None:
    table = table_of("blackjack", pools=True)
    house.sit(house.player("alice"), table, 1, table.buy_in_min)
    house.until(table, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    hand = Hand.objects.get()
    assert record(hand, None)["options"] == options_of(game_at(table))
