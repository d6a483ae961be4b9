"""The format of an evening's table: a cash table for points, which ends after a number of hands.

Everything that differs is here. Whether it is over follows from its hands, so a process that ends
before it closes the table loses nothing: no further hand begins, and a table without players
closes by itself.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from casino.community.evenings import hosting
from casino.community.evenings.hosting import options_to_choose
from casino.community.evenings.models import Evening
from games.lobby import private_tables
from games.models import Hand, Seat, Table
from games.profiles.options import show
from games.rules.catalogue import game_type
from games.rules.contract import AnyGame
from games.tables.cash_game import CashGame
from games.tables.formats import Heading, Posting
from games.tables.lock import lock_table
from games.views.private import invitation_address
from games.words.naming import player_title
from games.words.players import PLACES_SHOWN, Placed
from wallets.models import Currency
from wallets.money.references import Link
from wallets.values.amounts import show_signed
from wallets.values.errors import Refused
from wallets.values.player import Viewer

TEMPLATE: Final = "evenings/heading.html"
HEAD: Final = "evenings/heading_head.html"
INVITATION: Final = "evenings/invitation.html"


class AtTable(NamedTuple):
    """An evening as the page of its table shows it."""

    table_id: int
    title: str
    # The host's name, and the game with the options that they have chosen.
    host: str
    game: str
    options: Mapping[str, Any]
    stake: int
    invitation: str
    hands: int
    played: int
    # Whether it is over, and the last hand with it.
    is_over: bool
    scores: Sequence[hosting.Score]
    # Once it is over, the scores shown on the podium.
    podium: Sequence[Placed]
    # The viewer's number, if they are signed in.
    me: int | None
    takes_part: bool
    # The evening that follows it.
    rematch: str
    # How many seats have to be taken before the first hand.
    missing: int
    # Whether the viewer can let it begin with the players who are there.
    may_begin: bool

    @property
    def terms(self) -> list[tuple[str, str]]:
        """The options of the game in words."""
        return [
            (str(option.label), show(option, self.options.get(option.name), Currency()))
            for option in options_to_choose(self.game)
        ]


def heading(evening: Evening, viewer: Viewer) -> Heading:
    table = evening.table
    board, played = hosting.scoreboard(table.pk), hosting.counted(table.pk)
    takes_part = table.opened_by_id == viewer.pk or any(
        score.player_id == viewer.pk for score in board
    )
    over = table.status != Table.Status.OPEN or played >= evening.hands
    missing, may_begin = 0, False
    if not (played or over or evening.begun_at or table.hand_id):
        seated = table.seats.filter(left_at=None).count()
        missing = table.places - seated
        least = game_type(table.game).seats[0]
        may_begin = table.opened_by_id == viewer.pk and least <= seated < table.places
    follows = evening.rematch.table if evening.rematch and takes_part else None
    opener = table.opened_by
    event = AtTable(
        table.pk,
        table.title,
        player_title(opener.username, opener.is_bot) if opener else "",
        table.game,
        table.options,
        evening.stake,
        table.invitation,
        evening.hands,
        min(played, evening.hands),
        over and table.hand_id is None,
        board,
        _podium(board, table) if over and table.hand_id is None else (),
        viewer.pk if viewer.is_authenticated else None,
        takes_part,
        invitation_address(follows) if follows else "",
        missing,
        may_begin,
    )
    return Heading(TEMPLATE, HEAD, event, INVITATION)


def _podium(board: Sequence[hosting.Score], table: Table) -> Sequence[Placed]:
    return [
        Placed(
            score.place,
            score.player_id,
            score.name,
            score.face,
            is_bot=False,
            brings=show_signed(score.points, table.currency),
        )
        for score in board[:PLACES_SHOWN]
    ]


class EveningTable(CashGame):
    listed: ClassVar[bool] = False
    set_by_operators: ClassVar[bool] = False

    @property
    def evening(self) -> Evening:
        """The evening's row, read once for a table's."""
        row = self.table.__dict__.get("_evening")
        if row is None:
            row = Evening.objects.select_related("rematch__table").get(table=self.table.pk)
            self.table.__dict__["_evening"] = row
        evening: Evening = row
        evening.table = self.table
        return evening

    def belongs_to(self) -> Link:
        return Link(reverse("private-table", args=[self.table.pk]), _("friends' evening"))

    def heading(self, viewer: Viewer, now: datetime) -> Heading:
        return heading(self.evening, viewer)

    def may_sit(self, viewer: Viewer) -> Refused | None:
        if hosting.is_over(self.evening):
            return Refused("evening_over", _n("This evening is over."))
        return super().may_sit(viewer)

    def may_reverse(self, hand: Hand) -> Refused:
        return Refused("evening_hand", _n("A hand for points cannot be reversed."))

    # Points.

    def fill(self, seat: Seat, amount: int, posting: Posting) -> None:
        hosting.move(self.table, seat, amount, posting)

    def empty(self, seat: Seat, posting: Posting) -> None:
        if seat.stack.balance:
            hosting.move(self.table, seat, -seat.stack.balance, posting)

    # Between two hands.

    def eviction(self, seat: Seat, seats: Sequence[Seat], now: datetime) -> str | None:
        """Announce no lost seats at the end: the evening is over."""
        return "" if hosting.is_over(self.evening) else super().eviction(seat, seats, now)

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        """The first hand waits for all or the host, later ones for as many as the game needs."""
        played = hosting.counted(self.table.pk)
        if played >= self.evening.hands:
            return False
        begun = played > 0 or self.evening.begun_at is not None
        return (begun or len(ready) == self.table.places) and super().enough(game, ready)

    def after_commit(self, hand: Hand, seats: Sequence[Seat], now: datetime) -> None:
        if hosting.counted(self.table.pk) >= self.evening.hands:
            with transaction.atomic():
                table = lock_table(self.table.pk)
                if table.status == Table.Status.OPEN:
                    private_tables.close(table, now)
