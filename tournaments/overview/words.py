"""The words of tournaments: kinds, what a level is played for, how long things last."""

from typing import Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from games.words import naming
from tournaments.mathematics.structure import Level, Structure, game_of, stakes_of
from tournaments.models import Tournament
from wallets.models import Currency
from wallets.values.amounts import show_amount

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
