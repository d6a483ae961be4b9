"""The house's share at Russian poker against the best play, in antes."""

from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Final

from games.rules.cards import DECK, Card
from games.rules.house.figure import MAIN, Figure, Progress
from games.rules.russian_poker.best_play import average_worth
from games.rules.russian_poker.game import RussianPoker
from games.rules.shoe import perm

SAMPLES: Final = 6_000
# So many deals between two looks at how far it is.
CHUNK: Final = 200
# A hand never wins so many antes: a larger payment limits none.
ANTES_MOST: Final = 1_000


def main_bet(game: RussianPoker, seed: str, tell: Progress) -> Figure:
    key = seed.encode().ljust(32)[:32]

    def deals() -> Iterator[list[Card]]:
        for number in islice(count(), SAMPLES):
            if number % CHUNK == 0:
                tell(number)
            yield [DECK[at] for at in perm(key, str(number).encode(), len(DECK))[:6]]

    average = average_worth(game, game.min, deals(), SAMPLES // 20)
    return Figure(MAIN, -average.mean, average.standard_error, SAMPLES)


def other_bets(_game: RussianPoker) -> Iterator[Figure]:
    return iter(())


def decisive(game: RussianPoker) -> Mapping[str, object]:
    return {
        "edition": game.edition,
        "largest_payment": min(game.max_payout // game.min, ANTES_MOST),
        "largest_insurance": game.max_insurance and game.max_insurance // game.min,
    }
