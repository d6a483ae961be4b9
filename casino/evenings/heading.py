"""The heading of an evening's table and of the page of its link: how far it is, the scores."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from casino.evenings import scores
from casino.evenings.models import Evening
from games.models import Table
from games.rules.catalogue import game_type
from games.tables.formats import Heading
from games.views.private import invitation_address
from wallets.player import Viewer

TEMPLATE: Final = "evenings/heading.html"
HEAD: Final = "evenings/heading_head.html"


class AtTable(NamedTuple):
    """An evening as the page of its table shows it."""

    table_id: int
    title: str
    invitation: str
    hands: int
    played: int
    # Whether it is over, and the last hand with it.
    is_over: bool
    scores: Sequence[scores.Score]
    # The number of whoever looks, if they are signed in.
    me: int | None
    takes_part: bool
    # Where it goes on.
    rematch: str
    # How many seats have to be taken before the first hand.
    missing: int
    # Whether whoever looks can let it begin with those who are there.
    may_begin: bool


def heading(evening: Evening, viewer: Viewer) -> Heading:
    table = evening.table
    board, played = scores.scoreboard(table.pk), scores.counted(table.pk)
    takes_part = table.opened_by_id == viewer.pk or any(one.player_id == viewer.pk for one in board)
    over = table.status != Table.Status.OPEN or played >= evening.hands
    missing, may_begin = 0, False
    if not (played or over or evening.begun_at or table.hand_id):
        seated = table.seats.filter(left_at=None).count()
        missing = table.places - seated
        least = game_type(table.game).seats[0]
        may_begin = table.opened_by_id == viewer.pk and least <= seated < table.places
    follows = evening.rematch.table if evening.rematch and takes_part else None
    event = AtTable(
        table.pk,
        table.title,
        table.invitation,
        evening.hands,
        min(played, evening.hands),
        over and table.hand_id is None,
        board,
        viewer.pk if viewer.is_authenticated else None,
        takes_part,
        invitation_address(follows) if follows else "",
        missing,
        may_begin,
    )
    return Heading(TEMPLATE, HEAD, event)
