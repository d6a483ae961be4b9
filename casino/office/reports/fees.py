"""The fees of tournaments: what entrants paid the house, less what it gave back, by the ledger.

A fee belongs to the game of its event and to its entrant, and to no table or profile.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from casino.office.reports.columns import By
from casino.office.reports.grants import number_in
from casino.office.reports.grouping import Group, group_of
from casino.office.reports.people import bots
from casino.office.reports.sums import Place
from tournaments.models import Tournament
from wallets.models import Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.values.days import day_of


class Fees(NamedTuple):
    """The fees of a group, from people and from the house's bots."""

    people: int = 0
    bots: int = 0

    @property
    def whole(self) -> int:
        return self.people + self.bots


class FeeLine(NamedTuple):
    place: Place
    player: int
    is_bot: bool
    amount: int


def fee_entries(since: datetime, until: datetime) -> QuerySet[Entry]:
    return Entry.objects.filter(
        account__kind=Account.Kind.FEE, transaction__time__gte=since, transaction__time__lt=until
    ).exclude(account__currency__kind=Currency.Kind.CHIPS)


def of_game(entries: QuerySet[Entry], game: str) -> QuerySet[Entry]:
    numbers = Tournament.objects.filter(game=game)
    return entries.filter(account__owner__in=[one.reference for one in numbers.only("pk")])


def of_player(entries: QuerySet[Entry], player: int) -> QuerySet[Entry]:
    """The fees that moved together with money of a player's wallet."""
    return entries.filter(Exists(_wallet_lines().filter(account__owner=player_reference(player))))


def fee_lines(since: datetime, until: datetime) -> Iterator[FeeLine]:
    of_the_house = bots()
    payer = Subquery(_wallet_lines().values("account__owner")[:1])
    rows = fee_entries(since, until).annotate(payer=payer).order_by("pk")
    columns = ("transaction__time", "account__owner", "account__currency_id", "payer", "amount")
    lines = list(rows.values_list(*columns))
    events = Tournament.objects.in_bulk({number_in(owner) for _at, owner, *_rest in lines})
    for at, owner, currency, of_player, amount in lines:
        event, player = events[number_in(owner)], number_in(of_player or "")
        place = Place(day_of(at), 0, "", event.game, currency)
        yield FeeLine(place, player, player in of_the_house, amount)


def fees(since: datetime, until: datetime, by: By) -> dict[Group, Fees]:
    """The fees by group; those of tables and profiles have a group by game alone."""
    found: dict[Group, Fees] = {}
    for line in fee_lines(since, until):
        group = group_of(line.place, by, line.player)
        people, others = found.get(group, Fees())
        if line.is_bot:
            found[group] = Fees(people, others + line.amount)
        else:
            found[group] = Fees(people + line.amount, others)
    return found


def _wallet_lines() -> QuerySet[Entry]:
    return Entry.objects.filter(
        transaction=OuterRef("transaction"), account__kind=Account.Kind.PLAYER
    )
