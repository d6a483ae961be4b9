"""Facts from finished hands and deposits, in the order of time.

Hands count at cash tables that are open to all: friends at a private table would only play for the
reward. A hand that is reversed later counts when it ends, and is taken back when it is reversed.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet

from casino.community.feats import feats_of
from casino.community.promotions.models import Invitation, PromotionAward
from casino.community.promotions.rules.engine import Event, Reversal
from casino.community.promotions.rules.facts import DepositFact, ForfeitFact, HandFact
from casino.community.promotions.rules.kinds import Window
from casino.community.promotions.rules.levels import kept_of
from casino.office.reports.counting import PlayedHand, played_hands
from games.models import Hand
from games.rules.catalogue import against_house
from games.rules.doudizhu.ranks import RANK_NAMES
from games.tables.formats import tables_of_operators
from wallets.models import Account, Entry
from wallets.models.holders import player_reference
from wallets.values.days import day_of, end_of, in_house_zone

# Bets on both sides of a round cover one another.
OPPOSED: Final = frozenset({"player", "banker"})
# How high a rocket is; a bomb is as high as its rank, and a natural as its points.
ROCKET: Final = 100
_ONE_HOUR: Final = timedelta(hours=1)
_ONE_WEEK: Final = timedelta(days=6)


class HouseCalendar:
    """When windows end by the days of the house."""

    def ends(self, window: Window, name: str) -> datetime:
        if window == "hour":
            return datetime.fromisoformat(f"{name}:00+00:00") + _ONE_HOUR
        day = date.fromisoformat(name)
        return end_of(day + _ONE_WEEK if window == "week" else day)


def events(since: datetime, until: datetime) -> list[Event]:
    """Everything that happened after a moment, up to and with another one."""
    ended = _counted().filter(ended_at__gt=since, ended_at__lte=until)
    taken_back = _counted().filter(reversed_at__gt=since, reversed_at__lte=until)
    events: list[tuple[datetime, int, int, int, Event]] = [
        (fact.at, 1, fact.hand, fact.player, fact) for fact in _hand_facts(ended)
    ]
    reversals = dict(taken_back.values_list("pk", "reversed_at"))
    for fact in _hand_facts(taken_back):
        at = reversals[fact.hand]
        assert at is not None, "it was found by that"
        events.append((at, 3, fact.hand, fact.player, Reversal(fact, at)))
    events += [
        (deposit.at, 0, deposit.posting, deposit.player, deposit)
        for deposit in deposits(since, until)
    ]
    forfeits = PromotionAward.objects.filter(forfeited_at__gt=since, forfeited_at__lte=until)
    for award in forfeits:
        assert award.forfeited_at is not None, "it was found by that"
        given_up = ForfeitFact(award.player_id, award.fact, award.forfeited_at)
        events.append((given_up.at, 2, award.pk, award.player_id, given_up))
    return [event for *_order, event in sorted(events, key=lambda row: row[:4])]


def next_until(since: datetime, until: datetime, hands: int) -> datetime:
    """The end of the next portion, which has about so many hands."""
    later = _counted().filter(ended_at__gt=since, ended_at__lte=until).order_by("ended_at", "pk")
    last = later.values_list("ended_at", flat=True)[hands - 1 : hands].first()
    return last or until


def count_hands(since: datetime, until: datetime) -> int:
    return _counted().filter(ended_at__gt=since, ended_at__lte=until).count()


def _counted() -> QuerySet[Hand]:
    stood = Q(status=Hand.Status.FINISHED) | Q(reversed_at__isnull=False)
    return Hand.objects.filter(tables_of_operators("table__"), stood, table__private=False)


def _hand_facts(hands: QuerySet[Hand]) -> Iterator[HandFact]:
    ended = dict(hands.values_list("pk", "ended_at"))
    rows = Invitation.objects.values_list("friend", "inviter", "at")
    invited = {friend: (inviter, at) for friend, inviter, at in rows}
    for hand in played_hands(hands, date.min):
        at = ended.get(hand.number)
        for fact in facts_of(hand, at) if at is not None else ():
            inviter, since = invited.get(fact.player, (0, fact.at))
            yield fact._replace(inviter=inviter) if since < fact.at else fact


def facts_of(hand: PlayedHand, at: datetime) -> Iterator[HandFact]:
    """One for each person who had a stake; in a hand without a call, no player has one."""
    day, hour = day_of(at), in_house_zone(at).hour
    game, currency = hand.place.game, hand.place.currency
    is_house_game = against_house(game)
    if not is_house_game and not (hand.settlement.get("transfers") or hand.settlement.get("lines")):
        return
    for seat, (player, net, rake) in hand.seats.items():
        if player in hand.bots:
            continue
        placed = hand.bets_of(seat)
        bet = sum(placed.values()) if is_house_game else max(net + rake, 0)
        if is_house_game and not bet:
            continue
        yield HandFact(
            player=player,
            hand=hand.number,
            at=at,
            day=day,
            hour=hour,
            game=game,
            currency=currency,
            net=net,
            rake=rake,
            bet=bet,
            wagered=_uncovered(placed) if is_house_game else 0,
            kept=kept_of(game, bet if is_house_game else 0, rake),
            feats=feats_of(hand.settlement, seat, won=net > 0),
            high=highest(hand.settlement, seat) if net > 0 else 0,
        )


def _uncovered(placed: Mapping[str, int]) -> int:
    """The bets of a round that do not cover one another."""
    if placed.keys() >= OPPOSED:
        placed = {bet: amount for bet, amount in placed.items() if bet not in OPPOSED}
    return sum(placed.values())


def highest(settlement: Mapping[str, Any], seat: int) -> int:
    """How high the best combination of a seat is; 0 without one."""
    high = 0
    for line in settlement.get("lines", ()):
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
