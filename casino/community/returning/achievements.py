"""The achievements that finished hands can earn, each once.

An achievement is worth its name and nothing else, and none of them asks for high stakes.
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Sum
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.community.returning import weeks
from casino.community.returning.models import Achievement, CountedHand, DayPlayed, GamePlayed
from games.rules.catalogue import GAMES


class Record(NamedTuple):
    """A player's record after some new hands, which are in `fresh`."""

    player: int
    day: date
    fresh: Sequence[CountedHand]
    hands: int
    games: int


class Kind(NamedTuple):
    title: str | Promise
    words: str | Promise
    is_reached: Callable[[Record], bool]
    # How its medal looks: the sign, a number or a drawing of `static/casino/medals.svg`, the metal
    # of its rim, and the group of games that gives the enamel its colour.
    sign: str
    metal: str = "bronze"
    cloth: str = "all-doudizhu"
    # What is counted towards it, and up to how many; empty where it is done at once.
    counts: str = ""
    goal: int = 1


def _hands(count: int) -> Callable[[Record], bool]:
    return lambda record: record.hands >= count


def _games(count: int) -> Callable[[Record], bool]:
    return lambda record: record.games >= count


def _feat(name: str) -> Callable[[Record], bool]:
    return lambda record: any(name in hand.feats for hand in record.fresh)


def _days_in_a_row(count: int) -> Callable[[Record], bool]:
    return lambda record: weeks.streak(record.player, record.day).longest >= count


def _days(count: int) -> Callable[[Record], bool]:
    return lambda record: weeks.streak(record.player, record.day).days >= count


def _whole_day(record: Record) -> bool:
    hands = weeks.hands_of(record.player, record.day)
    return all(progress.is_complete for progress in weeks.progress(record.day, hands))


KINDS: Final[dict[str, Kind]] = {
    "first_hand": Kind(_("First hand"), _("Finish a hand"), _hands(1), "hand"),
    "hundred_hands": Kind(
        _("Regular"), _("Finish 100 hands"), _hands(100), "100", "silver", counts="hands", goal=100
    ),
    "thousand_hands": Kind(
        _("Old hand"),
        _("Finish 1,000 hands"),
        _hands(1_000),
        "1k",
        "gold",
        counts="hands",
        goal=1_000,
    ),
    "three_games": Kind(
        _("Curious"),
        _("Play three different games"),
        _games(3),
        "cards",
        cloth="all-poker",
        counts="games",
        goal=3,
    ),
    "every_game": Kind(
        _("All-rounder"),
        _("Play every game"),
        _games(len(GAMES)),
        "star",
        "gold",
        "all-poker",
        "games",
        len(GAMES),
    ),
    "three_days": Kind(
        _("Three in a row"),
        _("Play on three days in a row"),
        _days_in_a_row(3),
        "3",
        cloth="all-baccarat",
        counts="longest",
        goal=3,
    ),
    "ten_days": Kind(
        _("Ten days"),
        _("Play on ten days, in a row or not"),
        _days(10),
        "10",
        "silver",
        "all-baccarat",
        "days",
        10,
    ),
    "whole_day": Kind(
        _("Full marks"),
        _("Do all three tasks of a day"),
        _whole_day,
        "week",
        "silver",
        "all-blackjack",
    ),
    "bomb": Kind(
        _("Bomb"),
        _("Win a hand in which you played a bomb"),
        _feat("bomb"),
        "bomb",
        "silver",
        "all-thirteen",
    ),
    "rocket": Kind(
        _("Rocket"),
        _("Win a hand in which you played the rocket"),
        _feat("rocket"),
        "rocket",
        "gold",
        "all-thirteen",
    ),
    "spring": Kind(
        _("Spring"), _("Win a hand of Dou Dizhu with a spring"), _feat("spring"), "spring", "gold"
    ),
    "natural": Kind(
        _("Natural"),
        _("Win a hand with a natural"),
        _feat("natural"),
        "crown",
        "gold",
        "all-thirteen",
    ),
    "home_run": Kind(
        _("Sweep"),
        _("Win every row from every opponent"),
        _feat("home_run"),
        "rows",
        "silver",
        "all-thirteen",
    ),
    "twenty_one": Kind(
        _("Twenty-one in two"),
        _("Win a round with a blackjack"),
        _feat("twenty_one"),
        "21",
        "silver",
        "all-blackjack",
    ),
    "showdown": Kind(
        _("Showdown"),
        _("Win a call at hold'em or Russian poker"),
        _feat("showdown"),
        "spade",
        cloth="all-poker",
    ),
    "coup": Kind(
        _("On the right side"),
        _("Win a coup with a bet on player or banker"),
        _feat("coup"),
        "target",
        cloth="all-baccarat",
    ),
}


# The way round the ring of a medal that is not earned yet, as the template draws it.
RING: Final = 163


class Shown(NamedTuple):
    title: str
    words: str
    day: date | None
    sign: str
    metal: str
    cloth: str
    done: int
    goal: int

    @property
    def ring(self) -> int:
        return RING * self.done // self.goal

    @property
    def is_drawn(self) -> bool:
        """Whether its sign is a drawing, and not a number."""
        return not self.sign[0].isdigit()


def note(player_id: int, day: date, fresh: Sequence[CountedHand]) -> None:
    """Write down what these hands of one day have brought; existing rows stay."""
    had = set(Achievement.objects.filter(player=player_id).values_list("name", flat=True))
    if had >= KINDS.keys():
        return
    record = Record(
        player_id,
        day,
        fresh,
        DayPlayed.objects.filter(player=player_id).aggregate(all=Sum("hands"))["all"] or 0,
        GamePlayed.objects.filter(player=player_id).count(),
    )
    reached = [name for name in KINDS if name not in had and KINDS[name].is_reached(record)]
    Achievement.objects.bulk_create(
        [
            Achievement(player_id=player_id, name=name, hand=_hand(name, fresh), day=day)
            for name in reached
        ],
        ignore_conflicts=True,
    )


def _hand(name: str, fresh: Sequence[CountedHand]) -> int:
    """The hand that did it: the one with the feat, or the last."""
    return next((hand.hand for hand in fresh if name in hand.feats), fresh[-1].hand)


def shown(player_id: int, streak: weeks.Streak | None = None) -> list[Shown]:
    """All there are, those of the player with their day; with a streak, how far others are."""
    had = dict(Achievement.objects.filter(player=player_id).values_list("name", "day"))
    counted = _counted(player_id, streak) if streak else {}
    return [
        Shown(
            str(kind.title),
            str(kind.words),
            had.get(name),
            kind.sign,
            kind.metal,
            kind.cloth,
            min(kind.goal, counted.get(kind.counts, 0)),
            kind.goal,
        )
        for name, kind in KINDS.items()
    ]


def _counted(player_id: int, streak: weeks.Streak) -> dict[str, int]:
    hands = DayPlayed.objects.filter(player=player_id).aggregate(all=Sum("hands"))["all"] or 0
    games = GamePlayed.objects.filter(player=player_id).count()
    return {"hands": hands, "games": games, "longest": streak.longest, "days": streak.days}
