"""The history of a demonstration: a month of hands, made while the house is open.

Bots have played it for made-up players at the residents' tables, which open when it is complete.
Rows that the open house may write at the same time are left alone or read again in each of its
transactions: see `wallets/money/backdating.py`.
"""

from collections.abc import Callable
from typing import Final

from django.utils import timezone

from casino.office.demonstration import context, residents
from casino.office.demonstration.seeding.filling import Filling, Order
from games.rules.catalogue import GAMES
from wallets.values.days import day_of

HANDS: Final = 3_000
# Today, and thirty days before it.
DAYS: Final = 31
# Three regulars a table, as far as the games of the house go.
PLAYERS: Final = 33
SEED: Final = 1


def make(said: Callable[[int], object]) -> None:
    """Make it where it is due, and say how many percent of it are there."""
    if not residents.history_is_due():
        return
    context.tell(0)
    said(0)
    today = day_of(timezone.now())
    order = Order(HANDS, DAYS, PLAYERS, SEED, today, demonstration=True)
    games = [game for game in GAMES if GAMES[game].residents]
    tables = {game: residents.table_of(game) or residents.made(game) for game in games}
    reached = 0

    def note(hands: int) -> None:
        nonlocal reached
        percent = min(99, 100 * hands // HANDS)
        if percent > reached:
            reached = percent
            context.tell(percent)
            said(percent)

    try:
        Filling(order, tables=tables).run(note)
    finally:
        context.forget()
