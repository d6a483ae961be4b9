"""The words of tournaments: kinds, what a level is played for, how long and how often."""

from typing import Final

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import number_format, time_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from games.words import naming
from tournaments.mathematics.structure import Level, Structure, game_of, stakes_of
from tournaments.models import Schedule, Tournament
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.days import in_house_zone

KIND_NAMES: Final[dict[str, Promise]] = {
    "sit_and_go": _l("Sit-and-go"),
    "freeze_out": _l("Freeze-out"),
    "knock_out": _l("Knock-out"),
    "duplicate": _l("Duplicate"),
}
KINDS: Final = list(KIND_NAMES.items())


def kind_name(kind: str) -> str:
    return str(KIND_NAMES.get(kind, kind))


def chips(amount: int) -> str:
    """A number of chips in the reader's language."""
    return str(number_format(amount, force_grouping=True))


def stakes_in_words(structure: Structure, level: Level) -> str:
    if words := naming.stakes_in_words(game_of(structure, stakes_of(level)), chips):
        return words
    if level.point is not None:
        return _("{chips} a point").format(chips=chips(level.point))
    return _("bets {least} to {most}").format(
        least=chips(level.bet_min or 0), most=chips(level.bet_max or 0)
    )


def stakes_in_short(level: Level) -> str:
    """The same as a figure."""
    if level.point is not None:
        return chips(level.point)
    return f"{chips(level.bet_min or 0)}–{chips(level.bet_max or 0)}"


def lasts_in_words(level: Level, is_last: bool) -> str:
    if is_last:
        return _("to the end")
    if level.hands is not None:
        return ngettext("{hands} hand", "{hands} hands", level.hands).format(hands=level.hands)
    return duration(level.seconds or 0)


def duration(seconds: int) -> str:
    """A length of time, rounded to what one wants to know of it."""
    minutes = round(seconds / 60)
    if seconds < 120 and seconds % 60:
        return _("{seconds} s").format(seconds=seconds)
    if minutes < 100:
        return _("{minutes} min").format(minutes=minutes)
    hours, minutes = divmod(minutes, 60)
    return _("{hours} h {minutes} min").format(hours=hours, minutes=minutes)


def entry_in_words(structure: Structure, currency: Currency) -> str:
    """The price of an entry: the stake and the fee, or nothing."""
    if not structure.stake + structure.fee:
        return _("free")
    parts = [show_amount(structure.stake, currency)]
    if structure.fee:
        parts.append(show_amount(structure.fee, currency))
    return f"{' + '.join(parts)} {currency.unit}"


def state_in_words(tournament: Tournament) -> str:
    """Describe the state of an event in a word or two."""
    if tournament.state == Tournament.State.RUNNING:
        if tournament.paused_at is not None:
            return _("paused")
        if tournament.on_break:
            return _("break")
        if tournament.final_table:
            return _("final table")
        return _("running")
    return str(tournament.get_state_display())


def seat_letter(seat: int) -> str:
    """Name the group of players with the same cards: A is seat 1 at every table."""
    return chr(ord("A") + seat - 1)


HOUR = 3_600
DAY = 24 * HOUR
ALL_WEEK = 0b1111111


def repetition(schedule: Schedule) -> str:
    """When the events of a schedule start, such as "Mon, Wed at 19:30"."""
    if schedule.kind == Schedule.Kind.ALWAYS_OPEN:
        return _("whenever one has started")
    if schedule.weekdays and schedule.house_time is not None:
        return _("{days} at {time}").format(
            days=days_in_words(schedule.weekdays), time=time_format(schedule.house_time, "H:i")
        )
    every = schedule.every_seconds
    if every % DAY == 0 and schedule.next_at is not None:
        days = every // DAY
        said = ngettext("every day at {time}", "every {days} days at {time}", days)
        time = time_format(in_house_zone(schedule.next_at).time(), "H:i")
        return said.format(days=days, time=time)
    hours = every // HOUR
    if every % HOUR == 0:
        return ngettext("every hour", "every {hours} hours", hours).format(hours=hours)
    return _("every {minutes} minutes").format(minutes=round(every / 60))


def days_in_words(weekdays: int) -> str:
    """Days of the week, from Monday on."""
    if weekdays == ALL_WEEK:
        return _("every day")
    chosen = [day for day in range(7) if weekdays >> day & 1]
    return ", ".join(str(WEEKDAYS_ABBR[day]) for day in chosen)
