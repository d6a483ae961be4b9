"""Lists of events, and a player's own results and hands in them."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from games.models import Hand, HandSeat
from games.models.combined import Read, read_together
from games.models.prepared import Query
from games.tables.formats import format_of
from games.words.naming import game_name, short_name
from tournaments.event import registration
from tournaments.models import Entry, Tournament
from tournaments.overview.words import kind_name, state_in_words
from wallets.values.amounts import show_amount, show_signed
from wallets.values.player import Player, Viewer, is_player


class Result(NamedTuple):
    """The net of one entry as text, and what it is made of; empty parts are not shown."""

    net: str
    amount: int
    prize: str
    stake: str
    fee: str
    currency: str


def net_of(entry: Entry) -> int:
    return entry.prize - entry.own_cost


def own_costs(entry: Entry) -> tuple[int, int]:
    """The stake and the fee that a player has paid; one sum where a ticket has paid a part."""
    return (entry.own_cost, 0) if entry.ticket_paid else (entry.stake_paid, entry.fee_paid)


def is_final(entry: Entry) -> bool:
    """Whether the net can no longer change: prizes are known, and stakes are returned."""
    return entry.state not in Entry.LEFT and (entry.prize > 0 or entry.tournament.is_over)


def result_of(entry: Entry | None) -> Result | None:
    """Return the net of an entry, once it can no longer change."""
    if entry is None or not is_final(entry):
        return None
    currency, net = entry.tournament.currency, net_of(entry)
    prize, stake, fee = (
        show_amount(part, currency) if part else "" for part in (entry.prize, *own_costs(entry))
    )
    return Result(show_signed(net, currency), net, prize, stake, fee, currency.unit)


LOBBY_SHOWN: Final = 5
# Events of one kind make one line, so more of them are read than are shown.
LOBBY_READ: Final = 20
PAGE: Final = 25
SOON: Final = timedelta(minutes=15)


class Choice(NamedTuple):
    """One of several events that differ in their game alone."""

    id: int
    game: str
    entrants: int


class EventRow(NamedTuple):
    id: int
    name: str
    game: str
    # Next to the name of its family.
    short_game: str
    kind: str
    # The state as it is stored, and in words.
    state: str
    says: str
    starts_at: datetime | None
    entrants: int
    field_max: int
    left: int
    stake: str
    fee: str
    pool: str
    is_guaranteed: bool
    currency: str
    mine: bool
    can_enter: bool
    # In the lobby: the events that stand in this line, if there are several.
    choices: tuple[Choice, ...] = ()

    @property
    def is_full(self) -> bool:
        return self.entrants >= self.field_max


class MyRow(NamedTuple):
    """An event in which a player has taken part."""

    row: EventRow
    place: int | None
    # Once it is known; until then only what the entry has cost.
    result: Result | None
    paid: str
    state: str
    ended_at: datetime | None


def rows(viewer: Viewer, tournaments: Iterable[Tournament]) -> list[EventRow]:
    """Events as a list shows them to one reader."""
    events = list(tournaments)
    own = my_events(viewer, [event.pk for event in events])
    return [_row(event, event.pk in own) for event in events]


def upcoming() -> QuerySet[Tournament]:
    """Announced and running events: what starts next is first, what is played is last."""
    alive = Tournament.objects.filter(state__in=(*Tournament.ALIVE, Tournament.State.PAYING))
    order = Case(
        When(state=Tournament.State.ANNOUNCED, starts_at__isnull=False, then=Value(0)),
        When(state=Tournament.State.ANNOUNCED, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return alive.select_related("currency").order_by(order, "starts_at", "pk")


def finished() -> QuerySet[Tournament]:
    """The events that are over; those that nobody entered are not listed."""
    over = Tournament.objects.filter(state__in=Tournament.OVER).exclude(
        state=Tournament.State.CANCELLED, entrants=0
    )
    return over.select_related("currency").order_by("-ended_at", "-pk")


# The lobby's events with greater numbers than this, and enough of them to leave out a reader's own.
_UPCOMING: Final = Query(lambda after: upcoming().filter(pk__gt=after)[: LOBBY_SHOWN + LOBBY_READ])
_MINE: Final = Query(
    lambda player: upcoming().filter(
        Q(all_entries__player=player, all_entries__state__in=Entry.LEFT)
    )[:LOBBY_SHOWN]
)


# What the reader has entered of the events that are not over.
_MY_ENTRIES: Final = Query(
    lambda player: (
        Entry.objects.filter(player=player)
        .exclude(tournament__state__in=Tournament.OVER)
        .exclude(state=Entry.State.WITHDRAWN)
    )
)
_SOON: Final = Query(
    lambda now, until: (
        Tournament.objects.filter(
            state=Tournament.State.ANNOUNCED, starts_at__gt=now, starts_at__lte=until
        )
        .select_related("currency")
        .order_by("starts_at", "pk")[:PAGE]
    ),
    datetime,
    datetime,
)


def reads_for_lobby(viewer: Viewer) -> list[Read]:
    number = viewer.pk if is_player(viewer) else None
    own: list[Read] = [(_MINE, (number,)), (_MY_ENTRIES, (number,))] if number else []
    return [(_UPCOMING, (0,)), *own]


def for_lobby(viewer: Viewer) -> tuple[EventRow, ...]:
    """Return the lobby's rows: the reader's own events, then those open for registration."""
    with read_together(reads_for_lobby(viewer)):
        mine = _MINE(viewer.pk) if is_player(viewer) else []
        others = [tournament for tournament in _UPCOMING(0) if tournament not in mine]
        listed_rows = _rows_alive(viewer, [*mine, *others[:LOBBY_READ]])
    return tuple(one_line_a_kind(listed_rows)[:LOBBY_SHOWN])


def read_of_soon(now: datetime) -> Read:
    return _SOON, (now, now + SOON)


def soon(viewer: Viewer, now: datetime) -> EventRow | None:
    """The next event that begins within a quarter of an hour, and is the reader's or has room."""
    soon_rows = _rows_alive(viewer, _SOON(now, now + SOON))
    return next((row for row in soon_rows if row.mine or row.can_enter), None)


def _rows_alive(viewer: Viewer, events: Sequence[Tournament]) -> list[EventRow]:
    """Rows of events that are not over."""
    own = set[int]()
    if events and is_player(viewer):
        own = {entry.tournament_id for entry in _MY_ENTRIES(viewer.pk)}
    return [_row(event, mine=event.pk in own) for event in events]


def one_line_a_kind(event_rows: Iterable[EventRow]) -> list[EventRow]:
    """Put events that start when they are full, and differ in their game alone, into one line."""
    lines: dict[object, list[EventRow]] = {}
    for row in event_rows:
        alike = (row.kind, row.stake, row.fee, row.pool, row.currency, row.field_max)
        waits = row.state == Tournament.State.ANNOUNCED and row.starts_at is None and not row.mine
        lines.setdefault(alike if waits else row.id, []).append(row)
    return [
        line[0]
        if len(line) == 1
        else line[0]._replace(choices=tuple(Choice(r.id, r.short_game, r.entrants) for r in line))
        for line in lines.values()
    ]


def my_events(viewer: Viewer, numbers: Iterable[int]) -> set[int]:
    """Those of the events that the reader has entered and not left."""
    numbers = list(numbers)
    if not numbers or not is_player(viewer):
        return set()
    own = Entry.objects.filter(player=viewer.pk, tournament__in=numbers)
    return set(own.exclude(state=Entry.State.WITHDRAWN).values_list("tournament", flat=True))


def results_of(player: Viewer) -> QuerySet[Entry]:
    """Everything that a player has entered, the latest first."""
    own = Entry.objects.filter(player=player.pk).exclude(state=Entry.State.WITHDRAWN)
    return own.select_related("tournament__currency").order_by("-pk")


def my_row(entry: Entry) -> MyRow:
    tournament = entry.tournament
    return MyRow(
        row=_row(tournament, mine=True),
        place=entry.place,
        result=result_of(entry),
        paid=show_amount(entry.own_cost, tournament.currency),
        state=str(entry.get_state_display()),
        ended_at=tournament.ended_at,
    )


def state() -> object:
    """Return the changing part of the lobby's list that is the same for all readers."""
    listed = upcoming().values_list("pk", "state", "entrants", "starts_at")
    return tuple(listed[:LOBBY_READ])


def _row(tournament: Tournament, mine: bool) -> EventRow:
    structure: dict[str, Any] = tournament.structure
    currency = tournament.currency
    pool = registration.pool(tournament)
    return EventRow(
        id=tournament.pk,
        name=tournament.title,
        game=str(game_name(tournament.game)),
        short_game=short_name(tournament.game),
        kind=kind_name(tournament.kind),
        state=tournament.state,
        says=state_in_words(tournament),
        starts_at=tournament.starts_at,
        entrants=tournament.entrants,
        field_max=structure["field_max"],
        left=tournament.players_left,
        stake=show_amount(structure["stake"], currency),
        fee=show_amount(structure.get("fee", 0), currency) if structure.get("fee") else "",
        pool=show_amount(pool, currency),
        is_guaranteed=bool(tournament.guarantee),
        currency=currency.unit,
        mine=mine,
        can_enter=tournament.registration_open
        and not mine
        and tournament.entrants < structure["field_max"],
    )


class HandLine(NamedTuple):
    """A hand of the player's, in chips."""

    hand: Hand
    table: int
    level: int
    round: int
    net: int
    is_void: bool


def played_by(player: Player, tournament: Tournament) -> QuerySet[HandSeat]:
    played = HandSeat.objects.filter(
        player=player.pk, hand__tournament_row__tournament=tournament.pk
    )
    related = played.select_related("hand__table", "hand__shoe", "hand__tournament_row")
    number = F("hand__tournament_row__table__event_table__number")
    return related.annotate(at_table=number).order_by("-hand_id")


def lines(seats: Iterable[Any]) -> list[HandLine]:
    """A deal that others still play is hidden."""
    return [
        HandLine(
            hand=seat.hand,
            table=seat.at_table,
            level=seat.hand.tournament_row.level,
            round=seat.hand.tournament_row.round,
            net=seat.net or 0,
            is_void=seat.hand.status == Hand.Status.VOID,
        )
        for seat in seats
        if format_of(seat.hand.table).history_open(seat.hand)
    ]
