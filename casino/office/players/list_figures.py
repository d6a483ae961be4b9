"""What the list of players says of those on one page: balance, last seen, net result, flags.

Each figure is one statement for the whole page; the sums of closed days make the net result.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Max, Sum

from casino.accounts.models import AccessToken, Device, Player
from casino.office.players.models import Flag
from games.models import DayResult, Hand, HandSeat
from games.records import day_index
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.values.amounts import show_amount, show_signed
from wallets.values.days import day_of, start_of

DAYS: Final = 30


class ListFigures:
    """The figures of the players on one page of the list."""

    def __init__(self, players: Collection[Player], now: datetime) -> None:
        self._players, self._now = players, now
        self._numbers = [one.pk for one in players]
        self._currencies = Currency.objects.in_bulk()

    def balances(self) -> dict[int, str]:
        """Wallets with money in them; tournament chips are in none."""
        owners = {player_reference(number): number for number in self._numbers}
        held = Account.objects.filter(kind=Account.Kind.PLAYER, owner__in=owners, balance__gt=0)
        rows = held.values_list("owner", "currency_id", "balance")
        return self._in_words(
            (owners[owner], code, show_amount(amount, self._currencies[code], is_exact=True))
            for owner, code, amount in rows.order_by("currency_id")
        )

    def last_seen(self) -> dict[int, datetime]:
        """The last request of a browser or a program, else the last sign-in."""
        found = {one.pk: one.last_login for one in self._players if one.last_login}
        model: Any
        for model in (Device, AccessToken):
            seen = model.objects.filter(player__in=self._numbers).order_by().values("player")
            for number, at in seen.annotate(at=Max("seen_at")).values_list("player", "at"):
                if at is not None and (number not in found or found[number] < at):
                    found[number] = at
        return found

    def net(self) -> dict[int, str]:
        """What the hands of the last days brought, after rake."""
        since = day_of(self._now) - timedelta(days=DAYS)
        opened = day_index.open_since()
        sums: dict[tuple[int, str], int] = defaultdict(int)
        closed = DayResult.objects.filter(player__in=self._numbers, on__gte=since).order_by()
        hands = HandSeat.objects.filter(
            player__in=self._numbers,
            status=Hand.Status.FINISHED,
            ended_at__gte=start_of(max(since, opened or since)),
        ).order_by()
        for rows, net in ((closed, day_index.NET[""]), (hands, "net")):
            by_player = rows.values("player", "currency").annotate(sum=Sum(net))
            for number, code, amount in by_player.values_list("player", "currency", "sum"):
                sums[number, code] += amount or 0
        return self._in_words(
            (number, code, show_signed(amount, self._currencies[code], is_exact=True))
            for (number, code), amount in sorted(sums.items())
            if amount and not self._currencies[code].is_chips
        )

    def flags(self) -> dict[int, str]:
        """The flags that are up, in words."""
        found: dict[int, list[str]] = defaultdict(list)
        for flag in Flag.objects.filter(player__in=self._numbers, lowered_at=None).order_by("pk"):
            found[flag.player_id].append(flag.get_kind_display())
        return {number: ", ".join(words) for number, words in found.items()}

    def _in_words(self, amounts: Iterable[tuple[int, str, str]]) -> dict[int, str]:
        found: dict[int, list[str]] = defaultdict(list)
        for number, code, amount in amounts:
            found[number].append(f"{amount} {self._currencies[code].unit}")
        return {number: " · ".join(words) for number, words in found.items()}
