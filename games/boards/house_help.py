"""Help for a player at a table against the house, shown beside the cards.

It knows what the player knows: a hint, the name of the own hand and the wheel are made of the view
alone; how the visit stands and what the pools hold comes from the house's books.
"""

from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import QuerySet, Sum

from games.boards.box_results import BoxResult, box_results
from games.boards.family import family_of
from games.boards.for_programs import gives_hints
from games.boards.heard import cards_heard
from games.boards.help import Depth, Hint
from games.boards.table_view import TableView
from games.boards.wheel import Wheel
from games.models import Hand, HandSeat, Seat, Table
from games.rules.contract import AnyGame
from games.rules.house.pools import jackpot_shown
from games.tables.copies import live_hand
from games.tables.jackpots import jackpots_at, jackpots_of
from wallets.models import Jackpot

# The value in the address that asks for the strategy's advice.
STRATEGY: Final = "strategy"


class Meter(NamedTuple):
    """A pool that is played for, and what it holds."""

    kind: str
    label: str
    amount: int


class HouseView(NamedTuple):
    """All of it, as the page takes it; `gives_hints` is whether a hint can be asked for now."""

    visit: int | None
    # The visit's result before the round that has just ended; None if it changed nothing.
    visit_stood: int | None
    meters: tuple[Meter, ...]
    gives_hints: bool
    hint: Hint | None
    my_hand: str
    # The open cards in words, while the viewer decides and when the round is over.
    heard: tuple[str, ...]
    wheel: Wheel | None
    # The viewer's results in each box, once the round is settled.
    boxes: dict[int, BoxResult]
    # The cards left in a shoe of several rounds; and as they were before the round that has just
    # ended, because the number of cards it took reveals its result.
    depth: Depth | None
    depth_stood: Depth | None


def house_view(game: AnyGame, table_view: TableView, requested: str = "") -> HouseView | None:
    """The viewer's help; None if the game is not against the house."""
    view, table, hand = table_view.view, table_view.table, table_view.hand
    lines = table_view.lines
    family = family_of(game)
    if view is None or not game.against_house:
        return None
    may = gives_hints(table_view)
    settled = bool(table_view.results)
    running = hand if table.hand_id is not None else None
    so_far = visit(table_view.mine, table) if table_view.mine else None
    return HouseView(
        visit=so_far,
        visit_stood=so_far - table_view.won if so_far is not None and table_view.won else None,
        meters=meters(jackpots_of(running) if running else jackpots_at(table)),
        gives_hints=may,
        hint=family.hint(game, view) if may and requested == STRATEGY else None,
        my_hand=family.own_hand(game, view),
        heard=cards_heard(game, view) if table_view.choices or settled else (),
        wheel=family.wheel(game, view, lines),
        boxes=box_results(lines, view.seat, family.box_bets(view)) if settled else {},
        depth=family.depth(game, hand.first_card + hand.cards_dealt) if hand else None,
        depth_stood=family.depth(game, hand.first_card) if hand and hand.cards_dealt else None,
    )


def visit(seat: Seat, table: Table) -> int:
    """Return what the seat has won or lost since its player sat down.

    While a hand runs at the table that does not change: none ends, and none can be reversed.
    """
    if table.hand_id is None:
        return _won_in(_ended(seat.code))
    before = _ended(seat.code).filter(hand__lt=table.hand_id)
    return live_hand(table).once(("visit", seat.code), lambda: _won_in(before))


def _ended(code: UUID) -> QuerySet[HandSeat]:
    return HandSeat.objects.filter(seat__code=code, hand__status=Hand.Status.FINISHED)


def _won_in(hands: QuerySet[HandSeat]) -> int:
    return int(hands.aggregate(net=Sum("net"))["net"] or 0)


def meters(played: dict[str, Jackpot]) -> tuple[Meter, ...]:
    """The pools that are played for, as they stand now."""
    return tuple(
        Meter(
            kind,
            str(jackpot.get_kind_display()),
            jackpot_shown(jackpot.pool.balance, jackpot.reserve),
        )
        for kind, jackpot in sorted(played.items(), reverse=True)
    )
