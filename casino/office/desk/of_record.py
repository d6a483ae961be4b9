"""Declare the columns of the desk: all of its documents are of record."""

from casino.office.desk import models
from wallets.of_record.declarations import declare

declare(models.Till, record="id name is_vault", by="casino.office.desk casino.ops.founding")
declare(
    models.Shift,
    record="id till_id cashier_id cashier_name opened_at closed_at key",
    by="casino.office.desk",
)
declare(
    models.Count,
    record="id shift_id kind currency_id counted expected pieces words at key",
    by="casino.office.desk",
)
declare(
    models.Receipt,
    record="id number day serial kind till_id shift_id to_till_id to_shift_id player_id "
    "corrects_id currency_id amount wallet_after till_after cashier_id cashier_name second_name "
    "reason key posting at prints",
    by="casino.office.desk",
)
declare(
    models.WithdrawalRequest,
    record="id player_id currency_id amount made_at status decided_at words receipt_id key",
    by="casino.office.desk casino.office.players",
)
