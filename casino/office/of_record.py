"""Declare the columns of halts and closures, which are of record."""

from casino.office.models import AuditRun, Closure, HouseState, Tour
from wallets.of_record.declarations import declare

CLOSES = "table.close table.open game.close game.open house.close house.open"

declare(
    HouseState,
    record="id halted_at halted_by halted_by_name halted_why confirmed_by_name closed_at "
    "closed_by_name closed_why",
    free={"counts the changes of this row": "version"},
    by="house.halt house.lift house.confirm_halt house.close house.open house:floor.begin",
)
declare(Closure, record="id table_id scope at by_name reason", by=CLOSES)
declare(
    AuditRun,
    record="id first_day last_day table_id requested_by reason requested_at",
    free={
        "the course of an audit, which may be run again": "state wanted done wrong findings "
        "seen_at ended_at"
    },
    by="hands.audit",
)
declare(Tour, free={"how far a manager is in the tour of the office": "id member_id step"})
