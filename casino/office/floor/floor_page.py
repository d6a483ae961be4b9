"""The pages of the floor, in pieces of which a reader is sent those that have changed.

The browser says which hashes it shows, so any process of the house can answer, and none has to
remember what it has sent to whom.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.contrib import admin, messages
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.floor import listing
from casino.office.floor.actions import ACTIONS, Action
from casino.office.floor.closing import SEE
from casino.office.floor.floor_context import FloorContext, allowed, floor_context
from casino.office.floor.floor_search import find, hand_address
from casino.office.floor.listing import FloorRow, Sitter
from games.boards.moves import MoveView, move_in_words
from games.lobby.listing import fingerprint
from games.models import Hand, HandSeat, Move, Seat, Table
from games.tables.formats import format_of
from games.tables.hand_in_play import is_held
from games.tables.hand_state import game_of, party_of
from games.views.board_facts import spectators_board, with_felt
from games.words.naming import player_title
from games.words.refusals import refused_in
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry
from wallets.office.staff_pages import NOW, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.values.amounts import show_amount, show_signed
from wallets.values.player import player_of

# The newest moves of the hand.
MOVES_SHOWN: Final = 12


class SeatLine(NamedTuple):
    """A seat: its stack, what that won or lost since the player sat down, and the last act."""

    sitter: Sitter
    stack: str
    since: datetime
    change: str
    is_loss: bool
    act: MoveView | None


def hand_shown(table: Table) -> Hand | None:
    """The hand whose moves are public: the live hand, or the last one."""
    hand = Hand.objects.filter(table=table).order_by("-id").first()
    if hand is None or is_held(table):
        # What is held back still plays at other tables.
        return None
    is_open = hand.status == Hand.Status.LIVE or format_of(table).history_open(hand)
    return hand if is_open else None


def log_of(row: FloorRow, hand: Hand | None, currency: Currency) -> list[MoveView]:
    """The moves of a hand as spectators saw them, the newest first.

    A row has openly what a spectator could see when the move was made; the rest is encrypted.
    """
    if hand is None:
        return []
    names = {sitter.number: sitter.name for sitter in row.sitters}
    game = game_of(hand)
    return [
        move_in_words(game, _public(move), names, currency)
        for move in hand.moves.order_by("-number")
    ]


def _public(move: Move) -> dict[str, object]:
    return {
        "seat": party_of(move.seat),
        "action": move.action,
        "by": move.by,
        "at": move.at.isoformat(),
    }


def seats_of(row: FloorRow, log: Iterable[MoveView], currency: Currency) -> Iterator[SeatLine]:
    """Each seat with the last act of the hand that the log is about."""
    acts: dict[str, MoveView] = {}
    for move in log:
        acts.setdefault(move.who, move)
    seated = Seat.objects.filter(table=row.id, left_at__isnull=True)
    since = dict(seated.values_list("number", "sat_down_at"))
    won = dict(
        HandSeat.objects.filter(seat__in=seated, hand__status=Hand.Status.FINISHED)
        .order_by()
        .values_list("number")
        .annotate(won=Sum("net"))
    )
    for sitter in row.sitters:
        if sitter.number in since:
            change = won.get(sitter.number, 0)
            yield SeatLine(
                sitter,
                show_amount(sitter.stack, currency, is_exact=True),
                since[sitter.number],
                show_signed(change, currency),
                change < 0,
                acts.get(sitter.name),
            )


def with_results(
    table: Table, hands: Iterable[Hand], currency: Currency
) -> Iterator[tuple[Hand, str]]:
    """Say what each hand has brought to whom, unless its event keeps results secret so far."""
    shown_hands = list(hands)
    rows = HandSeat.objects.filter(hand__in=shown_hands, net__isnull=False).select_related("player")
    by_hand: dict[int, list[str]] = defaultdict(list)
    for row in rows.order_by("hand", "number"):
        name = player_title(row.player.username, row.player.is_bot)
        by_hand[row.hand_id].append(f"{name} {show_signed(row.net or 0, currency)}")
    for hand in shown_hands:
        is_open = hand.status == Hand.Status.FINISHED and format_of(table).history_open(hand)
        yield hand, " · ".join(by_hand[hand.pk]) if is_open else ""


# The pieces in the browser, as `name.hash name.hash`; without it the whole floor is sent.
SHOWN_HEADER = "X-Floor-Shown"


class Piece(NamedTuple):
    name: str
    digest: str
    markup: Callable[[], SafeString]


def pieces(context: FloorContext) -> Iterator[Piece]:
    """The tables first, because the order of their cards is a separate piece."""
    for kept in context["tables"]:
        yield Piece(f"table-{kept.row.id}", kept.digest, kept.card)
    for name, facts in _facts(context).items():
        digest = fingerprint(get_language(), *facts)
        yield Piece(name, digest, _rendering(name, digest, context))


def _rendering(name: str, digest: str, context: FloorContext) -> Callable[[], SafeString]:
    template = f"backoffice/floor/{name.removeprefix('floor-')}.html"
    return lambda: render_to_string(template, {**context, "digest": digest})


def _facts(context: FloorContext) -> dict[str, tuple[object, ...]]:
    """Return the facts that each piece depends on, except seconds, which pass by themselves."""
    house = context["house"].version
    alarms = [(alarm["alarm"].pk, alarm["alarm"].taken_at) for alarm in context["alarms"]]
    programs = [line.ok for line in context["vitals"].lines]
    proposals = [proposal["proposal"].pk for proposal in context["proposals"]]
    return {
        "floor-strips": (house, alarms, context["may"]),
        "floor-figures": (context["totals"],),
        "floor-tools": (context["view"], context["all"], context["families"]),
        "floor-order": ([kept.row.id for kept in context["tables"]],),
        "floor-side": (house, proposals, context["pools"], programs, context["chart"]),
    }


def shown_by(request: HttpRequest) -> frozenset[str]:
    return frozenset(request.headers.get(SHOWN_HEADER, "").split())


def changed(context: FloorContext, shown: frozenset[str]) -> list[SafeString]:
    """The markup of the pieces that a browser does not show as they are."""
    return [
        piece.markup() for piece in pieces(context) if f"{piece.name}.{piece.digest}" not in shown
    ]


def by_place(context: FloorContext) -> dict[str, SafeString]:
    """All pieces for the whole page: the cards together, and the others by their names."""
    placed: dict[str, SafeString] = {}
    cards = []
    for piece in pieces(context):
        if piece.name.startswith("table-"):
            cards.append(piece.markup())
        else:
            placed[piece.name.removeprefix("floor-")] = piece.markup()
    return placed | {"cards": SafeString("".join(cards))}


HANDS_SHOWN = 8
LOG_SHOWN = 8
READ_JOURNAL = "wallets.read_journal"
NUMBER_BITS = 63


@staff_page("floor", "floor/", _("Floor"), SEE, menu=Menu(NOW, "grid_view", 10))
@require_safe
def floor_page(request: HttpRequest) -> HttpResponse:
    """The floor, or the pieces of it that the reader has not been shown; nothing without any."""
    context = floor_context(request)
    if "part" in request.GET:
        fresh = changed(context, shown_by(request))
        return HttpResponse("".join(fresh)) if fresh else HttpResponse(status=204)
    page = admin.site.each_context(request) | context | {"pieces": by_place(context)}
    return TemplateResponse(request, "backoffice/floor/page.html", page)


@staff_page("floor-table", "floor/tables/<int:number>/", _("One table"), SEE)
@require_safe
def table_page(request: HttpRequest, number: int) -> HttpResponse:
    """One table: the felt, its seats and moves, the last hands, and what can be done."""
    member, now = player_of(request), timezone.now()
    row = listing.one(number, now) if number.bit_length() <= NUMBER_BITS else None
    if row is None:
        raise Http404
    currency = Currency.objects.get(pk=row.currency)
    live = Hand.objects.filter(table=number, status=Hand.Status.LIVE).first()
    table = Table.objects.get(pk=number)
    hands = Hand.objects.filter(table=number).order_by("-id")[:HANDS_SHOWN]
    moves = log_of(row, hand_shown(table), currency)
    journalled = JournalEntry.objects.filter(subject=f"table:{number}").order_by("-position")
    context = {
        **with_felt(admin.site.each_context(request), table.game),
        "title": row.name,
        "row": row,
        "left": row.deadline and max(0, int((row.deadline - now).total_seconds())),
        "seats": list(seats_of(row, moves, currency)),
        "moves": moves[:MOVES_SHOWN],
        "live": live,
        "board": spectators_board(table, now),
        "hands": [
            (hand, hand_address(member, hand), results)
            for hand, results in with_results(table, hands, currency)
        ],
        "log": [(entry, journal.words_of(entry.verb)) for entry in journalled[:LOG_SHOWN]]
        if member.has_perm(READ_JOURNAL)
        else None,
        "may": allowed(member),
        "closed": row.status == Table.Status.CLOSED,
    }
    return TemplateResponse(request, "backoffice/floor/table.html", context)


@staff_page("floor-find", "floor/find/", _("Search on the floor"), SEE)
@require_safe
def find_page(request: HttpRequest) -> HttpResponse:
    """Show the search results; open a single result immediately."""
    typed = request.GET.get("q", "")
    matches = find(player_of(request), typed)
    if len(matches) == 1:
        return redirect(matches[0].address)
    return office_page(request, "floor/found.html", _("Search"), typed=typed, found=matches)


def page_of(action: Action) -> Callable[..., HttpResponse]:
    """The page that asks why, and then carries the action out."""

    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, number: int = 0) -> HttpResponse:
        if action.of_table and not _is_table(number):
            raise Http404
        form = action.form(request.POST if request.method == "POST" else None)
        back = reverse("floor-table", args=[number]) if action.of_table else reverse("floor")
        if request.method == "POST" and form.is_valid():
            with refused_in(form):
                action.run(player_of(request), number, form.cleaned_data, timezone.now())
                messages.success(request, str(action.done))
                return redirect(back)
        game = request.GET.get("game")
        if game and "game" in form.fields:
            form.initial["game"] = game
        return office_page(
            request,
            "floor/ask.html",
            action.words,
            table=Table.objects.filter(pk=number).first() if action.of_table else None,
            effects=action.effects(number),
            note=action.note,
            form=form,
            back=back,
        )

    return page


def _is_table(number: int) -> bool:
    return number.bit_length() <= NUMBER_BITS and Table.objects.filter(pk=number).exists()


for _action in ACTIONS:
    staff_page(
        _action.name,
        _action.address,
        _action.words,
        _action.permission,
        begins="floor" if _action.of_table else _action.name,
    )(page_of(_action))
