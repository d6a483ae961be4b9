"""Whether a table answers sooner or later because of cards that its reader does not see.

    python -m bench.timing [GAME ...]

As in `tests/games/test_every_game.py`, two hidden cards change places. The same part of a table is
asked for with the one order and with the other, turn about in one run, so that both meet the same
machine; which comes first alternates. A figure is the mean of the ratios of the two processor
times, as a difference in percent, with its standard error. Next to it is what the same number of
pairs says of one order against itself: the noise of the measurement.
"""

import gc
import logging
import os
import sys
from collections.abc import Callable
from math import log, sqrt
from statistics import fmean, stdev
from time import process_time
from typing import TYPE_CHECKING, Final, NamedTuple
from unittest.mock import patch

from tests.houses import open_house

if TYPE_CHECKING:
    from django.test import Client

    from games.models import Table
    from games.rules.cards import Card

PAIRS: Final = 120
# Until everything that a process remembers is remembered.
WARM_UP: Final = 8
# Further from nothing than so many standard errors is named.
ERRORS_MAX: Final = 4.0
GAMES: Final = ("doudizhu", "thirteen_fujian", "blackjack", "casino_holdem", "baccarat")


class Difference(NamedTuple):
    """The mean difference of paired times in percent, and its standard error."""

    percent: float
    error: float

    @property
    def is_found(self) -> bool:
        return abs(self.percent) > ERRORS_MAX * self.error

    def __str__(self) -> str:
        return f"{self.percent:+6.2f} ± {self.error:.2f} %"


def difference(one: list[float], other: list[float]) -> Difference:
    """Of paired times, by the logarithms of their ratios."""
    ratios = [log(second / first) for first, second in zip(one, other, strict=True)]
    return Difference(100 * fmean(ratios), 100 * stdev(ratios) / sqrt(len(ratios)))


def paired(
    ask: Callable[[tuple["Card", ...]], float],
    cards: tuple["Card", ...],
    other: tuple["Card", ...],
) -> Difference:
    """Ask with both orders in turn; every second pair begins with the other."""
    first, second = [], []
    for number in range(-WARM_UP, PAIRS):
        if number % 2:
            right, left = ask(other), ask(cards)
        else:
            left, right = ask(cards), ask(other)
        if number >= 0:
            first.append(left)
            second.append(right)
    return difference(first, second)


def answer_in(client: "Client", table: "Table", address: str, order: tuple["Card", ...]) -> float:
    """The processor time of an answer, with nothing remembered of the hand."""
    from django.core.cache import caches

    from games.boards.table_version import VERSIONS
    from games.shoes import custody
    from games.tables.table_cache import TABLE_CACHE

    # The house would refuse a program that asks so often.
    caches["default"].clear()
    VERSIONS.forget(table)
    TABLE_CACHE.forget(table)
    with patch.object(custody, "cards", lambda _shoe: order):
        began = process_time()
        answer = client.get(address, headers={"HX-Request": "true"})
        took = process_time() - began
    assert answer.status_code == 200, (address, answer.status_code)
    return took


def measure(game: str) -> bool:
    """Say what is found at one table; return whether a difference is."""
    from django.test import Client

    from games.models import Hand
    from games.shoes import custody
    from tests.games.house import House
    from tests.games.viewers import people_of, shown_to
    from tests.people import client_of

    house = House()
    people = [f"{name}-{game}" for name in people_of(game)]
    table = house.dealt_in(game, *people, grace_seconds=36_000)
    assert table.hand_id is not None, "a hand has been dealt"
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    cards = custody.cards(hand.shoe)
    differs = False
    for reader, client, seat in (
        ("player", client_of(house.person(people[0])), 1),
        ("visitor", Client(), None),
    ):
        shown = shown_to(hand, seat)
        hidden = [place for place, card in enumerate(cards) if card.text not in shown]
        # The first and the last hidden card that differs: one is dealt early, the other late.
        early = hidden[0]
        late = next(place for place in reversed(hidden) if cards[place] != cards[early])
        exchanged = list(cards)
        exchanged[early], exchanged[late] = cards[late], cards[early]
        for words, address in (
            ("board", f"/tables/{table.pk}/board/"),
            ("API", f"/api/v1/tables/{table.pk}/"),
        ):

            def ask(
                order: tuple["Card", ...], client: "Client" = client, address: str = address
            ) -> float:
                return answer_in(client, table, address, order)

            measured, noise = paired(ask, cards, tuple(exchanged)), paired(ask, cards, cards)
            mark = "  DIFFERS" if measured.is_found else ""
            print(
                f"{game:<16} {reader:<8} {words:<6} {measured}   itself {noise}{mark}", flush=True
            )
            differs |= measured.is_found
    return differs


def main() -> None:
    with open_house():
        # There is no Redis here, which the house would say again and again.
        logging.disable()
        print(f"{PAIRS} pairs each; load {os.getloadavg()[0]:.1f}")
        # A collection in the middle of one answer would be that answer's alone.
        gc.disable()
        games = [game for game in sys.argv[1:] or GAMES if measure(game)]
    if games:
        raise SystemExit(f"the time of an answer depends on hidden cards: {', '.join(games)}")
    print(f"no difference beyond {ERRORS_MAX:.0f} standard errors")


if __name__ == "__main__":
    main()
