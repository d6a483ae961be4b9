"""Make the history of a demonstration, then let its residents begin.

It is a month of hands, made while the house is open. Bots have played it for made-up players at the
residents' tables, which open when it is complete. Rows that the open house may write at the same
time are left alone or read again in each of its transactions: see `wallets/money/backdating.py`.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.office.demonstration import cases, context, residents
from casino.office.demonstration.seeding.filling import Filling, Order
from games.rules.catalogue import GAMES
from tournaments.running import demo as sit_and_gos
from wallets.of_record.verbs import verb
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


# The bar of progress is so wide, and is printed anew after so many percent.
WIDTH: Final = 20
STEP: Final = 10


class Command(BaseCommand):
    help = "Make the history of a demonstration, and open its residents' tables; once."

    @verb("setup:demo_history")
    def handle(self, *_args: object, **_options: object) -> None:
        if not settings.DEMO_LIFE:
            raise CommandError("This is no demonstration, or DEMO_LIFE is 0: nothing was made.")
        self._shown = -STEP
        try:
            make(self._progress)
            cases.make_desk_day(timezone.now())
            cases.make_cases(timezone.now())
            cases.make_profiles(timezone.now())
            cases.check_all(timezone.now())
        finally:
            now = timezone.now()
            residents.open_tables(now)
            sit_and_gos.play_first(now)
        self.stdout.write("the history is complete, and the residents take their seats")

    def _progress(self, percent: int) -> None:
        if percent - self._shown >= STEP:
            self._shown = percent - percent % STEP
            full = WIDTH * percent // 100
            self.stdout.write(f"[{'#' * full}{'.' * (WIDTH - full)}] {percent} %")
