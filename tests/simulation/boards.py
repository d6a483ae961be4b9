"""No card in what another viewer's board shows: views always, now and then whole pages."""

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from django.contrib.auth.models import AnonymousUser

from games.boards import table_view
from games.families.baccarat.roads import GAMES_WITH_ROADS
from games.models import Hand, Table
from tests.games.markup import CARD, cards_in
from tests.games.viewers import board_of, shown_to
from tests.people import client_of
from tests.simulation.invariants import LEAK, require

if TYPE_CHECKING:
    from tests.simulation.world import World


def check(world: "World", table_id: int, chance: Random, *, page: bool) -> None:
    """Look at a table as an onlooker and as one of its players."""
    table = Table.objects.select_related("currency", "shoe").get(pk=table_id)
    seats = world.seats(table)
    viewers: list[Any] = [AnonymousUser()]
    if seats:
        viewers.append(chance.choice(seats).player)
    for viewer in viewers:
        board = table_view.table_view(viewer, table, world.now)
        if board.hand is None:
            continue
        seat = _seat_in(board, viewer)
        open_cards = shown_to(board.hand, seat)
        texts = [board.view, board.choices, board.said, board.lines]
        named = set(CARD.findall(msgspec.json.encode(texts, enc_hook=str).decode()))
        if page:
            open_cards = open_cards | _last_coup(table, board.hand)
            client = world.onlooker if viewer.pk is None else client_of(viewer)
            named |= cards_in(board_of(client, table))
        leaked = sorted(named - open_cards)
        who = "an onlooker" if seat is None else f"seat {seat}"
        require(not leaked, LEAK, f"{who} at {table.name} is shown {' '.join(leaked)}")


def _last_coup(table: Table, hand: Hand) -> set[str]:
    """At baccarat the last coup lies on the felt until the next one is dealt, open to all."""
    if table.game not in GAMES_WITH_ROADS:
        return set()
    earlier = Hand.objects.filter(
        table=table, shoe=hand.shoe_id, number__lt=hand.number, status=Hand.Status.FINISHED
    )
    last = earlier.order_by("-number").first()
    return shown_to(last, None) if last is not None else set()


def _seat_in(board: table_view.TableView, viewer: Any) -> int | None:
    """The seat to which the hand that is shown was dealt, if the viewer was there."""
    assert board.hand is not None
    row = board.hand.seats.filter(player_id=viewer.pk).first() if viewer.pk else None
    mine = board.mine.number if board.mine else None
    return row.number if row is not None and row.number == mine else None
