"""The kill switch: no new hand begins anywhere, and a second person confirms afterwards.

Live hands are played to their end, and players keep their seats. Stopping needs no approval; it
leaves a proposal, which a colleague confirms or rejects. Rejecting is a verdict and moves nothing:
hands begin again when a manager lifts the switch.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.alarms.conditions import INSTANT, OF_THE_ROOM, Condition, Moment, State
from casino.office.floor import closing
from casino.office.floor.closing import CLOSE_HOUSE, HOUSE, require
from casino.office.models import HouseState
from wallets.models.staff_models import Proposal
from wallets.of_record.verbs import under
from wallets.staff import approvals, journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.days import in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import Viewer

HALT: Final = "backoffice.halt_house"
# It leaves a proposal, and proposing is confirmed after a while away.
HALTED: Final = journal.register(
    "house.halt", _("Stopped all new hands"), confirmed=True, permission=HALT
)
LIFTED: Final = journal.register(
    "house.lift", _("Let new hands begin again"), permission=CLOSE_HOUSE
)
CONFIRMATION: Final = "house.confirm_halt"


@under(HALTED)
@transaction.atomic
def halt(member: Viewer, reason: str, key: UUID, now: datetime) -> Proposal | None:
    """Stop all new hands, and ask a colleague to confirm it."""
    require(member, HALT)
    house = closing.locked()
    if house.halted_at is not None:
        raise Refused(
            "already_halted",
            _("{name} stopped all new hands at {time}: {reason}"),
            name=house.halted_by_name,
            time=f"{in_house_zone(house.halted_at):%H:%M}",
            reason=house.halted_why,
        )
    who, why = journal.by(member), journal.reason_of(reason)
    house.halted_at, house.halted_why, house.confirmed_by_name = now, why, ""
    house.halted_by, house.halted_by_name = who
    house.save()
    journal.write(who, HALTED, HOUSE, before={"halted": False}, after={"halted": True}, reason=why)
    closing.changed()
    wanted = {"halted_at": now.isoformat()}
    return approvals.submit(member, CONFIRMATION, wanted, reason=why, key=key, now=now).proposal


@under(LIFTED)
@transaction.atomic
def lift(member: Viewer, reason: str, now: datetime) -> None:
    """Let hands begin again; the tables look every few seconds.

    A proposal to confirm the halt has nothing left to decide, so it ends.
    """
    require(member, CLOSE_HOUSE)
    approvals.end_waiting(CONFIRMATION, HOUSE, now)
    house = closing.locked()
    if house.halted_at is None:
        raise Refused("not_halted", _("New hands are not stopped."))
    house.halted_at, house.halted_by, house.halted_by_name, house.halted_why = None, "", "", ""
    house.confirmed_by_name = ""
    house.save()
    journal.write(
        journal.by(member),
        LIFTED,
        HOUSE,
        before={"halted": True},
        after={"halted": False},
        reason=reason,
    )
    closing.changed()


class ConfirmHalt(Permitted):
    """The verb that confirms a halt, which has already happened. Arguments: `halted_at`."""

    name: str = CONFIRMATION
    words: str | Promise = _("Confirm the kill switch")
    permission: str = HALT
    ended: str | Promise = _("lifted")

    def check(self, arguments: Arguments) -> Arguments:
        return {"halted_at": str(arguments.get("halted_at", ""))}

    def admit(self, order: Order) -> None:
        if not _is_this(closing.state(), order.arguments):
            raise Refused("halt_over", _("Play has resumed; there is nothing left to confirm."))

    def subject(self, arguments: Arguments) -> str:
        return HOUSE

    def state(self, arguments: Arguments) -> Arguments:
        return {"halted": _is_this(closing.state(), arguments)}

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        return [Change(str(_("New hands")), str(_("dealt")), str(_("stopped, already")))]

    def carry_out(self, order: Order) -> HouseState:
        house = closing.locked()
        who = journal.by(order.checker or order.maker)
        house.confirmed_by_name = who.name
        house.save(update_fields=["confirmed_by_name"])
        order.note(
            self.name, HOUSE, before={"confirmed_by": ""}, after={"confirmed_by": who.reference}
        )
        closing.changed()
        return house


def _is_this(house: HouseState, arguments: Arguments) -> bool:
    return house.halted_at is not None and house.halted_at.isoformat() == arguments["halted_at"]


def _halted(moment: Moment) -> Iterator[State]:
    for house in _halted_rows(moment.now):
        assert house.halted_at is not None
        figures = {"name": house.halted_by_name, INSTANT: house.halted_at.isoformat()}
        yield State(HOUSE, {**figures, "reason": house.halted_why})


def _halted_rows(_now: datetime) -> QuerySet[HouseState]:
    return HouseState.objects.filter(halted_at__isnull=False)


STOPPED: Final = Condition(
    "halt",
    _("All new hands are stopped"),
    _("{name} pulled the kill switch at {at}: {reason}"),
    OF_THE_ROOM,
    _halted,
    may_stand=_halted_rows,
)
