"""The format of an evening's table: a cash table for points, which ends after a number of hands.

Everything that differs is here. Whether it is over follows from its hands, so a process that ends
before it closes the table loses nothing: no further hand begins, and a table without players
closes by itself.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from casino.community.evenings import hosting, scores
from casino.community.evenings.heading import heading
from casino.community.evenings.models import Evening
from games.lobby import private_tables
from games.models import Hand, Seat, Table
from games.rules.contract import AnyGame
from games.tables.cash_game import CashGame
from games.tables.formats import Heading, Posting
from games.tables.lock import lock_table
from wallets.money.references import Link
from wallets.values.errors import Refused
from wallets.values.player import Viewer


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
        if scores.is_over(self.evening):
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
        return "" if scores.is_over(self.evening) else super().eviction(seat, seats, now)

    def enough(self, game: AnyGame, ready: Sequence[Seat]) -> bool:
        """The first hand waits for all or the host, later ones for as many as the game needs."""
        played = scores.counted(self.table.pk)
        if played >= self.evening.hands:
            return False
        begun = played > 0 or self.evening.begun_at is not None
        return (begun or len(ready) == self.table.places) and super().enough(game, ready)

    def after_commit(self, hand: Hand, seats: Sequence[Seat], now: datetime) -> None:
        if scores.counted(self.table.pk) >= self.evening.hands:
            with transaction.atomic():
                table = lock_table(self.table.pk)
                if table.status == Table.Status.OPEN:
                    private_tables.close(table, now)
