"""A reader's own part in an event: how they stand, what is near, and what they can do now.

The outlook assumes that no other player's chips change, and the page says so.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Seat, Table
from games.rules.catalogue import game_type
from games.words.naming import player_title
from games.words.refusals import sentence_of
from tournaments.event import tickets
from tournaments.event.compared_deals import average_points
from tournaments.event.organiser import stage_of, structure_of
from tournaments.mathematics.rounds import carried, line_of
from tournaments.mathematics.stage import DUPLICATE, ROUNDS_STAGE
from tournaments.models import Entry, EventShoe, Ticket, Tournament
from tournaments.overview.clock_view import percent, score_of
from tournaments.overview.listing import Result, net_of, result_of
from tournaments.overview.ranking import place_of, places_with
from tournaments.overview.words import chips as words_of_chips
from tournaments.running import entries
from wallets.models import Account
from wallets.values.amounts import show_amount
from wallets.values.player import Player, Viewer, is_player

# So many points a hand often moves; with a landlord a call of 3 that is doubled once.
USUAL_POINTS: Final = 10
LANDLORD_POINTS: Final = 6


class Turn(NamedTuple):
    """A player's place after a possible hand."""

    chips: int
    # None: out.
    place: int | None


class Outlook(NamedTuple):
    """The line and the possible places of a player."""

    # The present place.
    place: int
    # How far the player is above the line, now and at the next level; None without a line.
    above: int | None
    above_next: int | None
    # The score that the player would carry into the rounds, or has there.
    carries: int | None
    score: int | None
    # The place after so many points won or lost; nothing where chips alone do not rank.
    points: int
    won: Turn | None
    lost: Turn | None


def outlook(tournament: Tournament, entry: Entry | None, chips: int) -> Outlook | None:
    """Return the outlook of a player who is still in; None for other readers."""
    if entry is None or tournament.state != Tournament.State.RUNNING or not entry.seat_id:
        return None
    if tournament.kind == DUPLICATE:
        return None
    structure = structure_of(tournament)
    rounds, knock_out = structure.rounds, structure.knock_out
    in_knock_out = knock_out is not None and tournament.stage != ROUNDS_STAGE
    above = above_next = None
    if knock_out is not None and in_knock_out:
        level, later = _points(tournament)
        above = chips - line_of(knock_out, level)
        above_next = chips - line_of(knock_out, later) if later else None
    point = _point_now(tournament)
    usual = LANDLORD_POINTS if game_type(tournament.game).has_landlord else USUAL_POINTS
    points = usual if point else 0
    amounts = (chips + points * point, max(0, chips - points * point)) if points else ()
    place, *places = places_with(tournament, entry, chips, *amounts)
    least = max(1, stage_of(tournament).least_to_stay(tournament.level))
    after = zip(amounts, places, strict=True)
    turns = [Turn(amount, at if amount >= least else None) for amount, at in after]
    won, lost = turns or (None, None)
    return Outlook(
        place=place,
        above=above,
        above_next=above_next,
        carries=carried(rounds.carry, chips) if rounds and in_knock_out else None,
        score=score_of(tournament, chips),
        points=points,
        won=won,
        lost=lost,
    )


def _points(tournament: Tournament) -> tuple[int, int | None]:
    """Return the value of a point at the present level and at the next one."""
    levels = structure_of(tournament).levels
    at = max(1, tournament.level)
    later = levels[at].point if at < len(levels) else None
    return levels[at - 1].point or 0, later


def _point_now(tournament: Tournament) -> int:
    rounds = structure_of(tournament).rounds
    if rounds is not None and tournament.stage == ROUNDS_STAGE:
        return rounds.point
    return _points(tournament)[0]


REGISTER: Final = "register"
BY_TICKET: Final = "register-with-ticket"
UNREGISTER: Final = "unregister"
ENTER_AGAIN: Final = "enter-again"
ADD_ON: Final = "add-on"


class AtMyTable(NamedTuple):
    """A player at the reader's table."""

    name: str
    face: int
    chips: int
    to_act: bool
    mine: bool


class MyTable(NamedTuple):
    """The state of the table when it was read."""

    id: int
    players: tuple[AtMyTable, ...]
    hand: int
    plays: bool
    # Whether the reader is to act, and the deadline of the present turn.
    my_turn: bool
    deadline: datetime | None
    whole_seconds: int


class Offer(NamedTuple):
    """Something that the reader can do now."""

    verb: str
    words: str
    # A sentence below the button.
    note: str
    is_main: bool
    address: str


class WhyNot(NamedTuple):
    """The reason why the reader cannot enter."""

    code: str
    sentence: str


class Mine(NamedTuple):
    """The reader's own part; without an entry, what they may do about it."""

    entry: Entry | None = None
    offers: tuple[Offer, ...] = ()
    why_not: WhyNot | None = None
    # The table to go to, and its number in the event.
    table_id: int | None = None
    table: int | None = None
    at_table: MyTable | None = None
    place: int | None = None
    chips: int = 0
    # In duplicate rounds, with what they are of the most that could be had.
    points: int | None = None
    percent: str = ""
    outlook: Outlook | None = None
    result: Result | None = None
    # "commit" or "reveal", as the reader's browser takes part in mixing the event's shoe.
    wants: str = ""

    @property
    def net(self) -> int:
        return net_of(self.entry) if self.entry else 0

    @property
    def plays(self) -> bool:
        return self.entry is not None and self.entry.state in Entry.LEFT


def mine(viewer: Viewer, tournament: Tournament, now: datetime) -> Mine:
    """Return what concerns one reader in an event."""
    if not is_player(viewer):
        return Mine()
    entry = entries.entry_of(viewer, tournament)
    if entry is None:
        ticket = _ticket(viewer, tournament, now)
        refusal = entries.why_not(viewer, tournament, now, has_ticket=ticket is not None)
        if refusal is not None:
            return Mine(why_not=WhyNot(refusal.code, sentence_of(refusal)))
        return Mine(offers=tuple(_ways_in(viewer, tournament, ticket)))
    table_id = entry.seat.table_id if entry.seat else None
    links = tournament.tables.filter(table=table_id)
    chips, points, share = chips_of(entry), *points_of(tournament, entry)
    coming = outlook(tournament, entry, chips)
    return Mine(
        entry=entry,
        offers=tuple(_offers(viewer, tournament, entry)),
        table_id=table_id,
        table=links.values_list("number", flat=True).first() if table_id else None,
        at_table=my_table(table_id, viewer.pk),
        # One query tells all places of those who are still in.
        place=coming.place if coming else place_of(tournament, entry, chips),
        chips=chips,
        points=points,
        percent=share,
        outlook=coming,
        result=result_of(entry),
        wants=_wants(tournament, entry),
    )


def chips_of(entry: Entry) -> int:
    """All chips of an entry, at the table and away from it."""
    held = (entry.account_id, entry.seat.stack_id if entry.seat else None)
    balances = Account.objects.filter(pk__in=[account for account in held if account is not None])
    return sum(balances.values_list("balance", flat=True))


def points_of(tournament: Tournament, entry: Entry) -> tuple[int | None, str]:
    """The match points of an entry, and what they are in per cent; nothing elsewhere."""
    if tournament.kind != DUPLICATE:
        return None, ""
    average = average_points(tournament)
    return entry.points, percent(entry.points, average) if average else ""


def _offers(player: Player, tournament: Tournament, entry: Entry) -> list[Offer]:
    structure = structure_of(tournament)
    offers = []
    if tournament.state == Tournament.State.ANNOUNCED and entry.state == Entry.State.REGISTERED:
        note = _("You get everything back until it starts.")
        offers.append(_offer(tournament, UNREGISTER, _("Unregister"), note))
    if may_enter_again(tournament, entry):
        cost = _cost(tournament, structure.stake + structure.fee)
        words = _("Enter again for {cost}").format(cost=cost)
        note = _wallet_after(player, tournament, structure.stake + structure.fee)
        offers.append(_offer(tournament, ENTER_AGAIN, words, note))
    if may_add_on(tournament, entry) and structure.add_on is not None:
        offer = structure.add_on
        cost = _cost(tournament, offer.stake + offer.fee)
        words = _("Add-on for {cost}").format(cost=cost)
        note = _("Gives you {chips} chips between two hands; once.").format(
            chips=words_of_chips(offer.chips)
        )
        offers.append(_offer(tournament, ADD_ON, words, note))
    return offers


def _ticket(player: Player, tournament: Tournament, now: datetime) -> Ticket | None:
    if not tournament.registration_open:
        return None
    return tickets.usable(player, tournament, structure_of(tournament), now).first()


def _ways_in(player: Player, tournament: Tournament, ticket: Ticket | None) -> Iterator[Offer]:
    """With a ticket, and with money unless the event is for tickets alone."""
    if ticket is not None:
        note = _("Worth {amount}; your wallet pays nothing.").format(
            amount=_cost(tournament, ticket.worth)
        )
        yield _offer(tournament, BY_TICKET, _("Join with your ticket"), note)
    if not tournament.tickets_only:
        offer = _register(player, tournament)
        yield offer._replace(is_main=ticket is None)


def _register(player: Player, tournament: Tournament) -> Offer:
    structure = structure_of(tournament)
    cost = structure.stake + structure.fee
    words = (
        _("Join for {cost}").format(cost=_cost(tournament, cost)) if cost else _("Join for nothing")
    )
    return _offer(tournament, REGISTER, words, _wallet_after(player, tournament, cost))


def _offer(tournament: Tournament, verb: str, words: str, note: str) -> Offer:
    """Only joining is emphasised, and no verb that costs again or gives up a place."""
    address = reverse(f"event-{verb}", args=[tournament.pk])
    return Offer(verb, words, note, verb in (REGISTER, BY_TICKET), address)


def _cost(tournament: Tournament, amount: int) -> str:
    return f"{show_amount(amount, tournament.currency)} {tournament.currency.unit}"


def _wallet_after(player: Player, tournament: Tournament, cost: int) -> str:
    """Return the balance after paying, as text; empty if the wallet holds too little."""
    wallets = Account.objects.filter(
        kind=Account.Kind.PLAYER,
        owner=f"player:{player.pk}",
        currency=tournament.currency_id,
    )
    held = wallets.values_list("balance", flat=True).first() or 0
    if held < cost:
        return ""
    left = show_amount(held - cost, tournament.currency)
    return _("Leaves {amount} in your wallet.").format(amount=left)


def may_enter_again(tournament: Tournament, entry: Entry) -> bool:
    again = structure_of(tournament).reentries
    return (
        again is not None
        and entry.state == Entry.State.OUT
        and tournament.registration_open
        and tournament.level <= again.until_level
        and entry.entries <= again.most
    )


def may_add_on(tournament: Tournament, entry: Entry) -> bool:
    offer = structure_of(tournament).add_on
    return (
        offer is not None
        and tournament.state == Tournament.State.RUNNING
        and entry.state in (Entry.State.PLAYING, Entry.State.WAITING)
        and not entry.added_on
        and offer.from_level <= tournament.level <= offer.until_level
    )


def _wants(tournament: Tournament, entry: Entry) -> str:
    """Return what the shoe protocol needs next from the reader's browser."""
    if entry.state != Entry.State.REGISTERED:
        return ""
    status = tournament.shoe.status
    if status == EventShoe.Status.SEALED and not entry.commit:
        return "commit"
    if status == EventShoe.Status.LOCKED and entry.commit and not entry.reveal:
        return "reveal"
    return ""


def my_table(table_id: int | None, player_id: int) -> MyTable | None:
    """The table at which a player of the event sits; None for all other viewers."""
    if table_id is None:
        return None
    table = Table.objects.get(pk=table_id)
    seats = Seat.objects.filter(table=table, left_at=None).select_related("player", "stack")
    turns = table.turns if table.phase == Table.Phase.PLAY else {}
    players = tuple(
        AtMyTable(
            name=player_title(seat.player.username, seat.player.is_bot),
            face=seat.player.face,
            chips=seat.stack.balance,
            to_act=str(seat.number) in turns,
            mine=seat.player_id == player_id,
        )
        for seat in seats.order_by("number")
    )
    return MyTable(
        id=table.pk,
        players=players,
        hand=table.hands_dealt,
        plays=table.phase == Table.Phase.PLAY,
        my_turn=any(player.mine and player.to_act for player in players),
        deadline=table.deadline if turns else None,
        whole_seconds=table.decision_seconds,
    )
