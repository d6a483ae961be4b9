"""A segment in words, for the page of a message and for who approves it."""

from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _t
from django.utils.translation import ngettext

from casino.community.messages import segments
from casino.community.messages.models import Message
from casino.community.messages.segments import Segment
from games.words.naming import game_name
from tournaments.models import Tournament
from wallets.models import Currency
from wallets.staff.permitted import money


class Line(NamedTuple):
    label: str
    text: str


def lines(message: Message) -> list[Line]:
    """The filters of a message's segment, or one line if it has none."""
    lines = list(_lines(segments.read(message.segment)))
    return lines or [Line(_t("For"), _t("everybody whom the house may write to"))]


def _lines(segment: Segment) -> Iterator[Line]:
    if segment.games:
        names = ", ".join(str(game_name(game)) for game in segment.games)
        yield Line(_t("Played lately"), names)
    if segment.away_min is not None:
        yield Line(_t("Last visit at least"), _days(segment.away_min))
    if segment.away_max is not None:
        yield Line(_t("Last visit at most"), _days(segment.away_max))
    if segment.level_min and segments.LEVELS:
        yield Line(_t("Level from"), str(segments.LEVELS[0].names()[segment.level_min]))
    if segment.currency:
        yield from _of_play(segment)
    if segment.languages:
        spoken = [str(name) for code, name in settings.LANGUAGES if code in segment.languages]
        yield Line(_t("Language"), ", ".join(spoken))
    if segment.event is not None:
        event = Tournament.objects.filter(pk=segment.event).first()
        yield Line(_t("Entered"), event.title if event else "–")


def _of_play(segment: Segment) -> Iterator[Line]:
    currency = Currency.objects.filter(pk=segment.currency).first()
    if currency is None:
        return
    if segment.stakes_min is not None:
        yield Line(_t("Average bet at least"), money(segment.stakes_min, currency))
    if segment.stakes_max is not None:
        yield Line(_t("Average bet at most"), money(segment.stakes_max, currency))
    results = {"won": _t("won in the last 30 days"), "lost": _t("lost in the last 30 days")}
    if segment.result:
        yield Line(_t("Result"), f"{results[segment.result]}, {currency.code}")


def _days(days: int) -> str:
    return ngettext("{days} day ago", "{days} days ago", days).format(days=days)
