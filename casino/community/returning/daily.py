"""Three tasks a day, the same for all players: which ones, the calendar says and not chance.

They bring nothing but a tick. None asks for an amount, a bet or a table of higher stakes.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.community.returning.models import CountedHand
from games.rules.catalogue import against_house

Hands = Sequence[CountedHand]
# With one of these a hand is won in a way that one remembers.
MEMORABLE: Final = frozenset({"bomb", "rocket", "natural"})


class DailyTask(NamedTuple):
    """Something to do within a day: how often, and how often these hands have done it."""

    words: str | Promise
    goal: int
    done: Callable[[Hands], int]


class Progress(NamedTuple):
    words: str
    goal: int
    done: int

    @property
    def is_complete(self) -> bool:
        return self.done >= self.goal


def _count(wanted: Callable[[CountedHand], bool]) -> Callable[[Hands], int]:
    return lambda hands: sum(1 for hand in hands if wanted(hand))


def _kinds(hands: Hands) -> int:
    return len({against_house(hand.game) for hand in hands})


# One of each group a day.
GROUPS: Final[tuple[tuple[DailyTask, ...], ...]] = (
    (
        DailyTask(_("Finish three hands"), 3, len),
        DailyTask(_("Finish five hands"), 5, len),
    ),
    (
        DailyTask(_("Play two different games"), 2, lambda hands: len({one.game for one in hands})),
        DailyTask(_("Play at two tables"), 2, lambda hands: len({one.table for one in hands})),
        DailyTask(_("Play a game among players and one against the house"), 2, _kinds),
    ),
    (
        DailyTask(
            _("Win a hand with a bomb, the rocket or a natural"),
            1,
            _count(lambda hand: bool(MEMORABLE.intersection(hand.feats))),
        ),
        DailyTask(_("Win two hands"), 2, _count(lambda hand: hand.won)),
        DailyTask(
            _("Win a hand among players"),
            1,
            _count(lambda hand: hand.won and not against_house(hand.game)),
        ),
    ),
)


def tasks_of(day: date) -> list[DailyTask]:
    """The tasks of a day. Groups of different lengths go round with different periods."""
    return [group[day.toordinal() % len(group)] for group in GROUPS]


def progress(day: date, hands: Iterable[CountedHand]) -> list[Progress]:
    """Return a player's progress in each task of the day, from that day's hands."""
    played = list(hands)
    return [
        Progress(str(task.words), task.goal, min(task.goal, task.done(played)))
        for task in tasks_of(day)
    ]


def hands_of(player_id: int, day: date) -> list[CountedHand]:
    return list(CountedHand.objects.filter(player=player_id, day=day).order_by("hand"))
