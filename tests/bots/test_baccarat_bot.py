"""The baccarat bots: each bets once on its spot within its stack, and `best` knows the odds."""

from games.bots.baccarat import STRATEGIES
from games.rules.baccarat.explain import explain
from games.rules.baccarat.game import SPOTS, Baccarat, BaccaratCommission, BaccaratTable, Bet
from games.rules.baccarat.odds import exact_odds
from games.rules.cards import parse_cards
from games.rules.contract import Context, SeatStack
from games.rules.house.actions import Done
from tests.rules.cases import each, every, unreadable

GAMES = [
    Baccarat(),
    BaccaratCommission(),
    Baccarat(banker_note_literal=True),
    BaccaratCommission(banker_note_literal=True),
]


@every(game=GAMES, name=list(STRATEGIES), stack=[99, 100, 10**6])
def test_every_strategy_bets_once_within_its_stack(
    game: BaccaratTable, name: str, stack: int
) -> None:
    stakes = [SeatStack(1, 10_000), SeatStack(2, stack)]
    state = game.open(stakes, parse_cards("9cKcTh2d"), Context())
    state = game.apply(state, 1, Bet("tie", 100))
    state = game.apply(state, 1, Done())
    betted = 0
    while game.to_act(state) - {"house"}:
        action = STRATEGIES[name](game, game.view(state, 2))
        betted += isinstance(action, Bet)
        state = game.apply(state, 2, action)
    assert betted == (name != "house" and stack >= 100)
    assert state.coup is not None


@every(game=GAMES)
def test_best_bets_where_the_edge_is_smallest(game: BaccaratTable) -> None:
    edges = exact_odds(game, game.composition()).edges
    state = game.open([SeatStack(1, 1_000)], (), Context())
    action = STRATEGIES["best"](game, game.view(state, 1))
    assert action == Bet(min(SPOTS, key=lambda spot: edges[spot]), 100)


def test_a_coup_is_explained() -> None:
    explained = explain(Baccarat(), "7d Ks 5c 6h 9d")
    assert explained == {
        "player": ("7d", "5c", "9d"),
        "banker": ("Ks", "6h"),
        "player_total": 1,
        "banker_total": 6,
        "winner": "banker",
        "natural": False,
        "player_pair": False,
        "banker_pair": False,
    }


@each(
    ("9cKcTh", "too_few_cards"),
    ("AcKc2h4d", "too_few_cards"),
    ("9cKcTh2d3d", "card_count"),
    ("9cKcThBJ", "card_not_in_shoe"),
    ("9cKcTh1d", "card"),
)
def test_impossible_coups_are_not_explained(cards: str, code: str) -> None:
    unreadable(code, explain, Baccarat(), cards)
