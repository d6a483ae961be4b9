"""A house for browsers: one process with bots, demonstration players and all that the site does."""

from typing import Final

from tests.houses.programs import Programs
from tests.houses.surroundings import KEYS

PUSH: Final = {"PUSH_KEY": KEYS["SIGNING_KEYS"], "PUSH_CONTACT": "house@club.example"}


class ForBrowsers(Programs):
    """A house whose bots think quickly, and where people have all the time that they need."""

    arguments: tuple[str, ...] = ()

    def all_programs(self, web: int) -> dict[str, tuple[str, ...]]:
        self.variables |= PUSH
        socket = str(self.socket.fileno())
        return {"house": ("tests.browser.serve", socket, *self.arguments)}

    def prepare(self, *, demo: bool) -> None:
        """Leave the demonstration to the program, which spares the start of another one."""
        super().prepare(demo=False)


class ForJourneys(ForBrowsers):
    """One in which no table goes on after a hand before a test says `go_on`."""

    arguments = ("--results-stand",)
