"""The results of a baccarat table's shoes, for road maps and counts.

Nothing of it is stored. A finished round is its place in the shoe, and a shoe that has been opened
once stays open in this process, so dealing its coups again takes less than a millisecond; they
cannot come to differ from the cards, and there is nothing to keep in step or to audit. The rounds
of any number of shoes are read in one query.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet

from games.families.baccarat.road_maps import Drawn, draw, letter
from games.models import Hand, Shoe, Table
from games.rules.baccarat.coup import Winner, deal_coup
from games.rules.baccarat.game import BaccaratTable
from games.rules.baccarat.roads import Counts, Result, result_of
from games.rules.cards import composition
from games.rules.catalogue import GAMES
from games.shoes import custody
from games.tables.hand_state import game_from
from games.tables.squeeze import SQUEEZE_TIME, is_squeezed
from games.words.naming import term

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


def latest_marks(shoe: Shoe) -> tuple[Mark, ...]:
    """The last results of a shoe, the newest last, in one query for a few rows."""
    if not shoe.mix:
        return ()
    rows = _finished([shoe]).order_by("-pk")
    found = rows.values_list("pk", "first_card", "options__banker_note_literal")[:LATEST]
    latest = tuple(found)[::-1]
    results = _dealt_again(shoe, tuple((first, bool(literal)) for _pk, first, literal in latest))
    return tuple(
        _mark(hand, result) for (hand, *_place), result in zip(latest, results, strict=True)
    )


def marks_of_results(results: Results) -> tuple[Mark, ...]:
    """The last of these results, the newest last, numbered by their rounds in the shoe."""
    numbered = list(enumerate(results, 1))[-LATEST:]
    return tuple(_mark(number, result) for number, result in numbered)


def _mark(number: int, result: Result) -> Mark:
    return Mark(number, result.winner, letter(result.winner), term(result.winner))


def results_of(found: Iterable[Shoe], but: Q | None = None) -> dict[str, Results]:
    """The results of these shoes' finished rounds, in their order, in one query."""
    mixed = {shoe.code: shoe for shoe in found if shoe.mix}
    rounds: dict[str, list[tuple[int, bool]]] = {code: [] for code in mixed}
    rows = _finished(mixed.values()).order_by("pk")
    rows = rows if but is None else rows.exclude(but)
    for code, first, literal in rows.values_list(
        "shoe", "first_card", "options__banker_note_literal"
    ):
        rounds[code].append((first, bool(literal)))
    return {code: _dealt_again(mixed[code], tuple(rounds[code])) for code in mixed}


def _finished(found: Iterable[Shoe]) -> QuerySet[Hand]:
    """The rounds of these shoes that a map shows."""
    return Hand.objects.filter(
        shoe__in=[shoe.pk for shoe in found],
        status=Hand.Status.FINISHED,
        cards_dealt__gt=0,
        game__in=GAMES_WITH_ROADS,
    )


def results_at(tables: Iterable[Table], now: datetime) -> dict[int, Results]:
    """The results of the shoes that lie on these tables; those that have no roads are left out.

    A round whose cards are still turned by hand is left out: its end is hidden from those who turn
    them. Two queries, however many tables there are.
    """
    roads = [table for table in tables if table.game in GAMES_WITH_ROADS]
    if not roads:
        return {}
    table_of_shoe = {table.shoe_id: table.pk for table in roads}
    squeezed = [table.pk for table in roads if is_squeezed(table, now)]
    fresh = Q(table__in=squeezed, ended_at__gt=now - SQUEEZE_TIME) if squeezed else None
    found = Shoe.objects.filter(pk__in=[code for code in table_of_shoe if code])
    return {table_of_shoe[code]: results for code, results in results_of(found, but=fresh).items()}


def _dealt_again(shoe: Shoe, rounds: Rounds) -> Results:
    """The results of these rounds."""
    if not rounds:
        return ()
    cards = custody.cards(shoe)
    return tuple(
        result_of(deal_coup(cards[first : first + 6], literal)) for first, literal in rounds
    )


def shoe_maps(table: Table, found: Sequence[Shoe]) -> list[ShoeMapped]:
    """These shoes of a table, each with its maps."""
    game = game_from(table.game, table.options)
    assert isinstance(game, BaccaratTable)
    results = results_of(found)
    return [_mapped(shoe, game, results.get(shoe.code, ())) for shoe in found]


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
