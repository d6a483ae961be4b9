"""Finding a seat: the public tables, and the best seat for a player.

All tables are read together, however many there are. A seat that was found may be gone a moment
later: then the next best is tried, and when all are gone an overflow table is opened
(`overflow_tables`).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_noop as _n

from games.lobby import overflow_tables
from games.models import HandSeat, Seat, Table
from games.rules.catalogue import against_house
from games.tables import admission, seating
from games.tables.autoplay import has_left
from games.tables.formats import listed_tables
from games.tables.hand_state import game_from
from games.tables.play_money import within_reach
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Player
from wallets.values.registry import Registry

# Of these players, those beside whom the player of this number should not sit.
Rule = Callable[[int, Collection[int]], set[int]]

RULES: Final = Registry[Rule]("rule of company")


def avoided_by(player_id: int, others: Collection[int]) -> set[int]:
    """Of these players, those beside whom this one should not sit; one query a rule, or none."""
    avoided: set[int] = set()
    if others:
        for rule in RULES.values():
            avoided |= rule(player_id, others)
    return avoided


# How play begins for a player who sits down: at once, when bots have come, or with other people.
Beginning = Literal["now", "bots", "people"]
BEGINNINGS: Final[tuple[Beginning, ...]] = ("now", "bots", "people")
# Why a free seat may be refused a moment later: another player was quicker, or the table is
# closing.
LOST: Final = frozenset(("seat_taken", "seat_kept", "table_closed"))
# The promises of a place. Against the house a round is short, and one joins it at the next.
AT_ONCE: Final = 0
A_BOTS_SEAT: Final = 1
AFTER_THE_HAND: Final = 2
A_BOTS_SEAT_AFTER_THE_HAND: Final = 3
WITH_PEOPLE: Final = 4
# How often a player is tried at further tables while others are quicker there.
TRIES: Final = 50


class NoSeat(Refused):
    """People have taken every seat."""


# Company at a table: people who are there, a table where something is going on, an empty one.
PEOPLE: Final = 0
BOTS_OR_ROADS: Final = 1
NOBODY: Final = 2
# A table with people comes first unless it costs more than so many times as much as the cheapest.
DEARER_MAX: Final = 2


class Place(NamedTuple):
    """A seat to take, in the order of preference: with people, then soonest, then the cheapest.

    A table with an opponent whom the player should not meet comes last, before it one that plays
    for a player who has left, and before that one where play cannot begin after this hand.
    """

    avoided: bool
    held_up: bool
    # 0 where play begins after this hand at the latest.
    waits: int
    company: int
    promise: int
    buy_in: int
    table_id: int
    number: int


def tables_to_show() -> QuerySet[Table]:
    tables = Table.objects.filter(listed_tables(), private=False).exclude(
        status=Table.Status.CLOSED
    )
    return tables.select_related("currency").order_by("game", "buy_in_min", "name")


def find_seat(
    player: Player,
    tables: Iterable[Table],
    now: datetime,
    invitation: str = "",
    *,
    waits: bool = True,
) -> Seat:
    """Take the best seat, for the minimum buy-in: with people, and where play begins soon.

    A player who sits at one of these tables keeps that seat, and sits in again. Where only bots in
    a hand can make room, one of their seats is reserved, and the answer is the bot's seat. That and
    tables held up by a player who has left are the last choice, or none for one who never `waits`.
    """
    admission.require(admission.Request(admission.Occasion.SIT, player, now))
    open_tables = {table.pk: table for table in tables if table.status == Table.Status.OPEN}
    seats = _seats(open_tables)
    here = next(
        (seat for seat in seats if player.pk in (seat.player_id, seat.reserved_for_id)), None
    )
    if here is not None:
        if here.player_id == player.pk and here.sits_out:
            return seating.change(player, here.table_id, now, sits_out=False)
        return here
    within_reach = _affordable(player, open_tables)
    avoided = _avoided(player, seats)
    for place in sorted(_places(within_reach, seats, avoided, now)):
        if not waits and (place.held_up or place.promise == A_BOTS_SEAT_AFTER_THE_HAND):
            break
        try:
            return seating.sit(player, place.table_id, place.number, place.buy_in, now, invitation)
        except Refused as refused:
            if refused.code == "one_seat":
                # The player's own other click was quicker.
                return Seat.objects.get(
                    table=place.table_id, player=player.pk, left_at__isnull=True
                )
            if refused.code not in LOST:
                raise
    if open_tables and not within_reach:
        # A rule against all of these tables says more than an empty wallet.
        cheapest = min(open_tables.values(), key=lambda table: table.buy_in_min)
        admission.require(admission.Request(admission.Occasion.SIT, player, now, cheapest))
        raise Refused(
            "wallet_short",
            _n("Your wallet has less than {least}, the smallest buy-in."),
            least=show_amount(cheapest.buy_in_min, cheapest.currency),
        )
    raise NoSeat("no_seat", _n("No table of this game has a free seat just now."))


def find_or_open(player: Player, tables: Sequence[Table], now: datetime) -> Seat:
    """A seat at one of these tables or, where people have taken them all, at one like them.

    A new table also comes before one where the player would wait for an absent one, or for a bot to
    end its hand.
    """
    try:
        return find_seat(player, tables, now, waits=False)
    except NoSeat:
        models = [table for table in tables if table.overflow_max and table.overflow_of_id is None]
        for model in sorted(models, key=lambda table: table.buy_in_min):
            for _ in range(TRIES):
                overflow = overflow_tables.with_free_seat(model.pk, now)
                if overflow is None:
                    break
                with suppress(NoSeat):
                    return find_seat(player, [overflow], now, waits=False)
        return find_seat(player, tables, now)


def _affordable(player: Player, tables: dict[int, Table]) -> dict[int, Table]:
    """The tables whose smallest buy-in the player holds, or will after the house's welcome."""
    currencies = {
        table.currency_id: table.currency
        for table in tables.values()
        if not table.currency.is_chips
    }
    wallets = {code: within_reach(player, currency) for code, currency in currencies.items()}
    return {
        key: table
        for key, table in tables.items()
        # The organiser of the table gives the chips, not a wallet.
        if table.currency.is_chips or wallets[table.currency_id] >= table.buy_in_min
    }


def _seats(tables: Iterable[int]) -> list[Seat]:
    """The taken seats of these tables, and whether each is in the live hand, in one query."""
    dealt = HandSeat.objects.filter(hand=OuterRef("table__hand"), seat=OuterRef("pk"))
    seats = Seat.objects.filter(table__in=tables, left_at__isnull=True)
    return list(seats.select_related("player").annotate(plays=Exists(dealt)))


def _avoided(player: Player, seats: Iterable[Seat]) -> set[int]:
    """The tables with a present or coming opponent whom the player should not meet."""
    tables: dict[int, set[int]] = defaultdict(set)
    for seat in seats:
        if not seat.player.is_bot:
            tables[seat.player_id].add(seat.table_id)
        if seat.reserved_for_id is not None:
            tables[seat.reserved_for_id].add(seat.table_id)
    avoided = avoided_by(player.pk, tables)
    return {table for other in avoided for table in tables[other]}


def _places(
    tables: dict[int, Table], seats: Iterable[Seat], avoided: set[int], now: datetime
) -> Iterator[Place]:
    seated = defaultdict(list)
    for seat in seats:
        seated[seat.table_id].append(seat)
    cheapest = min((table.buy_in_min for table in tables.values()), default=0)
    for table in tables.values():
        company = _company(table, seated[table.pk], now)
        if table.buy_in_min > DEARER_MAX * cheapest:
            company = NOBODY
        yield from _places_at(table, seated[table.pk], table.pk in avoided, company, now)


def _company(table: Table, seats: Sequence[Seat], now: datetime) -> int:
    if any(not (seat.player.is_bot or seat.sits_out or has_left(seat, now)) for seat in seats):
        return PEOPLE
    return BOTS_OR_ROADS if seats or table.hands_dealt else NOBODY


def begins(table: Table, seats: Sequence[Seat], now: datetime) -> Beginning:
    """Return how play begins for one more player; those who sit out or have left are no company."""
    least = game_from(table.game, table.options).seats[0]
    gone = [seat for seat in seats if has_left(seat, now)]
    with_me = sum(not (seat.sits_out or seat in gone) for seat in seats) + 1
    if with_me >= least:
        return "now"
    bots = sum(seat.player.is_bot for seat in seats)
    # Bots come where a person waits, as far as the table allows them and has seats; a player who
    # has left gives up a seat that is in the way.
    to_come = min(table.bots_max - bots, table.places - len(seats) + len(gone) - 1)
    return "bots" if with_me + max(0, to_come) >= least else "people"


def _places_at(
    table: Table, seats: Sequence[Any], avoided: bool, company: int, now: datetime
) -> Iterator[Place]:
    taken: dict[int, Any] = {seat.number: seat for seat in seats}
    soon = begins(table, seats, now) != "people"
    held_up = any(seat.plays and has_left(seat, now) for seat in seats)
    running = not against_house(table.game) and any(seat.plays for seat in seats)
    for number in range(1, table.places + 1):
        seat = taken.get(number)
        if seat is None:
            promise = AFTER_THE_HAND if running else AT_ONCE if soon else WITH_PEOPLE
        elif seat.player.is_bot and not seating.is_reserved(table, seat, now):
            promise = A_BOTS_SEAT_AFTER_THE_HAND if seat.plays else A_BOTS_SEAT
        else:
            continue
        waits = max(promise - AFTER_THE_HAND, 0)
        yield Place(avoided, held_up, waits, company, promise, table.buy_in_min, table.pk, number)
