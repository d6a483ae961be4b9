"""Counting the hands that have ended since, in the order in which hands end, and rating players.

A periodic task takes them from the tables of hands, so no act waits for it and nothing is lost
while no worker runs. Rows and how far the counting came are one transaction, and a hand has one row
a player: counted again, it counts once. A hand that is reversed later is taken out.

Points compare players of small and of large stakes. Between players they are the table's; against
the house, the amount won per unit bet, so betting more does not raise a player's rank.

A rating for each game is of people by the hands that they play with other people. A hand at a
public table is a match whose players finish in the order of their results. The model is that of
Plackett and Luce for two players or more (`openskill`). Bots are left out, a hand with one person
alone is no match, and games against the house have no rating. A hand that is reversed later keeps
its effect, as no result of another player depends on it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from openskill.models import PlackettLuce

from casino.accounts.models import Player
from casino.community.feats import feats_of
from casino.community.returning import achievements
from casino.community.returning.models import (
    Achievement,
    CountedHand,
    Counting,
    DayPlayed,
    GamePlayed,
    Rating,
)
from casino.office.reports.counting import PlayedHand, played_hands
from games.models import Hand, Table
from games.rules.catalogue import against_house
from games.tables.formats import tables_of_operators
from wallets.models import Currency
from wallets.of_record.verbs import verb
from wallets.values.days import day_of, monday_of

MODEL: Final = PlackettLuce()
THOUSANDTHS: Final = 1_000
# A rating is shown from so many hands on. It begins at 1,000, and 40 of it are a step of the model.
HANDS_MIN: Final = 20
BEGINS: Final = 1_000
STEP: Final = 40


def rate(rows: Iterable[CountedHand]) -> None:
    """Rate the hands of these rows, in their order; the caller counts each hand once."""
    matches: dict[int, list[CountedHand]] = defaultdict(list)
    for row in rows:
        if row.points is not None and not against_house(row.game):
            matches[row.hand].append(row)
    played = [players for players in matches.values() if len(players) > 1]
    if not played:
        return
    ratings = _ratings_of(played)
    for players in played:
        _rate_hand([ratings[row.player_id, row.game] for row in players], players)
    Rating.objects.bulk_create(
        ratings.values(),
        update_conflicts=True,
        unique_fields=["player", "game"],
        update_fields=["mean", "deviation", "hands"],
    )


def _ratings_of(played: Sequence[Sequence[CountedHand]]) -> dict[tuple[int, str], Rating]:
    """The ratings of all these players, in the order in which rows are locked."""
    keys = {(row.player_id, row.game) for players in played for row in players}
    stored = Rating.objects.filter(player__in={player for player, _game in keys})
    held = {(row.player_id, row.game): row for row in stored}
    return {
        (player, game): held.get((player, game)) or Rating(player_id=player, game=game, **_first())
        for player, game in sorted(keys)
    }


def _first() -> dict[str, int]:
    fresh = MODEL.rating()
    return {"mean": round(fresh.mu * THOUSANDTHS), "deviation": round(fresh.sigma * THOUSANDTHS)}


def _rate_hand(ratings: Sequence[Rating], players: Sequence[CountedHand]) -> None:
    """One match: the player with most points is first, and equal points are a tie."""
    teams = [
        [MODEL.rating(mu=row.mean / THOUSANDTHS, sigma=row.deviation / THOUSANDTHS)]
        for row in ratings
    ]
    rated = MODEL.rate(teams, scores=[float(row.points or 0) for row in players])
    for rating, [after] in zip(ratings, rated, strict=True):
        rating.mean = round(after.mu * THOUSANDTHS)
        rating.deviation = round(after.sigma * THOUSANDTHS)
        rating.hands += 1


def shown(rating: Rating) -> int | None:
    """What a player is at least, as far as is known; None before there are enough hands."""
    if rating.hands < HANDS_MIN:
        return None
    steps = (rating.mean - 3 * rating.deviation) / THOUSANDTHS
    return round(BEGINS + STEP * steps)


def of_player(player_id: int) -> dict[str, int]:
    """The ratings that are shown, by game."""
    rows = Rating.objects.filter(player=player_id)
    values = {row.game: shown(row) for row in rows}
    return {game: value for game, value in values.items() if value is not None}


HUNDREDTHS: Final = 100


class Fact(NamedTuple):
    """A hand for one of its players; `points` in hundredths."""

    player: int
    hand: int
    table: int
    game: str
    day: date
    won: bool
    points: int
    feats: tuple[str, ...]


def facts_of(hand: PlayedHand, ended_at: datetime) -> Iterator[Fact]:
    """One for each seat that had something at stake, bots included."""
    for seat, (player, net, _rake) in hand.seats.items():
        unit = _unit(hand, seat)
        if not unit:
            continue
        yield Fact(
            player,
            hand.number,
            hand.place.table,
            hand.place.game,
            day_of(ended_at),
            net > 0,
            round(HUNDREDTHS * net / unit),
            feats_of(hand.settlement, seat, won=net > 0),
        )


def _unit(hand: PlayedHand, seat: int) -> int:
    """Return the unit of a seat's result; 0 if the seat has bet nothing."""
    if against_house(hand.place.game):
        return sum(hand.bets_of(seat).values())
    return max(1, int(hand.options.get("point", 1)))


# The transaction of a hand has ended by then.
SETTLED: Final = timedelta(minutes=1)
# How long single hands are kept: this week and the last are shown.
KEPT: Final = timedelta(days=35)
# Hands in one transaction, and transactions in one run.
HANDS_AT_ONCE: Final = 200
BATCHES_MAX: Final = 25


@verb("house:boards.count")
def count(now: datetime) -> int:
    """Count what has ended; return how many hands that were."""
    if not settings.RETURNING:
        return 0
    counted = 0
    for _batch in range(BATCHES_MAX):
        hands = _count_batch(now)
        counted += hands
        if hands < HANDS_AT_ONCE:
            break
    return counted


def _count_batch(now: datetime) -> int:
    with transaction.atomic():
        start = now - KEPT
        Counting.objects.get_or_create(pk=1, defaults={"ended_at": start, "reversed_until": start})
        row = Counting.objects.select_for_update(skip_locked=True).filter(pk=1).first()
        if row is None:
            # Another worker counts.
            return 0
        later = Q(ended_at__gt=row.ended_at) | Q(ended_at=row.ended_at, pk__gt=row.hand)
        ended = finished().filter(later, ended_at__lte=now - SETTLED).order_by("ended_at", "pk")
        numbers = list(ended.values_list("pk", "ended_at")[:HANDS_AT_ONCE])
        count_hands([number for number, _at in numbers])
        _take_out(row, now - SETTLED)
        if numbers:
            last, ended_at = numbers[-1]
            assert ended_at is not None, "it was found by that"
            row.hand, row.ended_at = last, ended_at
        row.save()
    return len(numbers)


def finished() -> QuerySet[Hand]:
    """The hands of cash tables for play money that stand."""
    return Hand.objects.filter(
        tables_of_operators("table__"),
        status=Hand.Status.FINISHED,
        table__currency__kind=Currency.Kind.PLAY,
    )


def rows_of(numbers: Sequence[int]) -> list[CountedHand]:
    """The rows of these hands, as they are counted now."""
    hands = finished().filter(pk__in=numbers)
    ended = {number: at for number, at in hands.values_list("pk", "ended_at") if at}
    facts = [
        fact
        for hand in played_hands(hands, date.min)
        for fact in facts_of(hand, ended[hand.number])
    ]
    people = set(
        Player.objects.filter(
            pk__in={fact.player for fact in facts}, is_bot=False, is_staff=False
        ).values_list("pk", flat=True)
    )
    private = set(
        Table.objects.filter(pk__in={fact.table for fact in facts}, private=True).values_list(
            "pk", flat=True
        )
    )
    return [_row(fact, private) for fact in facts if fact.player in people]


def count_hands(numbers: Sequence[int]) -> None:
    """Write down these hands; those that are written down already change nothing."""
    rows = rows_of(numbers)
    known = set(CountedHand.objects.filter(hand__in=numbers).values_list("hand", flat=True))
    order = {number: place for place, number in enumerate(numbers)}
    fresh_rows = [row for row in rows if row.hand not in known]
    rate(sorted(fresh_rows, key=lambda row: order[row.hand]))
    CountedHand.objects.bulk_create(rows, ignore_conflicts=True)
    GamePlayed.objects.bulk_create(
        [GamePlayed(player_id=player_id, game=game) for player_id, game in _games(rows)],
        ignore_conflicts=True,
    )
    by_day: dict[date, dict[int, list[CountedHand]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_day[row.day][row.player_id].append(row)
    for day, by_player in sorted(by_day.items()):
        derive_day(day, by_player)
        for player, played in sorted(by_player.items()):
            achievements.note(player, day, sorted(played, key=lambda hand: hand.hand))


def _games(rows: Iterable[CountedHand]) -> list[tuple[int, str]]:
    return sorted({(row.player_id, row.game) for row in rows})


def _row(fact: Fact, private: set[int]) -> CountedHand:
    """Hands at private tables are on no board."""
    return CountedHand(
        player_id=fact.player,
        hand=fact.hand,
        table=fact.table,
        game=fact.game,
        day=fact.day,
        week=monday_of(fact.day),
        won=fact.won,
        points=None if fact.table in private else fact.points,
        feats=list(fact.feats),
    )


def derive_day(day: date, players: Iterable[int]) -> None:
    """The rows of a day from its hands; players without any have none."""
    numbers = sorted(players)
    counted = CountedHand.objects.filter(day=day, player__in=numbers).order_by()
    hands = dict(counted.values_list("player").annotate(Count("pk")))
    DayPlayed.objects.filter(day=day, player__in=set(numbers) - hands.keys()).delete()
    DayPlayed.objects.bulk_create(
        [
            DayPlayed(player_id=number, day=day, hands=hands[number])
            for number in numbers
            if number in hands
        ],
        update_conflicts=True,
        unique_fields=["player", "day"],
        update_fields=["hands"],
    )


def _take_out(row: Counting, until: datetime) -> None:
    """Forget the hands that were reversed since, and what was achieved by them."""
    gone = Hand.objects.filter(reversed_at__gt=row.reversed_until, reversed_at__lte=until)
    numbers = list(gone.values_list("pk", flat=True))
    row.reversed_until = max(row.reversed_until, until)
    if not numbers:
        return
    counted = CountedHand.objects.filter(hand__in=numbers)
    players: dict[date, set[int]] = defaultdict(set)
    for player, day in counted.values_list("player_id", "day"):
        players[day].add(player)
    counted.delete()
    Achievement.objects.filter(hand__in=numbers).delete()
    for day, those in sorted(players.items()):
        derive_day(day, those)


def forget_old(now: datetime) -> None:
    """Delete single hands that nothing shows any more; days and achievements stay."""
    CountedHand.objects.filter(day__lt=day_of(now - KEPT)).delete()
