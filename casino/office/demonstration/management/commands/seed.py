"""Fill an empty house with an honest history, for measuring and for training."""

import os
from argparse import ArgumentTypeError
from datetime import date
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.office.demonstration.seeding.filling import Filling, Order, require_empty
from wallets.of_record.verbs import verb
from wallets.values import days
from wallets.values.errors import Refused

# Hands between two lines of progress, where the output is no terminal.
REPORTED_EVERY = 10_000


def day_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is not a day; write it as 2026-11-23") from None


class Command(BaseCommand):
    help = (
        "Fill an EMPTY house with hands that bots have played by the rules, posted to the ledger "
        "at the times of the hands. The same seed gives the same history."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--hands", type=int, required=True)
        parser.add_argument("--days", type=int, required=True)
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help="how many processes play, one for each processor by default",
        )
        parser.add_argument(
            "--until", type=day_of, help="the last day of the history; yesterday by default"
        )

    @verb("setup:seed")
    def handle(self, *_args: object, **options: Any) -> None:
        today = days.day_of(timezone.now())
        last = options["until"] or today - days.ONE_DAY
        if last >= today:
            raise CommandError("The history ends yesterday at the latest.")
        order = Order(options["hands"], options["days"], options["players"], options["seed"], last)
        self._began, self._reported = perf_counter(), 0
        try:
            require_empty()
            filling = Filling(order, options["processes"])
            played = filling.run(self._progress)
        except Refused as refusal:
            raise CommandError(refusal.sentence) from refusal
        seconds = perf_counter() - self._began
        self.stdout.write(
            f"{played:,} hands in {order.days} days: {seconds:.1f} s, {self._rate(played)}"
        )

    def _progress(self, hands: int) -> None:
        """Say how far it is: over and over on a terminal, now and then in a log."""
        if self.stderr.isatty():
            self.stderr.write(f"\r{hands:,} hands, {self._rate(hands)}", ending="")
        elif hands - self._reported >= REPORTED_EVERY:
            self._reported = hands
            self.stderr.write(f"{hands:,} hands, {self._rate(hands)}")

    def _rate(self, hands: int) -> str:
        return f"{hands / (perf_counter() - self._began):,.0f} a second"
