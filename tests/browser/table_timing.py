"""When the tables of the tests' house go on, where a test says so and no clock does.

No test waits for what it does not look at: a hand begins as soon as the browsers of the seated
players have committed to its shoe. But a result stays until the test has looked at it and says
`go on`, however slow the machine is. At a private table the first hand waits for that as well, so
that all who are to sit there have sat down by then; `hold` has every table wait for it.
"""

from datetime import datetime, timedelta
from typing import Final

from games.models import Hand, Seat, Shoe, Table

# For browsers that start no chain, as they run no scripts.
COMMIT_TIME: Final = timedelta(seconds=3)
BETWEEN_HANDS: Final = (Table.Phase.WAITING, Table.Phase.PAUSE)


class HeldTables:
    """What the tests have said, and which tables may go on by that."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Another test begins."""
        self._all = False
        # After which hand a table may go on; 0 means its beginning.
        self._released = dict[int, int]()
        self._waited = dict[int, frozenset[object]]()

    def hold(self) -> None:
        """Let no table begin a hand."""
        self._all = True

    def go_on(self, table_id: int, hand_id: int) -> None:
        """Let the hand after this one begin, or else after the one that runs, or ran last."""
        self._released[table_id] = hand_id or getattr(_last_hand(table_id), "pk", 0)

    def hurry(self, now: datetime, **which: int) -> None:
        """What may go on is due at once."""
        for table in Table.objects.filter(phase__in=BETWEEN_HANDS, due_at__gt=now, **which):
            people = list(
                Seat.objects.filter(table=table, left_at__isnull=True, player__is_bot=False)
            )
            if self._may_go_on(table, people, now):
                Table.objects.filter(pk=table.pk, phase=table.phase).update(due_at=now)

    def is_about_to_go_on(self, table: Table) -> bool:
        """Whether the table only waits for browsers to take part in mixing its shoe."""
        if table.phase == Table.Phase.REVEAL:
            return True
        people = list(Seat.objects.filter(table=table, left_at__isnull=True, player__is_bot=False))
        between = table.phase == Table.Phase.PAUSE and table.due_at is not None
        return between and bool(people) and not self._stands(table, people)

    def _may_go_on(self, table: Table, people: list[Seat], now: datetime) -> bool:
        if table.phase == Table.Phase.WAITING:
            # It is looked at again when a player has sat down or sat in.
            sitting = frozenset((seat.pk, seat.sits_out, seat.leaves) for seat in people)
            before = self._waited.get(table.pk, frozenset())
            self._waited[table.pk] = sitting
            return sitting != before
        if not people or table.status != Table.Status.OPEN:
            return True
        return not self._stands(table, people) and _has_committed(table, people, now)

    def _stands(self, table: Table, people: list[Seat]) -> bool:
        """Whether the table waits for a test to say something; those of events go on."""
        if table.organiser:
            return False
        last = _last_hand(table.pk)
        if self._released.get(table.pk) == getattr(last, "pk", 0):
            return False
        if self._all or last is None:
            return self._all or table.private
        # Cards without a call are dealt again.
        return not table.redeals and last.seats.filter(seat__in=people).exists()


def _last_hand(table_id: int) -> Hand | None:
    """But for those that were taken back, of which nothing is shown."""
    hands = Hand.objects.filter(table=table_id).exclude(status=Hand.Status.VOID)
    return hands.order_by("number").last()


def _has_committed(table: Table, people: list[Seat], now: datetime) -> bool:
    if table.shoe is None or table.shoe.status != Shoe.Status.SEALED:
        return True
    assert table.due_at is not None
    if now - (table.due_at - timedelta(seconds=table.pause_seconds)) > COMMIT_TIME:
        return True
    return all(seat.tip or seat.sits_out or seat.leaves for seat in people)
