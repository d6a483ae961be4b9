"""Counting a day from its hands: the facts to be stored, and those of an open day.

A reversed hand counts on the day on which it ended and is subtracted on the day of its reversal, as
in the books of closed days. Chips of tournaments are no money and are not counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from casino.office.reports.facts import (
    BONUS,
    MAIN,
    SUBJECTS,
    WHOLE,
    Fact,
    Kind,
    Only,
    Place,
    Sums,
    player_sums,
)
from casino.office.reports.models import PlayerDay, PoolDay, TableDay
from games.bots.simulate import BONUS_KEYS, POOL_KEYS
from games.models import Hand, HandSeat, Move
from games.records.audit_rows import chunks
from games.records.closed_days import stood_on, taken_back_on
from games.rules.catalogue import against_house, game_type
from wallets.models import Currency
from wallets.storage.signing import canonical

# Prefixes of the key of a hand's settings: its table's own, or a published version of a profile.
OWN, VERSION = "own", "version"
# How many hands are read at once.
HANDS: Final = 1_000
_COLUMNS: Final = (
    *("pk", "number", "table_id", "game", "options", "rake", "bank", "settlement", "jackpots"),
    *("profile_version_id", "table__currency_id"),
)
Settlement = Mapping[str, Any]


class PlayedHand(NamedTuple):
    """A finished hand as its row says it, with its seats."""

    number: int
    number_at_table: int
    place: Place
    rake: int
    bank: int
    settlement: Settlement
    jackpots: Mapping[str, int]
    options: Mapping[str, Any]
    # By seat: player, net, rake.
    seats: Mapping[int, tuple[int, int, int]]
    # By seat and bet: the bets before the cards.
    bets: Mapping[tuple[int, str], int]
    # The players that are the house's bots.
    bots: frozenset[int] = frozenset()

    def bets_of(self, seat: int) -> dict[str, int]:
        return {bet: amount for (whose, bet), amount in self.bets.items() if whose == seat}


class _Placed(msgspec.Struct):
    """What one move places, read from its text."""

    amount: int | None = None
    on: str = MAIN
    bonus: int | None = None


_PLACED: Final = msgspec.json.Decoder(_Placed)


class DayCount:
    """The facts of hands that are counted one by one."""

    def __init__(self) -> None:
        self.sums: dict[Kind, defaultdict[tuple[Place, Any], Sums]] = {
            kind: defaultdict(Sums) for kind in SUBJECTS
        }
        # By profile: the game and its options.
        self.settings: dict[str, tuple[str, Mapping[str, object]]] = {}
        self.bots: frozenset[int] = frozenset()

    def facts(self, kind: Kind, only: Only) -> Iterator[Fact]:
        for (place, of), sums in sorted(self.sums[kind].items(), key=lambda item: item[0]):
            if only.fits(place) and only.fits_subject(kind, of, self.bots):
                yield Fact(place, of, sums)

    def add(self, hand: PlayedHand, sign: int) -> None:
        place = hand.place
        self.settings.setdefault(place.profile, (place.game, hand.options))
        self.bots |= hand.bots
        shares = dict(_pools(hand.settlement))
        pools = sum(fed - hit for fed, hit in shares.values())
        is_house_game = against_house(place.game)
        handle = from_bots = 0
        for seat, (player, net, rake) in hand.seats.items():
            placed = sum(hand.bets_of(seat).values()) if is_house_game else max(net + rake, 0)
            handle += placed
            measures = {"handle": sign * placed, "net": sign * net, "rake": sign * rake}
            is_bot = player in hand.bots
            mine = player_sums(place.game, is_bot=is_bot, hands=int(sign > 0), **measures)
            from_bots += mine.from_bots
            self.sums[PlayerDay][place, player].add(mine)
        whole = _of_hand(sign, handle, hand.bank + pools, hand.rake, pools)
        played = {player for player, _net, _rake in hand.seats.values()}
        whole.with_people = int(sign > 0 and not played <= hand.bots)
        whole.from_bots = from_bots
        self.sums[TableDay][place, WHOLE].add(whole)
        for bet, (placed, won) in _by_bet(hand).items():
            part = pools if bet == BONUS else 0
            self.sums[TableDay][place, bet].add(_of_hand(sign, placed, won, 0, part))
        for name, (fed, hit) in shares.items():
            pool = Sums(fed=sign * fed, hit=sign * hit, hits=sign * int(hit > 0))
            self.sums[PoolDay][place, hand.jackpots[name]].add(pool)


def _of_hand(sign: int, handle: int, won: int, rake: int, pools: int) -> Sums:
    """One hand, or a bet in it: with a sign of -1 it is reversed."""
    kept = won + rake - pools
    return Sums(
        hands=int(sign > 0),
        reversed=int(sign < 0),
        handle=sign * handle,
        won=sign * won,
        rake=sign * rake,
        pools=sign * pools,
        kept_squares=sign * kept * kept,
        products=sign * kept * handle,
        handle_squares=sign * handle * handle,
    )


def count_day(day: date, until: datetime | None = None) -> DayCount:
    """The sums of a day, or of its first hours, from its hands."""
    counted = DayCount()
    stood, back = stood_on(day), taken_back_on(day)
    if until is not None:
        stood, back = stood.filter(ended_at__lt=until), back.filter(reversed_at__lt=until)
    for hands, sign in ((stood, 1), (back, -1)):
        for hand in played_hands(hands, day):
            counted.add(hand, sign)
    return counted


def played_hands(hands: QuerySet[Hand], day: date) -> Iterator[PlayedHand]:
    """Hands with their seats and bets, some hundred at a time."""
    money = hands.exclude(table__currency__kind=Currency.Kind.CHIPS).order_by("pk")
    for rows in chunks(money.values_list(*_COLUMNS).iterator(chunk_size=HANDS), HANDS):
        numbers = [row[0] for row in rows]
        (seats, bots), bets = _seats(numbers), _bets({row[0]: row[3] for row in rows})
        for number, at_table, table, game, options, rake, bank, *rest, currency in rows:
            settlement, jackpots, version = rest
            place = Place(day, table, profile_of(game, options, version), game, currency)
            of_hand = (settlement or {}, jackpots, options, seats[number], bets[number], bots)
            yield PlayedHand(number, at_table, place, rake, bank, *of_hand)


def _seats(
    hands: list[int],
) -> tuple[dict[int, dict[int, tuple[int, int, int]]], frozenset[int]]:
    """By hand and seat: player, net, rake; and which of the players are bots."""
    seats: dict[int, dict[int, tuple[int, int, int]]] = defaultdict(dict)
    bots = set()
    rows = HandSeat.objects.filter(hand__in=hands).order_by("hand_id", "number")
    columns = ("hand_id", "number", "player_id", "net", "rake", "player__is_bot")
    for hand, number, player, net, rake, is_bot in rows.values_list(*columns):
        seats[hand][number] = (player, net, rake)
        if is_bot:
            bots.add(player)
    return seats, frozenset(bots)


def _bets(games: Mapping[int, str]) -> dict[int, dict[tuple[int, str], int]]:
    """By hand: the bets against the house before the cards."""
    bets: dict[int, dict[tuple[int, str], int]] = defaultdict(lambda: defaultdict(int))
    for hand, seat, bet, amount in bets_placed(games):
        bets[hand][seat, bet] += amount
    return bets


def bets_placed(games: Mapping[int, str]) -> Iterator[tuple[int, int, str, int]]:
    """Hand, seat, bet and amount of every bet before the cards; the hands come with their games."""
    by_word = defaultdict(list)
    for hand, game in games.items():
        if against_house(game):
            by_word[_bet_word(game)].append(hand)
    for word, hands in by_word.items():
        rows = Move.objects.filter(hand__in=hands, action__do=word).order_by("hand_id", "number")
        for hand, seat, text in rows.values_list("hand_id", "seat", Cast("action", TextField())):
            placed = _PLACED.decode(text)
            if placed.amount:
                yield hand, seat, placed.on, placed.amount
            if placed.bonus:
                yield hand, seat, BONUS, placed.bonus


def _bet_word(game: str) -> str:
    kind: Any = game_type(game)
    return str(kind.bet_action.__struct_config__.tag)


def _by_bet(hand: PlayedHand) -> dict[str, tuple[int, int]]:
    """By bet: the handle, and what the house won of it."""
    placed: dict[str, int] = defaultdict(int)
    for (_seat, placed_on), amount in hand.bets.items():
        placed[placed_on] += amount
    if not placed:
        return {}
    won = dict.fromkeys(placed, 0)
    for line in hand.settlement.get("lines", ()):
        bet = _bet_of(line)
        if bet is not None and bet in won and "house" in (line["source"], line["target"]):
            won[bet] += line["amount"] if line["target"] == "house" else -line["amount"]
    return {bet: (placed[bet], won[bet]) for bet in placed}


def _bet_of(line: Mapping[str, Any]) -> str | None:
    """Return the bet that a line belongs to; None for the money of pools."""
    if line["key"] in POOL_KEYS:
        return None
    if line["key"] in BONUS_KEYS:
        return BONUS
    values = line.get("values", {})
    bet = str(values.get("bet"))
    return bet if bet == BONUS or "box" not in values else MAIN


def _pools(settlement: Settlement) -> Iterable[tuple[str, tuple[int, int]]]:
    """By pool: what it was fed, and what it paid."""
    for name in settlement.get("pools", {}):
        fed = hit = 0
        for line in settlement["lines"]:
            fed += line["amount"] if line["key"] == "pool_share" and line["target"] == name else 0
            hit += line["amount"] if line["key"] == "pool_paid" and line["source"] == name else 0
        yield name, (fed, hit)


def profile_of(game: str, options: Mapping[str, object], version: int | None) -> str:
    """The key under which reports add up hands of the same settings.

    It is the version of a published profile, or the hash of the table's own settings.
    """
    if version is not None:
        return f"{VERSION}-{version}"
    return f"{OWN}-{sha256(canonical({'game': game, 'options': options})).hexdigest()[:12]}"
