"""The kill switch: no new hand begins anywhere, at once, and a second person confirms afterwards.

Hands that run are played to their end, and nobody loses a seat. Stopping waits for nobody's
approval; it leaves a proposal, which a colleague confirms or rejects. Rejecting is a verdict and
moves nothing: hands begin again when a manager lifts the switch.
"""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.backoffice.floor import house_state
from casino.backoffice.floor.closing import CLOSE_HOUSE, HOUSE, require
from casino.backoffice.models import HouseState
from wallets import approvals, journal
from wallets.approvals import Arguments, Line, Order
from wallets.errors import Refused
from wallets.permitted import Permitted
from wallets.player import Viewer
from wallets.staff_models import Proposal

HALT: Final = "backoffice.halt_house"
# It leaves a proposal, and proposing is confirmed after a while away.
HALTED: Final = journal.register(
    "house.halt", _("Stopped all new hands"), confirmed=True, permission=HALT
)
LIFTED: Final = journal.register(
    "house.lift", _("Let new hands begin again"), permission=CLOSE_HOUSE
)
CONFIRMATION: Final = "house.confirm_halt"


@transaction.atomic
def halt(member: Viewer, reason: str, key: UUID, now: datetime) -> Proposal | None:
    """Stop all new hands, and ask a colleague to confirm it."""
    require(member, HALT)
    house = house_state.locked()
    if house.halted_at is not None:
        raise Refused(
            "already_halted",
            _("{name} stopped all new hands at {time}: {reason}"),
            name=house.halted_by_name,
            time=f"{house.halted_at:%H:%M}",
            reason=house.halted_why,
        )
    who, why = journal.by(member), journal.reason_of(reason)
    house.halted_at, house.halted_why, house.confirmed_by_name = now, why, ""
    house.halted_by, house.halted_by_name = who
    house.save()
    journal.write(who, HALTED, HOUSE, before={"halted": False}, after={"halted": True}, reason=why)
    house_state.changed()
    wanted = {"halted_at": now.isoformat()}
    return approvals.submit(member, CONFIRMATION, wanted, reason=why, key=key, now=now).proposal


@transaction.atomic
def lift(member: Viewer, reason: str, _now: datetime) -> None:
    """Let hands begin again; the tables look every few seconds."""
    require(member, CLOSE_HOUSE)
    house = house_state.locked()
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
    house_state.changed()


class ConfirmHalt(Permitted):
    """The verb that confirms a halt, which has already happened. Arguments: `halted_at`."""

    name: str = CONFIRMATION
    words: str | Promise = _("Confirm the kill switch")
    permission: str = HALT

    def check(self, arguments: Arguments) -> Arguments:
        return {"halted_at": str(arguments.get("halted_at", ""))}

    def admit(self, order: Order) -> None:
        if not _is_this(house_state.state(), order.arguments):
            raise Refused("halt_over", _("Play has resumed; there is nothing left to confirm."))

    def subject(self, arguments: Arguments) -> str:
        return HOUSE

    def state(self, arguments: Arguments) -> Arguments:
        return {"halted": _is_this(house_state.state(), arguments)}

    def needs_approval(self, order: Order) -> bool:
        return True

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        return [Line(str(_("New hands")), str(_("dealt")), str(_("stopped, already")))]

    def carry_out(self, order: Order) -> HouseState:
        house = house_state.locked()
        who = journal.by(order.checker or order.maker)
        house.confirmed_by_name = who.name
        house.save(update_fields=["confirmed_by_name"])
        journal.write(
            journal.by(order.maker),
            self.name,
            HOUSE,
            before={"confirmed_by": ""},
            after={"confirmed_by": who.reference},
            reason=order.reason,
            cause=order.cause,
        )
        house_state.changed()
        return house


def _is_this(house: HouseState, arguments: Arguments) -> bool:
    return house.halted_at is not None and house.halted_at.isoformat() == arguments["halted_at"]


def register() -> None:
    approvals.register(ConfirmHalt())
