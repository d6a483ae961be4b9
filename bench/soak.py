"""Hundreds of hands of every game through the services: is money conserved, is the audit clean?

    python -m bench.soak [HANDS]      with or without a DATABASE_URL

It is the long form of `tests/games/test_play.py`, in a database that is thrown away.
"""

import os
import sys
from time import perf_counter
from typing import Final

import django
from django.test.utils import setup_databases, teardown_databases

HANDS: Final = 200


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    hands = int(sys.argv[1]) if sys.argv[1:] else HANDS
    made = setup_databases(verbosity=0, interactive=False)
    try:
        wrong = play_all(hands)
    finally:
        teardown_databases(made, verbosity=0)
    sys.exit(bool(wrong))


def play_all(hands: int) -> int:
    """How much was wrong, all games together."""
    from games.models import Hand
    from games.records.audit import audit
    from games.rules.catalogue import GAMES
    from games.shoes import chain
    from tests.games.house import MONEY, House

    house, wrong = House(), 0
    house.bots(4)
    alice = house.player("alice", 20 * MONEY)
    for game in GAMES:
        began = perf_counter()
        table = house.table(game, bots_max=3, buy_in_max=MONEY)
        house.sit(alice, table, 1, MONEY)
        house.until(table, lambda table: table.hands_dealt > hands, steps=1_000 * hands)
        played = perf_counter() - began
        house.leave(alice, table)
        found = [
            errors for _hand, errors in audit(Hand.objects.filter(table=table, status="finished"))
        ]
        differences = sum(map(len, found))
        wrong += differences + bool(house.total())
        rate = len(found) / (perf_counter() - began - played)
        print(
            f"{game:22} {len(found):5} hands in {played:6.1f} s, money left over {house.total()}, "
            f"{differences} differences, audited at {rate:.0f} hands/s",
            flush=True,
        )
    while chain.link():
        pass
    return wrong + len(chain.differences())


if __name__ == "__main__":
    main()
