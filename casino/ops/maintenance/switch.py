"""The switch of maintenance mode: the only writer of its row.

While it is on, no hand opens and no player takes a seat or brings money; hands that are
live are played to their ends, and rounds without a bet are called off. All may sign
in: a player whose connection dropped has to find the live hand again, and staff have to work.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.ops.maintenance.models import MESSAGE_MAX, Maintenance
from games.models.prepared import Query
from games.tables import admission, open_rounds
from games.tables.admission import Occasion
from games.words.plain import one_line
from wallets.of_record.verbs import declare, under
from wallets.staff import journal
from wallets.values.errors import Refused

PERMISSION: Final = "maintenance.switch"
ON: Final = journal.register("maintenance.on", _("Switched maintenance on"), permission=PERMISSION)
OFF: Final = journal.register(
    "maintenance.off", _("Switched maintenance off"), permission=PERMISSION
)
SUBJECT: Final = "house"
MAKE_ROW: Final = declare("house:maintenance.make_row")
# The number of the only row.
ROW: Final = 1


class State(NamedTuple):
    since: datetime | None
    message: str

    @property
    def on(self) -> bool:
        return self.since is not None


OPEN: Final = State(None, "")
_ROW: Final = Query(lambda row: Maintenance.objects.filter(pk=row))
# The query of the switch's state.
READ: Final = (_ROW, (ROW,))


def state() -> State:
    """One read by primary key: it is asked before each hand."""
    maintenance = _ROW.first(ROW)
    return (
        OPEN
        if maintenance is None or maintenance.since is None
        else State(maintenance.since, maintenance.message)
    )


@under(ON)
def turn_on(who: journal.By, *, why: str, now: datetime, message: str = "") -> State:
    """Switch it on, or give it another message; on already and with that message, do nothing."""
    text = one_line(message)
    if len(text) > MESSAGE_MAX:
        raise Refused(
            "message_length", _("A message has at most {most} characters."), most=MESSAGE_MAX
        )
    with _held() as (row, before):
        after = State(before.since or now, text)
        if after != before:
            _store(row, after)
            _note(who, ON, before, after, why)
            if not before.on:
                transaction.on_commit(lambda: open_rounds.call_off_all(now), robust=True)
    return after


@under(OFF)
def turn_off(who: journal.By, *, why: str, now: datetime) -> State:
    """Switch it off: tables deal again immediately, without waiting for the clock."""
    with _held() as (row, before):
        if before.on:
            _store(row, OPEN)
            _note(who, OFF, before, OPEN, why)
            transaction.on_commit(lambda: open_rounds.deal_again(now), robust=True)
    return OPEN


@contextmanager
def _held() -> Iterator[tuple[Maintenance, State]]:
    """The row, locked: of two who switch at once the second finds what the first has done."""
    with transaction.atomic():
        with under(MAKE_ROW, alone=True):
            Maintenance.objects.get_or_create(pk=ROW)
        row = Maintenance.objects.select_for_update().get(pk=ROW)
        yield row, State(row.since, row.message) if row.since is not None else OPEN


def _store(row: Maintenance, wanted: State) -> None:
    row.since, row.message = wanted
    row.save(update_fields=["since", "message"])


def _note(who: journal.By, verb: str, before: State, after: State, why: str) -> None:
    journal.write(
        who,
        verb,
        SUBJECT,
        before={"maintenance": before.on, "message": before.message},
        after={"maintenance": after.on, "message": after.message},
        reason=why,
    )


CODE: Final = "maintenance"
# Being dealt in is not asked here: the hold on hands asks once for the whole table.
OCCASIONS: Final = (Occasion.SIT, Occasion.TOP_UP)


def refuse(request: admission.Request) -> Refused | None:
    return refusal() if request.occasion in OCCASIONS else None


def hold(_now: datetime) -> Refused | None:
    return refusal()


def refusal() -> Refused | None:
    """Return why nothing new begins, with the message of the one who switched maintenance on."""
    switch = state()
    if not switch.on:
        return None
    if switch.message:
        return Refused(
            CODE,
            _n("The house is closed for maintenance, and no new hand opens: {message}"),
            message=switch.message,
        )
    return Refused(CODE, _n("The house is closed for maintenance, and no new hand opens."))


HOLDING: Final = admission.Holding(hold, READ)
