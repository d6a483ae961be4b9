"""Declare the columns of alarms: their causes, and who took them up, are of record."""

from casino.office.alarms.models import Alarm, CheckResult, Delivery, Look
from wallets.of_record.declarations import declare

declare(
    Alarm,
    record="id kind subject raised_at cleared_at taken_by taken_by_name taken_at note",
    free={"measured again at each look": "figures"},
    by="house:alarms.look alarm.take",
)
declare(
    Delivery,
    free={
        "the way of an alarm or anchor to its addresses": "id alarm_id anchor_id channel "
        "sealed_address address_digest attempts next_at delivered_at last_error"
    },
)
declare(Look, free={"when an alarm was last looked for": "kind at"})
declare(CheckResult, free={"the last run of a check, which runs again": "name at found first"})
