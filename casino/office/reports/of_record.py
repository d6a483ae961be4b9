"""Declare the columns of reports: sums are derived from closed days and their hands."""

from casino.office.reports import models
from wallets.of_record.declarations import declare

declare(models.SummedDay, derived={"days": "id day"})
declare(
    models.GameSettings,
    free={"names of options in use, for the filters of a page": "profile game options"},
)
declare(
    models.TableDay,
    derived={
        "days": "id day_id on table_id profile game currency_id bet hands reversed with_people "
        "handle won rake pools from_bots kept_squares products handle_squares"
    },
)
declare(
    models.PlayerDay,
    derived={
        "days": "id day_id on table_id profile game currency_id player_id hands handle net rake"
    },
)
declare(
    models.PoolDay,
    derived={"days": "id day_id on table_id profile game currency_id jackpot_id fed hit hits"},
)
declare(models.HeldDay, derived={"days": "id day_id on currency_id kind amount"})
