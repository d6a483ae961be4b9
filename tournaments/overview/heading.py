"""What the games' own pages show of an event, and its podium, the end of it.

The heading tells a player that they were moved or eliminated; the page then opens the new table.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from games.models import Table
from games.models.combined import Read
from games.tables.formats import Heading
from games.words.naming import player_title
from games.words.players import PLACES_SHOWN, Placed
from tournaments.event import registration
from tournaments.event.organiser import structure_of
from tournaments.models import Entry, EventTable, Tournament
from tournaments.overview import listing
from tournaments.overview.clock_view import (
    ClockView,
    Progress,
    clock_view,
    goes_out,
    progress,
    score_of,
    to_the_money,
)
from tournaments.overview.listing import EventRow, Result, result_of
from tournaments.overview.my_entry import chips_of, may_enter_again, points_of
from tournaments.overview.ranking import place_of
from wallets.models import unit_of
from wallets.values.amounts import show_amount
from wallets.values.player import Viewer, is_player

SHOWN_IN: Final = (Tournament.State.PAYING, Tournament.State.FINISHED)


class Again(NamedTuple):
    """An event that can be entered now, made by the same template, and what that costs."""

    id: int
    cost: str


def podium(tournament: Tournament) -> tuple[Placed, ...]:
    """The players of the first places, with their prizes; empty until the event ends."""
    if tournament.state not in SHOWN_IN:
        return ()
    entries = tournament.all_entries.filter(place__lte=PLACES_SHOWN).order_by("place")
    return tuple(
        Placed(
            entry.place or 0,
            entry.player_id,
            player_title(entry.player.username, entry.player.is_bot),
            entry.player.face,
            entry.player.is_bot,
            _money(entry.prize, tournament) if entry.prize else "",
        )
        for entry in entries.select_related("player")
    )


def again(tournament: Tournament) -> Again | None:
    """The event to enter after one that is over: of those made alike, the one that begins next."""
    if tournament.state not in SHOWN_IN:
        return None
    alike = Tournament.objects.filter(
        template__name=tournament.name,
        state=Tournament.State.ANNOUNCED,
        registration_closed_at=None,
    )
    following = alike.select_related("currency").order_by("starts_at", "pk").first()
    if following is None:
        return None
    structure = structure_of(following)
    cost = structure.stake + structure.fee
    return Again(following.pk, _money(cost, following) if cost else "")


def _money(amount: int, tournament: Tournament) -> str:
    return f"{show_amount(amount, tournament.currency)} {unit_of(tournament.currency_id)}"


TEMPLATE: Final = "tournaments/heading.html"
HEAD: Final = "tournaments/heading_head.html"


class AtTable(NamedTuple):
    """An event as the page of one of its tables tells of it."""

    id: int
    table_id: int
    name: str
    number: int
    state: str
    notice: str
    clock: ClockView
    progress: Progress | None
    # Whether players go out: then it means something how many are left, and with how many chips.
    goes_out: bool
    left: int
    entrants: int
    average: int
    to_the_money: int
    hand_for_hand: bool
    final_table: bool
    # The viewer's own part; None where they have not entered.
    entry_state: str
    place: int | None
    chips: int
    # The ranking in duplicate rounds, and in those of a knock-out.
    points: int | None
    percent: str
    score: int | None
    result: Result | None
    may_enter_again: bool
    # Where the viewer now sits, if that is another table.
    goes_to: int | None
    goes_to_number: int | None
    sits_here: bool
    # Once it is over: the first places, the next event alike, and the viewer's number.
    podium: tuple[Placed, ...]
    again: Again | None
    me: int | None


def heading(link: EventTable, table: Table, viewer: Viewer, _now: datetime) -> Heading:
    tournament = link.tournament
    entry = _entry(tournament, viewer)
    seat = entry.seat if entry else None
    elsewhere = seat.table_id if seat and seat.table_id != table.pk else None
    numbers = tournament.tables.filter(table=elsewhere).values_list("number", flat=True)
    clock = clock_view(tournament)
    paid = registration.places_paid(tournament)
    falls = goes_out(tournament)
    held = chips_of(entry) if entry and entry.state in Entry.LEFT else 0
    points, share = points_of(tournament, entry) if entry else (None, "")
    return Heading(
        TEMPLATE,
        HEAD,
        AtTable(
            id=tournament.pk,
            table_id=table.pk,
            name=tournament.title,
            number=link.number,
            state=tournament.state,
            notice=tournament.notice,
            clock=clock,
            progress=progress(tournament),
            goes_out=falls,
            left=tournament.players_left,
            entrants=tournament.entrants,
            average=tournament.chips // max(1, tournament.players_left),
            to_the_money=to_the_money(tournament, paid),
            hand_for_hand=tournament.hand_for_hand,
            final_table=tournament.final_table,
            entry_state=entry.state if entry else "",
            place=place_of(tournament, entry, held),
            chips=held,
            points=points,
            percent=share,
            score=score_of(tournament, held) if entry and entry.state in Entry.LEFT else None,
            result=result_of(entry),
            may_enter_again=entry is not None and may_enter_again(tournament, entry),
            goes_to=elsewhere,
            goes_to_number=numbers.first() if elsewhere else None,
            sits_here=seat is not None and seat.table_id == table.pk,
            podium=podium(tournament),
            again=again(tournament),
            me=viewer.pk,
        ),
    )


def _entry(tournament: Tournament, viewer: Viewer) -> Entry | None:
    if not is_player(viewer):
        return None
    own = tournament.all_entries.filter(player=viewer.pk).exclude(state=Entry.State.WITHDRAWN)
    return own.select_related("seat", "player").first()


class Versions:
    """The versions of events, which are public."""

    def version_for(self, _viewer: Viewer, number: int) -> int | None:
        return self.versions_of([number]).get(number)

    def versions_of(self, numbers: Iterable[int]) -> Mapping[int, int]:
        tournaments = Tournament.objects.filter(pk__in=list(numbers))
        return dict(tournaments.values_list("pk", "version"))


class InLobby:
    """The next events and those that are played, above the tables."""

    template: str = "tournaments/in_lobby.html"
    place: str = "side"

    def reads(self, viewer: Viewer, _now: datetime) -> Sequence[Read]:
        return listing.reads_for_lobby(viewer)

    def content(self, viewer: Viewer, _now: datetime) -> tuple[EventRow, ...]:
        return listing.for_lobby(viewer)

    def state(self) -> object:
        return listing.state()


class SoonInLobby:
    """The event that begins within a quarter of an hour, among what the reader may do next."""

    template: str = "tournaments/soon_in_lobby.html"
    place: str = "next"

    def reads(self, _viewer: Viewer, now: datetime) -> Sequence[Read]:
        return [listing.read_of_soon(now)]

    def content(self, viewer: Viewer, now: datetime) -> EventRow | None:
        return listing.soon(viewer, now)

    def state(self) -> object:
        """The list beside the tables tells of changes."""
        return None
