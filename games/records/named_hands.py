"""Hands by the names that people use: a code, a table, a player, a day, or the hand's number."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import CommandError
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Hand, HandSeat
from games.records.search import by_code
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.errors import Refused

DIGITS_MAX: Final = 18
NAMES: Final = "a hand's code or number, a table such as T3, a player's name, or a day"
# Days that are named by their distance from today.
SAID: Final = {"today": 0, "yesterday": 1}


def read_day(text: str, today: date) -> date | None:
    """`2026-11-23`, `today` or `yesterday`, in UTC; nothing if it is no day."""
    if text in SAID:
        return today - ONE_DAY * SAID[text]
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def chosen(hands: QuerySet[Hand], options: Mapping[str, Any]) -> QuerySet[Hand]:
    """The hands of a command: those of its names, behind the hand of `--after`."""
    try:
        if options["after"]:
            hands = hands.filter(pk__gt=hand_named(str(options["after"])))
        if options["hands"]:
            hands = hands_named(hands, options["hands"], timezone.now())
    except Refused as refusal:
        raise CommandError(refusal.sentence) from None
    return hands


def hands_named(hands: QuerySet[Hand], names: Iterable[str], now: datetime) -> QuerySet[Hand]:
    """The hands with these names; an unknown name is refused."""
    wanted = Q(pk__in=())
    for name in names:
        wanted |= _named(name.strip(), now)
    return hands.filter(wanted)


def hand_named(name: str) -> int:
    """The number of one hand, by its code or by that number."""
    name = name.strip()
    hands = by_code(Hand.objects.all(), name) if "-" in name else _of_number(name)
    number = hands.values_list("pk", flat=True).first()
    if number is None:
        raise Refused("no_such_hand", _("There is no hand {name}."), name=name[:40])
    return int(number)


def _of_number(name: str) -> QuerySet[Hand]:
    if not (name.isascii() and name.isdecimal()) or len(name) > DIGITS_MAX:
        return Hand.objects.none()
    return Hand.objects.filter(pk=int(name))


def _named(name: str, now: datetime) -> Q:
    if name.isascii() and name.isdecimal() and len(name) <= DIGITS_MAX:
        return Q(pk=int(name))
    day = read_day(name, day_of(now))
    if day is not None:
        return Q(ended_at__gte=start_of(day), ended_at__lt=start_of(day + ONE_DAY))
    coded = by_code(Hand.objects.all(), name)
    if coded.exists():
        return Q(pk__in=coded.values("pk"))
    try:
        player = get_user_model()._default_manager.get_by_natural_key(name)
    except ObjectDoesNotExist:
        raise Refused(
            "no_such_name",
            _("{name} is no hand, table, player or day. A day is written as 2026-11-23."),
            name=name[:40],
        ) from None
    return Q(pk__in=HandSeat.objects.filter(player=player.pk).values("hand"))
