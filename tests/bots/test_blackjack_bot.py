"""The blackjack bots, and what the command line says of a hand."""

from typing import Any

from games.bots.blackjack import STRATEGIES, best
from games.bots.simulate import simulate
from games.rules.blackjack.explain import explain
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet, Double, Follow, Hit, Split, Stand, Surrender
from games.rules.blackjack.suggest import suggest
from games.rules.cards import parse_cards
from games.rules.contract import HOUSE, Action, SeatStack
from games.rules.house.actions import Done
from games.rules.house.sides import SideContext
from tests.rules.blackjack_table import THREE, closed, moved
from tests.rules.cases import each, every, unreadable

GAME = Blackjack()
TWO = THREE[:2]


@every(name=list(STRATEGIES), stack=[99, 100, 150, 10**6])
def test_every_strategy_bets_once_within_its_stack(name: str, stack: int) -> None:
    state = GAME.open([SeatStack(1, 10_000), SeatStack(2, stack)], (), SideContext())
    state = GAME.apply(state, 1, Bet(1, 100))
    first = STRATEGIES[name](GAME, GAME.view(state, 2))
    added = 100 if name == "bonus" else 0
    bets = stack >= 100 + added and name != "house"
    assert first == (Bet(2, 100, added) if bets else Done())
    state = GAME.apply(state, 2, first)
    if first != Done():
        assert STRATEGIES[name](GAME, GAME.view(state, 2)) == Done()


def test_a_fourth_on_a_box_does_not_bet() -> None:
    game = Blackjack(boxes=1)
    state = game.open([SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)], (), SideContext())
    for seat in (1, 2, 3):
        state = game.apply(state, seat, best(game, game.view(state, seat)))
    assert [player.seat for player in state.boxes[0].players] == [1, 2, 3]
    assert best(game, game.view(state, 4)) == Done()


@every(name=["best", "bonus", "mimic", "never_bust", "legal"])
def test_every_strategy_plays_whole_rounds_with_guests(name: str) -> None:
    """With short stacks too; a move that is not allowed would be refused."""
    report = simulate(GAME, 100, f"rounds of {name}", name)
    assert (
        sum(share for event, share in report["frequencies"].items() if event.startswith("box_won"))
        > 0.2
    )
    strategy = STRATEGIES[name]
    short = Blackjack(boxes=2)
    stakes = [SeatStack(seat, stack) for seat, stack in ((1, 150), (2, 100), (3, 320), (4, 199))]
    for seed in range(60):
        cards = parse_cards("8c8d9h8s8h9d8c7d6h5s") + GAME.composition()[seed : seed + 40 : 2]
        state = short.open(stakes, cards[seed % 9 :], SideContext())
        while waiting := short.to_act(state) - {HOUSE}:
            seat = min(int(seat) for seat in waiting)
            state = short.apply(state, seat, strategy(short, short.view(state, seat)))
        assert short.settle(state).net[HOUSE] is not None


@each(
    ("8c6d8h", "", Split(1, 0)),
    ("8cTd8h", "", Surrender(1)),
    ("5c6d6h", "", Double(1, 0)),
    ("Tc9d6h", "", Surrender(1)),
    ("Tc6d2h", "", Stand(1, 0)),
    ("Tc7d2h", "", Hit(1, 0)),
    # A surrender is not open any more.
    ("5c9d5h6s", "hit", Hit(1, 0)),
    ("8cTd8h8s", "split 2=no", Hit(1, 0)),
    # As a guest: what is worth more than nothing is followed.
    ("5c6d6h", "double", Follow(1, True)),
    ("TcTd2h", "double", Follow(1, False)),
    ("8c6d8h", "split", Follow(1, True)),
    ("8c9d8h", "split", Follow(1, False)),
    ("TcAd6h", "", Stand(1, 0)),
    ("AcAdTh", "", Stand(1, 0)),
)
def test_best_plays_basic_strategy(cards: str, words: str, action: Action) -> None:
    state = moved(closed(cards, TWO), words)
    assert best(GAME, GAME.view(state, state.waiting[0])) == action


def test_a_guest_with_too_short_a_stack_does_not_follow() -> None:
    stakes = [SeatStack(1, 1_000), SeatStack(2, 399)]
    state = moved(closed("5c6d6h", TWO, GAME, stakes), "double")
    assert best(GAME, GAME.view(state, 2)) == Follow(1, False)


def test_best_with_too_short_a_stack_does_the_next_best() -> None:
    for cards, action in (("5c6d6h", Hit(1, 0)), ("Ac6d7h", Stand(1, 0)), ("8c6d8h", Stand(1, 0))):
        state = closed(cards, [(1, Bet(1, 100))], GAME, [SeatStack(1, 199)])
        assert best(GAME, GAME.view(state, 1)) == action


@each(
    ("mimic", "Tc6d6h", Hit(1, 0)),
    ("mimic", "Tc6d7h", Stand(1, 0)),
    ("mimic", "Ac6d6h", Stand(1, 0)),
    ("mimic", "8c6d8h", Hit(1, 0)),
    ("never_bust", "Tc6d2h", Stand(1, 0)),
    ("never_bust", "9c6d2h", Hit(1, 0)),
    ("never_bust", "Ac6d2h", Hit(1, 0)),
)
def test_simple_players(name: str, cards: str, action: Action) -> None:
    state = closed(cards)
    assert STRATEGIES[name](GAME, GAME.view(state, 1)) == action


@each(
    ("As 6d", {"total": 17, "soft": True}),
    ("8c8d", {"total": 16, "can_split": True}),
    ("KcTd", {"total": 20, "can_split": True}),
    ("Ac Td", {"total": 21, "soft": True, "blackjack": True, "bonus": "mixed_blackjack"}),
    ("7s7s7s", {"total": 21, "bonus": "spade_777"}),
    ("6c7d8h", {"total": 21, "bonus": "mixed_678"}),
    ("Tc9d5h", {"total": 24, "bust": True}),
    ("Tc", {"total": 10}),
    ("Ac2c3c4c", {"total": 20, "soft": True}),
)
def test_a_hand_is_explained(cards: str, explained: dict[str, Any]) -> None:
    plain = {"soft": False, "bust": False, "blackjack": False, "can_split": False}
    names = [card.text for card in parse_cards(cards)]
    assert explain(GAME, cards) == {"cards": names, **plain, **explained}


@each(("", "too_few_cards"), ("BJ", "card_not_in_shoe"), ("1c", "card"))
def test_impossible_hands_are_not_explained(cards: str, code: str) -> None:
    unreadable(code, explain, GAME, cards)


@each(
    ("8c8dTh", ["surrender", "hit", "stand", "split", "double"]),
    ("5c6d6h", ["double", "hit", "stand", "surrender"]),
    ("5c6dAh", ["hit", "stand", "double"]),
    ("6c5d4h9s", ["hit", "stand"]),
)
def test_moves_are_suggested_the_best_first(cards: str, moves: list[str]) -> None:
    suggestions = suggest(GAME, parse_cards(cards))
    suggested_moves = [suggestion.move for suggestion in suggestions]
    assert (suggested_moves[0], set(suggested_moves)) == (moves[0], set(moves))
    assert [suggestion.worth for suggestion in suggestions] == sorted(
        (suggestion.worth for suggestion in suggestions), reverse=True
    )


@each(
    ("8c8d", "too_few_cards"),
    ("AcTd6h", "nothing_to_decide"),
    ("Tc5d6h9s", "nothing_to_decide"),
    ("Tc9d6h9s", "nothing_to_decide"),
)
def test_where_nothing_can_be_suggested(cards: str, code: str) -> None:
    unreadable(code, suggest, GAME, parse_cards(cards))
