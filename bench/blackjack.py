"""Speed of blackjack: `python -m bench.blackjack`."""

from time import perf_counter

from bench.calibration import speed
from bench.rules import deals
from games.bots.blackjack import best
from games.rules.blackjack.analysis.bonus import bonus_edge
from games.rules.blackjack.analysis.edge import house_edge
from games.rules.blackjack.analysis.strategy import rules_of
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import Bet, BlackjackState, Stand
from games.rules.cards import Card
from games.rules.contract import HOUSE, SeatStack
from games.rules.house.actions import Close
from games.rules.house.sides import SideContext

STAKES, CONTEXT, CLOSE = [SeatStack(1, 10**6)], SideContext(), Close()
BET, STAND = Bet(1, 1_000), Stand(1, 0)


def play_round(game: Blackjack, cards: tuple[Card, ...]) -> BlackjackState:
    """One seat on one box, which stands on its two cards."""
    state = game.open(STAKES, cards, CONTEXT)
    state = game.apply(state, 1, BET)
    state = game.apply(state, HOUSE, CLOSE)
    return state if state.phase == "over" else game.apply(state, 1, STAND)


def rounds(game: Blackjack) -> None:
    """Open, bet, close, which deals, stand, which draws the dealer's hand, and settle."""
    rests = [
        tuple(shoe[at : at + 16])
        for shoe in deals(game.composition(), 50)
        for at in range(0, 290, 16)
    ]
    hands = [cards[: play_round(game, cards).drawn] for cards in rests]
    name = "a round of blackjack, standing"
    speed(name, lambda cards: game.settle(play_round(game, cards)), hands, ">= 4,000 R")


def basic_rounds(game: Blackjack) -> None:
    """The same as basic strategy plays it, each decision out of the seat's view."""
    shoes = [tuple(shoe) for shoe in deals(game.composition(), 200)]

    def play(cards: tuple[Card, ...]) -> None:
        state = game.open(STAKES, cards, CONTEXT)
        state = game.apply(state, 1, BET)
        state = game.apply(state, HOUSE, CLOSE)
        while state.waiting:
            state = game.apply(state, 1, best(game, game.view(state, 1)))
        game.settle(state)

    speed("a round of blackjack, basic strategy, whole shoe given", play, shoes)


def odds(game: Blackjack) -> None:
    """What an operator waits for who looks at other options; it is kept once it is known."""
    for name, work in (
        ("exact house edge", lambda: house_edge.__wrapped__(rules_of(game))),
        ("exact edge of the bonus", lambda: bonus_edge(game)),
    ):
        start = perf_counter()
        work()
        print(f"{name:<52}{'':>16} {(perf_counter() - start) * 1000:>10.1f} ms")


def main() -> None:
    game = Blackjack()
    rounds(game)
    basic_rounds(game)
    odds(game)


if __name__ == "__main__":
    main()
