"""The results of a baccarat table's shoes, for road maps and counts, and the patterns in them.

A good road (好路) is a pattern of the big road that players can name.

Nothing of it is stored. A finished round is its place in the shoe, and a shoe that has been opened
once stays open in this process, so dealing its coups again takes less than a millisecond; they
cannot come to differ from the cards, and there is nothing to keep in step or to audit.

All are read off its true columns, and say what has been, never what will come.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.families.baccarat.road_maps import Drawn, draw, letter
from games.models import Hand, Move, Shoe, Table
from games.models.combined import read_together
from games.models.prepared import Prepared, Query
from games.rules.baccarat.coup import Coup, Winner, deal_coup
from games.rules.baccarat.game import SPOTS, BaccaratTable
from games.rules.baccarat.roads import SIDES, Counts, Result, Side, result_of
from games.rules.cards import composition
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables.hand_state import game_from
from games.tables.squeeze import SQUEEZE_TIME, is_squeezed
from games.words.naming import term
from wallets.values.amounts import show_amount

FAMILY: Final = "baccarat"
GAMES_WITH_ROADS: Final = tuple(key for key, kind in GAMES.items() if kind.family == FAMILY)
Results = tuple[Result, ...]
# Where a round began in its shoe, and whether the banker's note was taken literally there.
Rounds = tuple[tuple[int, bool], ...]
# How many of the last results stand in a line.
LATEST: Final = 12


class ShoeMapped(NamedTuple):
    """A shoe as its table shows it: its maps, and how far it has been dealt."""

    shoe: Shoe
    results: Results
    drawn: Drawn
    cards_left: int
    # How many cards come before the cut card; none once it is out.
    cards_to_cut: int

    @property
    def counts(self) -> Counts:
        return self.drawn.counts

    @property
    def cut_card_is_out(self) -> bool:
        return self.cards_to_cut == 0

    @property
    def is_over(self) -> bool:
        """Whether the shoe deals no further round, so that it needs no forecast."""
        return self.shoe.status in (Shoe.Status.SPENT, Shoe.Status.VOID)


class Mark(NamedTuple):
    """One of the last results: a letter for the eye, a word for the ear."""

    # The number of its hand, or of its round, by which a page knows the mark again.
    number: int
    winner: Winner
    letter: str
    word: str


class LastRound(NamedTuple):
    """A finished round of a shoe: its hand, and what deals its coup again."""

    hand: int
    first_card: int
    banker_note_literal: bool | None


def last_rounds(shoe: Shoe) -> tuple[LastRound, ...]:
    """The last finished rounds of a shoe, the newest last, in one query for a few rows."""
    if not shoe.mix:
        return ()
    rows = _finished([shoe.pk]).order_by("-pk")
    hands = rows.values_list("pk", "first_card", "options__banker_note_literal")[:LATEST]
    return tuple(LastRound(*hand) for hand in hands)[::-1]


def latest_marks(shoe: Shoe, rounds: Sequence[LastRound]) -> tuple[Mark, ...]:
    """The results of these rounds of a shoe."""
    places = tuple((each.first_card, bool(each.banker_note_literal)) for each in rounds)
    results = _dealt_again(shoe, places)
    return tuple(_mark(each.hand, result) for each, result in zip(rounds, results, strict=True))


class CoupBefore(NamedTuple):
    """The coup of the latest finished round, whose cards all have seen."""

    hand: int
    coup: Coup


def coup_before(shoe: Shoe, rounds: Sequence[LastRound]) -> CoupBefore | None:
    """The coup of the last of these rounds, which stays on the felt until the next is dealt."""
    if not rounds:
        return None
    hand, first, literal = rounds[-1]
    return CoupBefore(hand, deal_coup(custody.cards(shoe)[first : first + 6], bool(literal)))


def marks_of_results(results: Results) -> tuple[Mark, ...]:
    """The last of these results, the newest last, numbered by their rounds in the shoe."""
    numbered = list(enumerate(results, 1))[-LATEST:]
    return tuple(_mark(number, result) for number, result in numbered)


def _mark(number: int, result: Result) -> Mark:
    return Mark(number, result.winner, letter(result.winner), term(result.winner))


def results_of(shoes: Iterable[Shoe]) -> dict[str, Results]:
    """The results of these shoes' finished rounds, in their order, in one query."""
    mixed = {shoe.code: shoe for shoe in shoes if shoe.mix}
    rounds: dict[str, list[tuple[int, bool]]] = {code: [] for code in mixed}
    rows = _finished(list(mixed)).order_by("pk")
    for code, first, literal in rows.values_list(
        "shoe", "first_card", "options__banker_note_literal"
    ):
        rounds[code].append((first, bool(literal)))
    return {code: _dealt_again(mixed[code], tuple(rounds[code])) for code in mixed}


def _finished(shoes: Iterable[Any]) -> QuerySet[Hand]:
    """The rounds of these shoes that a map shows."""
    return Hand.objects.filter(
        shoe__in=shoes,
        status=Hand.Status.FINISHED,
        cards_dealt__gt=0,
        game__in=GAMES_WITH_ROADS,
    )


def _on_tables(after: int) -> QuerySet[Table]:
    """The tables with a road and a greater number than this."""
    roads = Table.objects.filter(game__in=GAMES_WITH_ROADS, pk__gt=after)
    return roads.exclude(status=Table.Status.CLOSED).order_by()


# The shoes that lie on tables, and their finished rounds in their order.
_SHOES: Final = Query(lambda after: Shoe.objects.filter(pk__in=_on_tables(after).values("shoe")))
_ROUNDS: Final = Prepared(
    lambda after: (
        _finished(_on_tables(after).values("shoe"))
        .order_by("pk")
        .values_list("shoe", "first_card", "options__banker_note_literal", "table", "ended_at")
    )
)
# Tables with a greater number than this: all of them.
ALL: Final = 0
READS_OF_RESULTS: Final = ((_SHOES, (ALL,)), (_ROUNDS, (ALL,)))


def results_at(tables: Iterable[Table], now: datetime) -> dict[int, Results]:
    """The results of the shoes that lie on these tables; those that have no roads are left out.

    A round whose cards are still turned by hand is left out: its end is hidden from those who turn
    them. One query, however many tables there are.
    """
    roads = {table.pk: table for table in tables if table.game in GAMES_WITH_ROADS}
    if not roads:
        return {}
    squeezed = {key for key, table in roads.items() if is_squeezed(table, now)}
    with read_together(READS_OF_RESULTS):
        shoes, rows = _SHOES(ALL), _ROUNDS.read(ALL)
    rounds = defaultdict[str, list[tuple[int, bool]]](list)
    for code, first, literal, table_id, ended_at in rows:
        if table_id not in squeezed or ended_at <= now - SQUEEZE_TIME:
            rounds[code].append((first, bool(literal)))
    mixed = {shoe.code: shoe for shoe in shoes if shoe.mix}
    return {
        table.pk: _dealt_again(mixed[table.shoe_id], tuple(rounds[table.shoe_id]))
        for table in roads.values()
        if table.shoe_id in mixed
    }


def _dealt_again(shoe: Shoe, rounds: Rounds) -> Results:
    if not rounds:
        return ()
    cards = custody.cards(shoe)
    return tuple(
        result_of(deal_coup(cards[first : first + 6], literal)) for first, literal in rounds
    )


def shoe_maps(table: Table, shoes: Sequence[Shoe]) -> list[ShoeMapped]:
    game = game_from(table.game, table.options)
    assert isinstance(game, BaccaratTable)
    results = results_of(shoes)
    return [_mapped(shoe, game, results.get(shoe.code, ())) for shoe in shoes]


def shoe_shown(table: Table) -> ShoeMapped | None:
    """The shoe that a table shows: that of its latest round, until the next shoe is dealt from."""
    hands = Hand.objects.select_related("shoe").filter(table=table)
    latest = hands.order_by("-pk").first()
    waits = table.shoe is None or not table.shoe.mix
    shoe = latest.shoe if latest and waits else table.shoe
    return shoe_maps(table, [shoe])[0] if shoe else None


def _mapped(shoe: Shoe, game: BaccaratTable, results: Results) -> ShoeMapped:
    left = len(composition(shoe.decks, shoe.jokers)) - shoe.cards_dealt
    return ShoeMapped(shoe, results, draw(results), left, max(0, left - game.cut_cards))


# From this many on, results in a row or columns of a kind are a pattern.
RUN: Final = 4
CHOPS: Final = 4
PAIRS_OF_RESULTS: Final = 3
TURNS: Final = 4
HABIT: Final = 3

NAMES: Final = {
    "long_banker": _("Long banker"),
    "long_player": _("Long player"),
    "single_chop": _("Single chop"),
    "double_chop": _("Double chop"),
    "one_banker_two_players": _("One banker, two players"),
    "one_player_two_bankers": _("One player, two bankers"),
    "banker_runs": _("Banker repeats"),
    "player_runs": _("Player repeats"),
    "banker_chops": _("Banker chops"),
    "player_chops": _("Player chops"),
}
Column = tuple[Side, int]


def marks_of(results: Sequence[Result]) -> list[str]:
    """The names of patterns on a road, in the reader's language."""
    return [str(NAMES[pattern]) for pattern in patterns(results)]


def patterns(results: Sequence[Result]) -> list[str]:
    """The patterns in which these results end, the plainest first."""
    columns = columns_of(results)
    lengths = [length for _side, length in columns]
    patterns = []
    if lengths and lengths[-1] >= RUN:
        patterns.append(f"long_{columns[-1][0]}")
    if _all_are(lengths[-CHOPS:], 1, CHOPS):
        patterns.append("single_chop")
    if _all_are(_whole(lengths, 2)[-PAIRS_OF_RESULTS:], 2, PAIRS_OF_RESULTS):
        patterns.append("double_chop")
    patterns += _turns(columns)
    # Most good roads are also a habit, which would say the same in weaker words.
    return patterns or [habit for side in SIDES for habit in _habits(side, columns)]


def columns_of(results: Sequence[Result]) -> list[Column]:
    """The true columns of the big road: whose they are, and how long."""
    winners: list[Side] = [result.winner for result in results if result.winner != "tie"]
    return [(side, len(list(run))) for side, run in groupby(winners)]


def _all_are(lengths: Sequence[int], length: int, count: int) -> bool:
    return len(lengths) == count and set(lengths) == {length}


def _whole(lengths: Sequence[int], length: int) -> Sequence[int]:
    """Drop the last column if it may still grow this long."""
    return lengths[:-1] if lengths and lengths[-1] < length else lengths


def _turns(columns: Sequence[Column]) -> Iterable[str]:
    """One side comes once each time and the other twice."""
    latest = columns[-TURNS:]
    if len(latest) < TURNS:
        return
    for name, once in (("one_banker_two_players", "banker"), ("one_player_two_bankers", "player")):
        wanted = [1 if side == once else 2 for side, _length in latest]
        lengths = [length for _side, length in latest]
        if lengths[:-1] == wanted[:-1] and lengths[-1] <= wanted[-1]:
            yield name


def _habits(side: Side, columns: Sequence[Column]) -> Iterable[str]:
    """After one win of a side it always won again, or never; chops of both have their own name."""
    own = [length for winner, length in columns if winner == side]
    other = [length for winner, length in columns if winner != side]
    if columns and columns[-1] == (side, 1):
        own = own[:-1]
    latest = own[-HABIT:]
    if len(latest) < HABIT:
        return
    if min(latest) >= 2:
        yield f"{side}_runs"
    elif max(latest) == 1 and set(other[-HABIT:]) != {1}:
        yield f"{side}_chops"


# All tables are read together, so that many cost as few queries as two. Bets are public from the
# moment they are placed, and no card is dealt before the betting is closed.

BET = "bet"


class SpotBets(NamedTuple):
    """The bets of all players on a spot."""

    spot: str
    name: str
    amount: str


class BaccaratTableBeside(NamedTuple):
    big_road: SafeString
    marks: tuple[Mark, ...]
    counts: Counts
    # In the round whose bets are placed; none between two rounds.
    bets: tuple[SpotBets, ...]
    is_betting: bool


def tables_beside(tables: Sequence[Table], now: datetime) -> list[BaccaratTableBeside]:
    """Describe these baccarat tables, in their order."""
    results, bets = results_at(tables, now), _bets_at(tables)
    besides = []
    for table in tables:
        drawn = draw(results.get(table.pk, ()))
        besides.append(
            BaccaratTableBeside(
                drawn.big_road,
                marks_of_results(results.get(table.pk, ())),
                drawn.counts,
                _shown(table, bets.get(table.hand_id, {})),
                table.hand_id is not None,
            )
        )
    return besides


def _bets_at(tables: Iterable[Table]) -> Mapping[int | None, Mapping[str, int]]:
    """The sums on each spot by hand, in one query."""
    running = [table.hand_id for table in tables if table.hand_id is not None]
    moves = Move.objects.filter(hand__in=running, seat__gt=0, action__do=BET)
    sums: dict[int | None, dict[str, int]] = {}
    for hand, action in moves.values_list("hand", "action"):
        spots = sums.setdefault(hand, {})
        spots[action["on"]] = spots.get(action["on"], 0) + action["amount"]
    return sums


def _shown(table: Table, sums: Mapping[str, int]) -> tuple[SpotBets, ...]:
    return tuple(
        SpotBets(spot, term(spot), show_amount(sums[spot], table.currency))
        for spot in SPOTS
        if spot in sums
    )
