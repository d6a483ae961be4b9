"""Facts from finished hands and deposits, in the order of time.

Hands count at cash tables that are open to all: friends at a private table would only play for the
reward. A hand that is reversed later counts when it ends, and is taken back when it is reversed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from casino.community.feats import feats_of
from casino.community.promotions.models import Invitation, PromotionAward
from casino.community.promotions.rules.engine import Event, Reversal
from casino.community.promotions.rules.facts import DepositFact, ForfeitFact, HandFact
from casino.community.promotions.rules.kinds import Window
from casino.community.promotions.rules.levels import kept_of
from casino.office.reports.counting import HANDS, bets_placed
from games.models import Hand, HandSeat
from games.records.audit_rows import chunks
from games.rules.catalogue import against_house
from games.rules.doudizhu.ranks import RANK_NAMES
from games.tables.formats import tables_of_operators
from wallets.models import Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.values.days import day_of, day_on_the_wall, end_of, house_zone

# Bets on both sides of a round cover one another.
OPPOSED: Final = frozenset({"player", "banker"})
# How high a rocket is; a bomb is as high as its rank, and a natural as its points.
ROCKET: Final = 100
_COLUMNS: Final = ("pk", "ended_at", "reversed_at", "game", "table__currency_id")
_ONE_HOUR: Final = timedelta(hours=1)
_ONE_WEEK: Final = timedelta(days=6)


class _Settled(msgspec.Struct):
    """What facts need of a settlement: it is read from its text, as most of it is not needed."""

    transfers: tuple[msgspec.Raw, ...] = ()
    lines: tuple[dict[str, Any], ...] = ()


_SETTLED: Final = msgspec.json.Decoder(_Settled)


class _Played(NamedTuple):
    """A hand that counts."""

    number: int
    at: datetime
    on_the_wall: datetime
    game: str
    currency: str
    settled: _Settled
    # The number, player, net and rake of each person.
    seats: list[tuple[int, int, int, int]]
    # What each seat has placed on which bet.
    bets: Mapping[int, Mapping[str, int]]


class HouseCalendar:
    """The days of the house, and when windows end by them."""

    def ends(self, window: Window, name: str) -> datetime:
        if window == "hour":
            return datetime.fromisoformat(f"{name}:00+00:00") + _ONE_HOUR
        day = date.fromisoformat(name)
        return end_of(day + _ONE_WEEK if window == "week" else day)

    def day_of(self, moment: datetime) -> date:
        return day_of(moment)


def events(since: datetime, until: datetime) -> list[Event]:
    """Everything that happened after a moment, up to and with another one."""
    ended = _counted().filter(ended_at__gt=since, ended_at__lte=until)
    taken_back = _counted().filter(reversed_at__gt=since, reversed_at__lte=until)
    events: list[tuple[datetime, int, int, int, Event]] = [
        (fact.at, 1, fact.hand, fact.player, fact) for fact, _back in _hand_facts(ended)
    ]
    for fact, back in _hand_facts(taken_back):
        assert back is not None, "it was found by that"
        events.append((back, 3, fact.hand, fact.player, Reversal(fact, back)))
    events += [
        (deposit.at, 0, deposit.posting, deposit.player, deposit)
        for deposit in deposits(since, until)
    ]
    forfeits = PromotionAward.objects.filter(forfeited_at__gt=since, forfeited_at__lte=until)
    for award in forfeits:
        assert award.forfeited_at is not None, "it was found by that"
        given_up = ForfeitFact(award.player_id, award.version_id, award.fact, award.forfeited_at)
        events.append((given_up.at, 2, award.pk, award.player_id, given_up))
    return [event for *_order, event in sorted(events, key=itemgetter(0, 1, 2, 3))]


def next_until(since: datetime, until: datetime, hands: int) -> datetime:
    """The end of the next portion, which has about so many hands."""
    later = _counted().filter(ended_at__gt=since, ended_at__lte=until).order_by("ended_at", "pk")
    last = later.values_list("ended_at", flat=True)[hands - 1 : hands].first()
    return last or until


def _counted() -> QuerySet[Hand]:
    stood = Q(status=Hand.Status.FINISHED) | Q(reversed_at__isnull=False)
    return Hand.objects.filter(tables_of_operators("table__"), stood, table__private=False)


def _hand_facts(hands: QuerySet[Hand]) -> Iterator[tuple[HandFact, datetime | None]]:
    """The facts of hands, and when each hand was reversed."""
    rows = Invitation.objects.values_list("friend", "inviter", "at")
    invited = {friend: (inviter, at) for friend, inviter, at in rows}
    zone = house_zone()
    money = hands.filter(ended_at__isnull=False).exclude(table__currency__kind=Currency.Kind.CHIPS)
    columns = money.order_by("pk").values_list(*_COLUMNS, Cast("settlement", TextField()))
    for chunk in chunks(columns.iterator(chunk_size=HANDS), HANDS):
        seats, bets = _seats([row[0] for row in chunk]), _bets({row[0]: row[3] for row in chunk})
        for number, at, back, game, currency, settlement in chunk:
            settled = _SETTLED.decode(settlement) if settlement else _Settled()
            on_the_wall = at.astimezone(zone)
            of_hand = (game, currency, settled, seats[number], bets[number])
            played = _Played(number, at, on_the_wall, *of_hand)
            for fact in _facts_of(played):
                inviter, since = invited.get(fact.player, (0, at))
                yield (fact._replace(inviter=inviter) if since < at else fact), back


def _seats(hands: list[int]) -> dict[int, list[tuple[int, int, int, int]]]:
    """The seats of people by hand: number, player, net and rake."""
    seats: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    rows = HandSeat.objects.filter(hand__in=hands, player__is_bot=False)
    for row in rows.values_list("hand_id", "number", "player_id", "net", "rake"):
        seats[row[0]].append(row[1:])
    return seats


def _bets(games: Mapping[int, str]) -> dict[int, dict[int, dict[str, int]]]:
    """By hand, seat and bet: what was placed."""
    bets: dict[int, dict[int, dict[str, int]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(int))
    )
    for hand, seat, bet, amount in bets_placed(games):
        bets[hand][seat][bet] += amount
    return bets


def _facts_of(hand: _Played) -> Iterator[HandFact]:
    """One for each person who had a stake; in a hand without a call, no player has one."""
    is_house_game, lines = against_house(hand.game), hand.settled.lines
    if not is_house_game and not (hand.settled.transfers or lines):
        return
    day, hour = day_on_the_wall(hand.on_the_wall), hand.on_the_wall.hour
    for seat, player, net, rake in hand.seats:
        placed = hand.bets.get(seat, {}) if is_house_game else {}
        bet = sum(placed.values()) if is_house_game else max(net + rake, 0)
        if is_house_game and not bet:
            continue
        yield HandFact(
            player=player,
            hand=hand.number,
            at=hand.at,
            day=day,
            hour=hour,
            game=hand.game,
            currency=hand.currency,
            net=net,
            rake=rake,
            bet=bet,
            wagered=_uncovered(placed),
            kept=kept_of(hand.game, sum(placed.values()), rake),
            feats=feats_of({"lines": lines}, seat, won=net > 0),
            high=highest(lines, seat) if net > 0 else 0,
        )


def _uncovered(placed: Mapping[str, int]) -> int:
    """The bets of a round that do not cover one another."""
    if placed.keys() >= OPPOSED:
        placed = {bet: amount for bet, amount in placed.items() if bet not in OPPOSED}
    return sum(placed.values())


def highest(lines: Iterable[Mapping[str, Any]], seat: int) -> int:
    """How high the best combination of a seat is; 0 without one."""
    high = 0
    for line in lines:
        key, values = line["key"], line.get("values", {})
        if key == "rocket" and values.get("seat") == seat:
            high = max(high, ROCKET)
        elif key == "bomb" and values.get("seat") == seat:
            high = max(high, 1 + RANK_NAMES.index(values["rank"]))
        elif key == "natural" and line["target"] == seat:
            high = max(high, int(values.get("points", 1)))
    return high


def deposits(since: datetime, until: datetime, player: int = 0) -> Iterator[DepositFact]:
    """The deposits of all players, or of one."""
    wallets = Entry.objects.filter(
        transaction__kind="deposit", account__kind=Account.Kind.PLAYER, amount__gt=0
    )
    within = wallets.filter(transaction__time__gt=since, transaction__time__lte=until)
    if player:
        within = within.filter(account__owner=player_reference(player))
    for entry in within.select_related("transaction", "account").order_by("pk"):
        kind, _colon, number = entry.account.owner.partition(":")
        if kind != "player" or not number.isdecimal():
            continue
        earlier = wallets.filter(account=entry.account_id, pk__lte=entry.pk).count()
        at = entry.transaction.time
        currency = entry.account.currency_id
        yield DepositFact(
            int(number), entry.transaction_id, at, day_of(at), currency, entry.amount, earlier
        )
