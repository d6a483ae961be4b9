"""How players behave: withheld reveals, a program's timing, one origin, farmed grants.

A reveal that is withheld voids the shoe, so a player who knew its cards could refuse it.
Connections break, so a player is compared with all players.

The time of a response is from the moment when the turn came, which the moves before it say, to the
move. Three hundred acts are looked at together; then the counting begins anew.

A device says much: one browser played both seats. An address says little, since households and
clubs share one, so it takes many hands, and an address of many players is not asked about.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import combinations
from math import log
from typing import Final

from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.office.integrity import chance
from casino.office.integrity.models import Tally, Trace
from casino.office.integrity.results import Finding, Played, Span, Tallies, Weighed, evidence_of
from games.models import Hand, HandSeat, Move, ShoeSeat
from wallets.models import Entry
from wallets.models.holders import player_reference

# Fewer shoes say nothing.
LEAST: Final = 3
# At least this part of all reveals is taken to be lost by accident, as if so many had been seen.
RATE_LEAST: Final = 0.02
SEEN_BEFORE: Final = 100
ERROR: Final = 1e-5
SHOWN: Final = 20


class Reveals:
    name = "reveals"
    words = _("Reveals withheld")
    sentence = _(
        "{players} did not reveal their committed numbers for {withheld} of {parts} shoes; the"
        " rate of other players is {rate} %."
    )
    measure = _("reveals withheld")
    charted = _("Reveals withheld")

    def look(self, span: Span) -> Iterable[Finding]:
        recent = Trace.objects.filter(kind="withheld", at__gt=span.since, at__lte=span.until)
        withheld = list(recent.values_list("player_id", flat=True))
        tallies = Tallies(self.name, ())
        house = tallies.row("")
        hands = [hand.number for hand in span.hands]
        revealed = ShoeSeat.objects.filter(by_house=False, shoe__hands__in=hands).distinct().count()
        house.count += revealed + len(withheld)
        house.first += len(withheld)
        span.sums.append(tallies)
        for player in sorted(set(withheld)):
            finding = _look_at(player, house, span)
            if finding is not None:
                yield finding


def _rate_of_others(house: Tally, withheld: int, parts: int) -> float:
    lost = max(0.0, house.first - withheld) + SEEN_BEFORE * RATE_LEAST
    of = max(lost, house.count - parts) + SEEN_BEFORE
    return max(RATE_LEAST, lost / of)


def _look_at(player: int, house: Tally, span: Span) -> Finding | None:
    traces = Trace.objects.filter(player=player, hand=None, kind="withheld", at__lte=span.until)
    times = list(traces.order_by("at").values_list("at", "table_id"))
    mine = ShoeSeat.objects.filter(player=player, by_house=False, shoe__locked_at__isnull=False)
    parts = max(len(times), mine.count())
    rate = _rate_of_others(house, len(times), parts)
    if len(times) < LEAST or chance.at_least(len(times), parts, rate) > ERROR:
        return None
    by_day: dict[str, int] = {}
    for at, _table in times:
        by_day[at.date().isoformat()] = by_day.get(at.date().isoformat(), 0) + 1
    table = times[-1][1]
    return Finding(
        (player,),
        score=len(times),
        bound=chance.bound_of_tries(parts, rate, ERROR),
        weight=len(times),
        since=times[0][0],
        until=times[-1][0],
        table=table,
        hands=_hands_around(player, table, span),
        figures={"withheld": len(times), "parts": parts, "rate": round(100 * rate, 1)},
        by_day=by_day,
    )


def _hands_around(player: int, table: int, span: Span) -> tuple[str, ...]:
    """The player's last hands at that table, listed with the voided shoes."""
    rows = HandSeat.objects.filter(player=player, table=table, ended_at__lte=span.until)
    rows = rows.filter(status="finished").select_related("hand").order_by("-ended_at", "-hand")
    return tuple(row.hand.code for row in rows[:SHOWN])


# Clocks tell no shorter times apart.
SHORTEST_SECONDS: Final = 0.001
# A player who takes longer was not at the table.
LONGEST_SECONDS: Final = 120.0


class Timing:
    name = "timing"
    words = _("Bot-like timing")
    sentence = _(
        "{players} answered {count} times, in {middle} s as a rule; the times differ by "
        "{spread} %, and {fast} were below {least} s."
    )
    measure = _("acts")
    charted = _("Acts")

    def look(self, span: Span) -> Iterable[Finding]:
        tallies = Tallies(self.name, span.players)
        acts: dict[int, list[Weighed]] = defaultdict(list)
        for hand, player, seconds in response_times(span.hands):
            row = tallies.row("", player)
            _add(row, seconds)
            acts[player].append(Weighed(hand, 1.0))
            if row.count >= chance.ACTS:
                rhythm = chance.rhythm_of(row.count, row.first, row.second, int(row.third))
                if chance.is_a_programs(rhythm):
                    yield _timing_finding(row, rhythm, acts[player], span)
                # The number of looks tells later evidence from earlier.
                row.looks += 1
                row.count, row.first, row.second, row.third = 0, 0.0, 0.0, 0.0
        span.sums.append(tallies)


def _add(row: Tally, seconds: float) -> None:
    logarithm = log(seconds)
    row.count += 1
    row.first += logarithm
    row.second += logarithm * logarithm
    row.third += seconds < chance.FAST_SECONDS


def response_times(hands: Iterable[Played]) -> Iterator[tuple[Played, int, float]]:
    """Yield who answered in which hand, and after how many seconds."""
    by_number = {hand.number: hand for hand in hands}
    rows = Hand.objects.filter(pk__in=list(by_number)).prefetch_related("seats")
    began = {hand.pk: hand.started_at for hand in rows}
    seats = {(hand.pk, seat.number): seat.player_id for hand in rows for seat in hand.seats.all()}
    made: dict[tuple[int, int], datetime] = {}
    moves = Move.objects.filter(hand__in=list(by_number)).order_by("hand_id", "number")
    columns = ("hand_id", "number", "seat", "turn", "by", "at")
    for hand, number, seat, turn, by, at in moves.values_list(*columns):
        made[hand, number] = at
        if by != Move.By.PLAYER:
            continue
        # A turn has the number of moves made when it came.
        since = made.get((hand, turn - 1)) if turn else began[hand]
        player = seats.get((hand, seat))
        if since is None or player is None or player not in by_number[hand].players:
            continue
        seconds = (at - since).total_seconds()
        if seconds <= LONGEST_SECONDS:
            yield by_number[hand], player, max(seconds, SHORTEST_SECONDS)


def _timing_finding(row: Tally, rhythm: chance.Rhythm, acts: list[Weighed], span: Span) -> Finding:
    evidence = evidence_of(acts)
    hands = tuple(dict.fromkeys(act.hand.code for act in reversed(acts)))
    figures = {
        "count": rhythm.acts,
        "middle": round(2.718281828 ** (row.first / rhythm.acts), 2),
        "spread": round(100 * rhythm.spread),
        "fast": rhythm.fast,
        "least": chance.FAST_SECONDS,
    }
    return Finding(
        (row.player,),
        score=rhythm.acts,
        bound=chance.ACTS,
        weight=(row.looks + 1) * chance.ACTS,
        until=span.until,
        figures=figures,
        **{**evidence, "hands": hands[:20]},
    )


DEVICE_HANDS: Final = 1
LINE_HANDS: Final = 20
# From an address with more players than this in a month people play who do not know one another.
HOUSEHOLD: Final = 6
MONTH: Final = timedelta(days=30)

Pair = tuple[int, int]
# By pair: the hands that they played from one place, and that place.
Places = dict[Pair, list[tuple[Played, str]]]


class Shared:
    name = "shared"
    words = _("One device or address")
    sentence = _(
        "{players} acted from one device in {devices} hands, and from one address in {lines}."
    )
    measure = _("hands from one place")
    charted = _("Hands together")

    def look(self, span: Span) -> Iterable[Finding]:
        devices, lines = _places(span)
        pairs = {*devices, *lines}
        tallies = Tallies(self.name, {player for pair in pairs for player in pair})
        for pair in sorted(pairs):
            row, by_device, by_line = tallies.row("", *pair), devices[pair], lines[pair]
            row.first += len(by_device)
            row.second += len(by_line)
            row.count = max(int(row.first), int(row.second))
            if row.first >= DEVICE_HANDS and by_device:
                yield _finding(pair, span, by_device, (row.first, row.second), DEVICE_HANDS)
            elif row.second >= LINE_HANDS and not _is_public(by_line, span):
                yield _finding(pair, span, by_line, (row.first, row.second), LINE_HANDS)
        span.sums.append(tallies)


def _places(span: Span) -> tuple[Places, Places]:
    """Return the players who shared a hand from one device, and those from one address."""
    hands = {hand.number: hand for hand in span.hands}
    groupings: tuple[dict[tuple[int, str], set[int]], ...] = (defaultdict(set), defaultdict(set))
    traces = Trace.objects.filter(hand__in=list(hands))
    for hand, player, *places in traces.values_list("hand_id", "player_id", "device", "line"):
        for by_place, place in zip(groupings, places, strict=True):
            if place:
                by_place[hand, place].add(player)
    devices, lines = (_pairs(hands, by_place) for by_place in groupings)
    return devices, lines


def _pairs(hands: Mapping[int, Played], found: Mapping[tuple[int, str], set[int]]) -> Places:
    pairs: Places = defaultdict(list)
    for (hand, place), players in sorted(found.items()):
        for pair in combinations(sorted(players), 2):
            pairs[pair].append((hands[hand], place))
    return pairs


def _is_public(by_line: list[tuple[Played, str]], span: Span) -> bool:
    places = {place for _hand, place in by_line}
    sat = Trace.objects.filter(kind="sat", line__in=places, at__gt=span.until - MONTH)
    return sat.values("player").distinct().count() > HOUSEHOLD


def _finding(
    pair: Pair,
    span: Span,
    found: list[tuple[Played, str]],
    counts: tuple[float, float],
    bound: int,
) -> Finding:
    devices, lines = map(int, counts)
    evidence = evidence_of([Weighed(hand, 1.0) for hand, _place in found])
    return Finding(
        pair,
        score=devices if bound == DEVICE_HANDS else lines,
        bound=bound,
        weight=max(devices, lines),
        until=span.until,
        table=found[-1][0].table,
        figures={"devices": devices, "lines": lines},
        **evidence,
    )


NEW: Final = timedelta(days=30)
# So many new accounts on one device; and at one address, where they play one another.
ON_A_DEVICE: Final = 3
AT_A_LINE: Final = 5
TOGETHER_LEAST: Final = 10


class Grants:
    name = "grants"
    words = _("Grant farming")
    sentence = _(
        "{accounts} new accounts came from one place; {granted} of them were given play money, and "
        "they met in {together} hands."
    )
    measure = _("accounts")
    charted = _("Hands together")

    def look(self, span: Span) -> Iterable[Finding]:
        since = span.until - NEW
        new = set(
            Player.objects.filter(pk__in=span.players, date_joined__gt=since).values_list(
                "pk", flat=True
            )
        )
        seen: set[tuple[int, ...]] = set()
        for place in ("device", "line") if new else ():
            for group in _groups(new, place, span):
                if group not in seen:
                    seen.add(group)
                    yield from _group_finding(group, place, span)


def _groups(new: set[int], place: str, span: Span) -> Iterator[tuple[int, ...]]:
    """The new accounts that sat down from the same place as one of these."""
    since = span.until - NEW
    sat = Trace.objects.filter(kind="sat", at__gt=since)
    places = sat.filter(player__in=new, hand=None).exclude(**{place: ""}).values(place).distinct()
    groups: dict[str, set[int]] = {}
    there = sat.filter(**{f"{place}__in": places}, player__date_joined__gt=since)
    for where, player in there.values_list(place, "player_id").distinct():
        groups.setdefault(where, set()).add(player)
    least = ON_A_DEVICE if place == "device" else AT_A_LINE
    for players in groups.values():
        if len(players) >= least:
            yield tuple(sorted(players))


def _group_finding(group: tuple[int, ...], place: str, span: Span) -> Iterator[Finding]:
    names = [player_reference(player) for player in group]
    given = Entry.objects.filter(account__owner__in=names, transaction__kind="grant")
    granted = given.values("account__owner").annotate(amount=Sum("amount")).count()
    together = [hand for hand in span.hands if len(set(group) & set(hand.players)) > 1]
    least = ON_A_DEVICE if place == "device" else AT_A_LINE
    if granted < least or (place == "line" and len(together) < TOGETHER_LEAST):
        return
    weighed = [Weighed(hand, 1.0) for hand in together]
    evidence = evidence_of(weighed) if weighed else {"since": span.since}
    yield Finding(
        group,
        score=granted,
        bound=least - 1,
        weight=granted,
        until=span.until,
        figures={"accounts": len(group), "granted": granted, "together": len(together)},
        **evidence,
    )
