"""Who earns: neither bots nor staff, guests, excluded players, nor the second account of a person.

What is found is written down with its time, because it changes: the audit asks what was known when
a fact was taken. The house pays players on a break what they had earned before it, so that no
player has a reason to put one off; it pays a closed account, or a second one, nothing more.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Q

from casino.accounts.models import Player
from casino.care.models import Exclusion
from casino.community.promotions.models import EarnerChange
from casino.office.players.models import Check

# The model of traces, in a house that keeps them.
TRACES: Final[list[Any]] = []
SECOND: Final = "second_account"
EXCLUDED: Final = "excluded"
ALWAYS: Final = datetime.min.replace(tzinfo=UTC)


def why_not(players: Iterable[int], now: datetime) -> dict[int, str]:
    """The players among these who earn nothing, and why."""
    numbers = sorted(set(players))
    reasons: dict[int, str] = {}
    rows = list(Player.objects.filter(pk__in=numbers))
    for player in rows:
        if player.is_bot or player.is_staff or player.is_guest or not player.is_active:
            reasons[player.pk] = "staff" if player.is_staff else "no_player"
    excluded = Exclusion.objects.filter(
        Q(until=None) | Q(until__gt=now), player__in=numbers, begins_at__lte=now
    )
    for number in _second_accounts(rows):
        reasons.setdefault(number, SECOND)
    for number in excluded.values_list("player", flat=True):
        reasons.setdefault(number, EXCLUDED)
    return reasons


def _second_accounts(players: Iterable[Player]) -> set[int]:
    """Those who share the address of their sign-up, or a device, with an older account.

    Guests of a club share its network: whose identity staff have checked is a person of their own.
    """
    second_accounts = set()
    by_origin = defaultdict(list)
    for player in players:
        if player.signed_up_from:
            by_origin[player.signed_up_from].append(player.pk)
    older = Player.objects.filter(signed_up_from__in=by_origin, is_bot=False, is_guest=False)
    for origin, number in older.values_list("signed_up_from", "pk"):
        second_accounts |= {younger for younger in by_origin[origin] if younger > number}
    numbers = [player.pk for player in players]
    for traces in TRACES:
        mine = traces.objects.filter(kind="sat", player__in=numbers).exclude(device="")
        devices = defaultdict(set)
        for device, number in mine.values_list("device", "player").distinct():
            devices[device].add(number)
        others = traces.objects.filter(kind="sat", device__in=devices, player__is_bot=False)
        for device, number in others.values_list("device", "player").distinct():
            second_accounts |= {younger for younger in devices[device] if younger > number}
    checked = Check.objects.filter(player__in=second_accounts, what=Check.What.IDENTITY)
    return second_accounts - set(checked.values_list("player", flat=True))


class Earners:
    """What is known of some players, or of all, at any time."""

    def __init__(self, players: Iterable[int] | None = None) -> None:
        rows = EarnerChange.objects.order_by("since")
        if players is not None:
            rows = rows.filter(player__in=set(players))
        # Why a player earns nothing from a time on; no reason is one to earn.
        self._changes: defaultdict[int, list[tuple[datetime, str]]] = defaultdict(list)
        self._asked: set[int] = set()
        for player, since, why in rows.values_list("player", "since", "why"):
            self._changes[player].append((since, why))

    def may_earn(self, player: int, at: datetime) -> bool:
        """Whether a fact of that time counts."""
        return not self._reason(player, at)

    def may_be_paid(self, player: int, at: datetime) -> bool:
        """Whether a player gets at that time what was earned before."""
        return self._reason(player, at) in ("", EXCLUDED)

    def _reason(self, player: int, at: datetime) -> str:
        """What was known at a time; changes count for what happens after them."""
        known = ""
        for since, why in self._changes.get(player, ()):
            if since < at:
                known = why
        return known

    def assume(self, players: Iterable[int], now: datetime) -> None:
        """Take it that those of whom nothing was written down have always been as they are now."""
        unknown = set(players) - self._asked - self._changes.keys()
        for player, why in why_not(unknown, now).items():
            self._changes[player].append((ALWAYS, why))
        self._asked |= unknown

    def learn(self, players: Iterable[int], since: datetime, now: datetime) -> None:
        """Write down whose standing has changed."""
        numbers = sorted(set(players))
        barred = why_not(numbers, now)
        for number in numbers:
            changes = self._changes.get(number)
            why = barred.get(number, "")
            if why != (changes[-1][1] if changes else ""):
                self._changes[number].append((since, why))
                EarnerChange.objects.update_or_create(
                    player_id=number, since=since, defaults={"why": why}
                )
