"""Make the history of a demonstration, then let its residents begin."""

from typing import Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.office.demonstration import cases, history, residents
from tournaments.running import demo as sit_and_gos
from wallets.of_record.verbs import verb

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
            history.make(self._progress)
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
