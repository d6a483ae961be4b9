"""Declare the columns of the desk: all of its documents are of record."""

from casino.office.desk import models
from wallets.of_record.declarations import declare

declare(models.Till, record="id name is_vault", by="till.add house:desk.open_vault")
declare(
    models.Shift,
    record="id till_id cashier_id cashier_name opened_at closed_at key",
    by="shift.open shift.close",
)
declare(
    models.Count,
    record="id shift_id kind currency_id counted expected pieces words at key",
    by="shift.open shift.close shift.count",
)
declare(
    models.Receipt,
    record="id number day serial kind till_id shift_id to_till_id to_shift_id player_id "
    "corrects_id currency_id amount wallet_after till_after cashier_id cashier_name second_name "
    "reason key posting at prints",
    by="desk.deposit desk.withdrawal desk.pay desk.correct desk.transfer shift.open shift.close "
    "receipt.print",
)
declare(
    models.WithdrawalRequest,
    record="id player_id currency_id amount made_at status decided_at words receipt_id key",
    by="player:withdrawal.ask player:withdrawal.cancel withdrawal.refuse desk.pay",
)
