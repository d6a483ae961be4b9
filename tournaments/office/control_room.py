"""The page of an event's control room: its state and money, what was done, and its tables.

Tables that need staff come first, with their chips.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Seat, Table
from games.words.naming import player_title
from tournaments.event import floor, moving
from tournaments.event.organiser import least_players
from tournaments.mathematics.seating import Place
from tournaments.mathematics.structure import Structure
from tournaments.models import Elimination, EventTable, TableChange, Tournament
from tournaments.overview.event_view import Turned, event_view, number_in
from tournaments.overview.pager import Pager, pager
from tournaments.overview.tables_view import Sitting, people_at, state_of
from tournaments.overview.words import chips
from wallets.models import Account
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import journal
from wallets.values.amounts import show_amount
from wallets.values.player import Viewer

RUNNING = Tournament.State.RUNNING


class Coming(NamedTuple):
    """A player who moves as soon as the hands allow it."""

    name: str
    face: int
    source: str
    target: str


def moves_to_come(tournament: Tournament) -> list[Coming]:
    """Return the moves planned for the present field; each ended hand may change them."""
    # In rounds no player moves before the round is over.
    if not tournament.moves_due or tournament.round or tournament.state != RUNNING:
        return []
    state = floor.state_of(tournament)
    plan = moving.plan_of(tournament, state)
    moved = tournament.all_entries.filter(number__in=[move.entry for move in plan.moves])
    entries = {entry.number: entry for entry in moved.select_related("player")}
    return [
        Coming(
            player_title(entry.player.username, entry.player.is_bot),
            entry.player.face,
            _where(move.source),
            _where(move.target),
        )
        for move in plan.moves
        for entry in [entries[move.entry]]
    ]


def _where(place: Place | None) -> str:
    if place is None:
        return _("waits")
    return _("table {table}, seat {seat}").format(table=place.table, seat=place.seat)


SHOWN: Final = 12
ACTS_SHOWN: Final = 20


class Consequence(NamedTuple):
    """Something that is given back, or lost."""

    amount: str
    words: str


class Wanted(NamedTuple):
    """The pages of the lists that staff have turned to, and their order of the tables."""

    turned: Turned
    acts: int | None = None
    by_number: bool = False

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "Wanted":
        by_number = query.get("by") == "number"
        return cls(Turned.read(query), number_in(query, "acts"), by_number)


class Intervention(NamedTuple):
    """One action of a member of staff, with its reason."""

    entry: JournalEntry
    words: str


class Interventions(NamedTuple):
    lines: list[Intervention]
    page: Page[JournalEntry]


class Happening(NamedTuple):
    """A move or an elimination."""

    at: Any
    name: str
    words: str


class Agreement(NamedTuple):
    """The balance of the prize account and the balance that it should have."""

    held: int
    due: int

    @property
    def agrees(self) -> bool:
        return self.held == self.due


def control_room(viewer: Viewer, tournament: Tournament, wanted: Wanted) -> dict[str, object]:
    """All that the page of one event shows to staff."""
    now = timezone.now()
    event = event_view(viewer, tournament, wanted.turned, now)
    board = table_board(
        tournament, event.structure, wanted.turned.tables, now, by_number=wanted.by_number
    )
    return {
        "tournament": tournament,
        "event": event,
        "board": board,
        "coming": moves_to_come(tournament),
        "currency": tournament.currency,
        "now": now,
        "agreement": agreement(tournament),
        "interventions": interventions(tournament, wanted.acts),
        "happenings": happenings(tournament, event.why_cancelled),
        "is_over": tournament.state in Tournament.OVER,
        "winners": winners(tournament),
        "proposals": Proposal.objects.filter(
            subject=tournament.reference, status=Proposal.Status.PROPOSED
        ),
        "actions": _actions(tournament),
    }


def agreement(tournament: Tournament) -> Agreement:
    """Stakes and the house's addition, less what has been paid out of them."""
    held = Account.objects.values_list("balance", flat=True).get(pk=tournament.prize_account_id)
    prizes = tournament.payouts.filter(kind="prize").exclude(paid_at=None)
    paid = prizes.aggregate(sum=Sum("amount"))["sum"] or 0
    return Agreement(held, tournament.stakes + (tournament.added or 0) - paid)


def interventions(tournament: Tournament, page: int | None) -> Interventions:
    """Everything that staff have done about an event, the last first."""
    entries = JournalEntry.objects.filter(subject=tournament.reference).order_by("-position")
    shown = Paginator(entries, ACTS_SHOWN).get_page(page or 1)
    lines = [Intervention(entry, str(journal.words_of(entry.verb))) for entry in shown]
    return Interventions(lines, shown)


def happenings(tournament: Tournament, why_cancelled: str) -> list[Happening]:
    """The last moves, eliminations and turns of the event itself, the last first."""
    moves = TableChange.objects.filter(tournament=tournament).select_related(
        "entry__player", "to_table__event_table"
    )
    outs = Elimination.objects.filter(tournament=tournament).select_related("entry__player")
    happenings = [
        *_turns(tournament, why_cancelled),
        *(_moved(move) for move in moves.order_by("-pk")[:SHOWN]),
        *(
            Happening(out.at, _name(out), str(out.get_why_display()))
            for out in outs.order_by("-pk")[:SHOWN]
        ),
    ]
    return sorted(happenings, key=lambda happening: happening.at, reverse=True)[:SHOWN]


def _turns(tournament: Tournament, why_cancelled: str) -> Iterator[Happening]:
    """When the event was announced, when it started and how it ended."""
    cancelled = tournament.state in (Tournament.State.CANCELLING, Tournament.State.CANCELLED)
    ended = _("Cancelled: {why}").format(why=why_cancelled) if cancelled else _("Finished")
    turns = (
        (tournament.announced_at, _("Announced")),
        (tournament.started_at, _("Started")),
        (tournament.registration_closed_at, _("Registration closed")),
        (tournament.ended_at, ended),
    )
    return (Happening(at, "", words) for at, words in turns if at is not None)


def winners(tournament: Tournament) -> list[str]:
    """Who has the first place, once it is decided."""
    if tournament.state != Tournament.State.FINISHED:
        return []
    first = tournament.all_entries.filter(place=1).select_related("player")
    return [player_title(entry.player.username, entry.player.is_bot) for entry in first]


def _moved(move: TableChange) -> Happening:
    table = move.to_table.event_table.number if move.to_table else None
    where = _("to table {number}").format(number=table) if table else _("waits")
    return Happening(move.at, _name(move), f"{move.get_why_display()}: {where}")


def _name(row: Any) -> str:
    return player_title(row.entry.player.username, row.entry.player.is_bot)


def refunds(tournament: Tournament) -> list[Consequence]:
    """Return what cancelling refunds and takes away, with numbers."""
    back = tournament.stakes + tournament.fees
    live = tournament.tables.filter(broken_at=None, table__hand__isnull=False).count()
    money = f"{show_amount(back, tournament.currency)} {tournament.currency_id}"
    house = tournament.guarantee if tournament.added is None else tournament.added
    lines = [
        Consequence(str(live), _("hands voided; their chips return to the stacks")),
        Consequence(
            money,
            _("stakes and fees back to {players} players").format(players=tournament.entrants),
        ),
        Consequence(chips(tournament.chips), _("chips burnt; places are not kept")),
    ]
    if house:
        amount = f"{show_amount(house, tournament.currency)} {tournament.currency_id}"
        lines.append(Consequence(amount, _("back to the account of the house")))
    return lines


def _actions(tournament: Tournament) -> list[str]:
    """The actions available now."""
    running = tournament.state == Tournament.State.RUNNING
    actions = {
        "pause": running and tournament.paused_at is None,
        "resume": running and tournament.paused_at is not None,
        "close": running and tournament.registration_closed_at is None,
        "message": tournament.state in Tournament.ALIVE,
        "cancel": tournament.state in Tournament.ALIVE,
    }
    return [name for name, possible in actions.items() if possible]


TABLES_SHOWN: Final = 24
# A deadline is acted on within seconds; a table that is this late needs staff.
STUCK: Final = timedelta(seconds=30)


class Card(NamedTuple):
    """A table, with what it needs: nothing, or words for it."""

    number: int
    table_id: int
    people: tuple[Sitting, ...]
    state: str
    chips: int
    deadline: datetime | None
    needs: str
    is_alarm: bool


class Board(NamedTuple):
    cards: tuple[Card, ...]
    open: int
    needing: int
    by_number: bool
    pager: Pager


class _Seats(NamedTuple):
    players: int
    chips: int


class _Need(NamedTuple):
    """A table's need for attention: its urgency, the lowest first, and its text."""

    order: int
    words: str


NOTHING: Final = _Need(9, "")


def table_board(
    tournament: Tournament,
    structure: Structure,
    page: int | None,
    now: datetime,
    *,
    by_number: bool,
) -> Board:
    """The open tables; tables that need staff come first, unless sorted by number."""
    links = tournament.tables.filter(broken_at=None).exclude(table__status=Table.Status.CLOSED)
    rows = list(links.select_related("table").order_by("number"))
    seats = _seats(rows)
    least = least_players(structure)
    needs = {row.pk: _need(row, seats, least, now) for row in rows}
    if not by_number:
        rows.sort(key=lambda row: (needs[row.pk].order, row.number))
    turned = pager(len(rows), TABLES_SHOWN, page)
    shown = rows[turned.start : turned.start + TABLES_SHOWN]
    people = people_at(shown)
    cards = tuple(
        Card(
            number=row.number,
            table_id=row.table_id,
            people=tuple(people.get(row.table_id, ())),
            state=state_of(tournament, row),
            chips=seats.get(row.table_id, _Seats(0, 0)).chips,
            deadline=row.table.deadline if row.table.turns else None,
            needs=needs[row.pk].words,
            is_alarm=needs[row.pk].order == 0,
        )
        for row in shown
    )
    needing = sum(need is not NOTHING for need in needs.values())
    return Board(cards, len(rows), needing, by_number, turned)


def _seats(rows: list[EventTable]) -> dict[int, _Seats]:
    taken = Seat.objects.filter(table__in=[row.table_id for row in rows], left_at=None)
    sums = taken.values_list("table").annotate(players=Count("pk"), chips=Sum("stack__balance"))
    return {table: _Seats(players, chips or 0) for table, players, chips in sums}


def _need(row: EventTable, seats: Mapping[int, _Seats], least: int, now: datetime) -> _Need:
    table = row.table
    if table.due_at is not None and table.due_at < now - STUCK:
        return _Need(0, _("stuck: needs attention"))
    if row.held:
        return _Need(1, _("held: a player moves after this hand"))
    if seats.get(row.table_id, _Seats(0, 0)).players < least and table.hand_id is None:
        return _Need(2, _("waits for players"))
    return NOTHING
