"""Tournaments as JSON: made from what the pages show, and from nothing else.

The same types make the schema and the responses, so they cannot differ.
"""

from typing import Annotated, Any

from django.utils.translation import gettext_noop as _n
from msgspec import UNSET, Meta, UnsetType

from games.api.hands import MixedBy
from games.web.payloads import (
    NUMBER_MAX,
    Currency,
    GameKey,
    Moment,
    Number,
    Payload,
    Sent,
    Text,
    described,
    one_of,
    payload,
)
from tournaments.mathematics.structure import Level
from tournaments.models import Entry, EventShoe, Tournament
from tournaments.overview.event_view import EventView, prize_lines
from tournaments.overview.words import KINDS

Kind = Annotated[str, one_of(kind for kind, _words in KINDS)]
State = Annotated[str, one_of(Tournament.State.values)]
EntrantState = Annotated[str, one_of(Entry.State.values)]
Points = Annotated[int | None, described(_n("Match points; null where there are none."))]
Score = Annotated[int | None, described(_n("What you rank by in the rounds of a knock-out."))]


class TournamentInList(Payload, frozen=True, kw_only=True):
    """A tournament as the list has it."""

    id: int
    name: str
    kind: Kind
    game: GameKey
    currency: Currency
    state: State
    starts_at: Moment | None
    started_at: Moment | None
    ended_at: Moment | None
    stake: int
    fee: int
    guarantee: int
    field_min: int
    field_max: int
    entrants: int
    players_left: int
    registration_open: bool
    entered: Annotated[bool, described(_n("You have entered it."))]
    version: int


class ListResponse(Payload, frozen=True, kw_only=True):
    tournaments: list[TournamentInList]


class Stakes(Payload, frozen=True, kw_only=True):
    """A level: what is played for, and how long."""

    point: int | UnsetType = UNSET
    bet_min: int | UnsetType = UNSET
    bet_max: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET
    hands: int | UnsetType = UNSET


class Prize(Payload, frozen=True, kw_only=True):
    """A prize, for one place or several in a row, as the field is now."""

    first: int
    last: int
    amount: int


class Rounds(Payload, frozen=True, kw_only=True):
    """The progress of duplicate rounds, or of the rounds of a knock-out."""

    round: Annotated[int, described(_n("Counted from 1; 0 before the first."))]
    rounds: int
    number: Annotated[
        int, described(_n("Of the deal; in a knock-out of the slowest table's hand."))
    ]
    of: Annotated[int, described(_n("How many a round has."))]
    of_deals: Annotated[bool, described(_n("Deals of a duplicate, not hands."))]
    is_over: Annotated[bool, described(_n("All tables have finished it."))]


class MyPart(Payload, frozen=True, kw_only=True):
    """Your part in a tournament."""

    number: Annotated[int, described(_n("Your number in the draws of the shoe."))]
    state: EntrantState
    table: Annotated[int | None, described(_n("Where you sit; play there as at any table."))]
    chips: int
    place: int | None
    points: Points
    score: Score
    above_line: Annotated[int | None, described(_n("How many chips more than the line you have."))]
    prize: int
    net: Annotated[
        int,
        described(_n("The prize less stakes and fees; final once the tournament has ended.")),
    ]
    entries: Annotated[int, described(_n("How often you have entered."))]
    added_on: bool
    wants: Annotated[
        str,
        described(
            _n("What you must send next to mix the shoe; empty if nothing."),
            enum=["", "commit", "reveal"],
        ),
    ]
    may: Annotated[list[str], described(_n("The actions available now."))]


class TournamentView(Payload, frozen=True, kw_only=True):
    """A tournament as you see it."""

    id: int
    name: str
    kind: Kind
    game: GameKey
    currency: Currency
    state: State
    version: Annotated[int, described(_n("Grows with every change; ask again with known=."))]
    stream: Annotated[str, described(_n("The event stream that announces new versions."))]
    starts_at: Annotated[Moment | None, described(_n("Null: when it is full."))]
    started_at: Moment | None
    ended_at: Moment | None
    structure: Annotated[
        object,
        described(_n("As in a structure file."), type="object", additionalProperties=True),
    ]
    level: Annotated[int, described(_n("Counted from 1; 0 before the start."))]
    stakes: Annotated[Stakes, described(_n("What the present level is played for."))]
    level_ends_at: Moment | None
    on_break: bool
    paused: bool
    stage: Annotated[int, described(_n("2 in the rounds after a knock-out."))]
    progress: Annotated[Rounds | None, described(_n("The rounds; null where none are played."))]
    hand_for_hand: bool
    final_table: bool
    registration_open: bool
    entrants: int
    entries: int
    players_left: int
    chips: Annotated[int, described(_n("All chips that are in play."))]
    average: int
    pool: int
    places_paid: int
    prizes: list[Prize]
    mine: MyPart | None
    why_not: Annotated[
        str,
        described(_n("The code of the refusal, if you could not enter now; otherwise empty.")),
    ]


class Place(Payload, frozen=True, kw_only=True):
    """An entrant: those who play come first, by their chips."""

    place: int
    player: str
    is_bot: bool
    state: EntrantState
    chips: Annotated[
        int, described(_n("In duplicate rounds those won in all deals, which may be negative."))
    ]
    points: Points
    share_bp: Annotated[
        int | None,
        described(_n("Match points in basis points of the most that can be had.")),
    ]
    score: Annotated[
        int | None, described(_n("What players rank by in the rounds of a knock-out."))
    ]
    gained: Annotated[
        int,
        described(_n("Places gained since the level, round or deal began; lost if below zero.")),
    ]
    table: int | None
    prize: int


class PlacesResponse(Payload, frozen=True, kw_only=True):
    places: list[Place]
    count: int


class HandInEvent(Payload, frozen=True, kw_only=True):
    """A hand that you have played in a tournament."""

    id: Annotated[int, described(_n("Its record is at hands/{id}/."))]
    code: str
    table: Annotated[int, described(_n("The tournament's number of the table."))]
    level: int
    round: Annotated[int, described(_n("0 where there are no rounds."))]
    net: Annotated[int, described(_n("In chips."))]
    is_void: bool
    ended_at: Moment


class HandsInEvent(Payload, frozen=True, kw_only=True):
    hands: list[HandInEvent]


class EntrantPart(Payload, frozen=True, kw_only=True):
    """An entrant's part in mixing the shoe."""

    entrant: int
    who: MixedBy
    commit: str
    reveal: str


class Draw(Payload, frozen=True, kw_only=True):
    """An order that was drawn: any reader can compute it from the mix and the opened link."""

    label: str
    link: int
    x_m: str
    things: list[int]
    order: list[int]


class FirstSeat(Payload, frozen=True, kw_only=True):
    """The seat that the first draw gave to an entrant."""

    entrant: int
    table: Annotated[int, described(_n("The tournament's number of the table."))]
    seat: int


class EventShoePublished(Payload, frozen=True, kw_only=True):
    """The published values of a tournament's shoe; docs/verify.py checks them as they are."""

    format: str
    id: str
    status: Annotated[str, one_of(EventShoe.Status.values)]
    seal: str
    key: str
    x_0: str
    leaves: list[str]
    sealed: Annotated[str, described(_n("The seal of the shoe without those of its deals."))]
    deals: list[str]
    lock: str
    mix: str
    entrants: list[EntrantPart]
    draws: list[Draw]
    sizes: Annotated[
        list[int],
        described(_n("With how many players a table can play, and how many it has at most.")),
    ]
    seats: list[FirstSeat]


Bytes = Annotated[Text, Meta(max_length=64), described(_n("32 bytes in hexadecimal digits."))]


class EntrantCommit(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    commit: Bytes


class EntrantReveal(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reveal: Bytes


class ListQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The filters of the list."""

    state: Annotated[
        str,
        described(
            _n("Default: all announced and running tournaments."),
            enum=["open", "running", "over", "mine"],
        ),
    ] = ""
    game: GameKey | UnsetType = UNSET
    before: (
        Annotated[Number, described(_n("Only tournaments with a smaller number."))] | UnsetType
    ) = UNSET
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class HandsQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of one's hands to send, the latest first."""

    before: Annotated[Number, described(_n("Only hands with a smaller number."))] | UnsetType = (
        UNSET
    )
    limit: Annotated[int, Meta(ge=1, le=200)] = 100


class PlacesQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a long list to send."""

    offset: Annotated[int, Meta(ge=0, le=100_000)] = 0
    limit: Annotated[int, Meta(ge=1, le=200)] = 100


class KnownQuery(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The query of a look at a tournament."""

    known: (
        Annotated[
            int,
            Meta(le=NUMBER_MAX),
            described(_n("The version you have: without a newer one the answer is 204.")),
        ]
        | UnsetType
    ) = UNSET


def in_list(row: Tournament, *, entered: bool) -> TournamentInList:
    names = ("stake", "field_min", "field_max")
    of_structure = {name: row.structure[name] for name in names}
    fee = row.structure.get("fee", 0)
    return payload(TournamentInList, row, **of_structure, fee=fee, entered=entered)


def tournament_view(view: EventView, level: Level, stream: str) -> TournamentView:
    """All that one reader may know of an event now."""
    row, progress = view.tournament, view.progress
    stakes = {name: getattr(level, name) for name in Stakes.__struct_fields__}
    return payload(
        TournamentView,
        row,
        stream=stream,
        stakes=Stakes(**{name: value for name, value in stakes.items() if value is not None}),
        paused=row.paused_at is not None,
        progress=progress and payload(Rounds, progress),
        average=view.average,
        pool=view.pool.amount,
        places_paid=view.paid,
        prizes=[payload(Prize, line) for line in prize_lines(row, None)],
        mine=_my_part(view),
        why_not=view.mine.why_not.code if view.mine.why_not else "",
    )


def _my_part(view: EventView) -> MyPart | None:
    mine, entry = view.mine, view.mine.entry
    if entry is None:
        return None
    of_entry: dict[str, Any] = {
        name: getattr(entry, name) for name in ("number", "state", "prize", "entries", "added_on")
    }
    return payload(
        MyPart,
        mine,
        **of_entry,
        table=mine.table_id,
        score=mine.outlook.score if mine.outlook else None,
        above_line=mine.outlook.above if mine.outlook else None,
        may=[offer.verb for offer in mine.offers],
    )
