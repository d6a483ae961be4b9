"""Declare the columns of reports: sums are derived from closed days and their hands."""

from casino.office.reports import models
from wallets.of_record.declarations import declare

_NUMBER = "a number that nothing refers to"

declare(models.SummedDay, derived={"days": "id day"})
declare(
    models.GameSettings,
    free={"names of options in use, for the filters of a page": "profile game options"},
)
declare(
    models.TableDay,
    derived={
        "days": "day_id on table_id profile game currency_id bet hands reversed with_people "
        "handle won rake pools from_bots kept_squares products handle_squares"
    },
    free={_NUMBER: "id"},
)
declare(
    models.PlayerDay,
    derived={"days": "day_id on table_id profile game currency_id player_id hands handle net rake"},
    free={_NUMBER: "id"},
)
declare(
    models.PoolDay,
    derived={"days": "day_id on table_id profile game currency_id jackpot_id fed hit hits"},
    free={_NUMBER: "id"},
)
declare(
    models.HeldDay,
    derived={"days": "day_id on currency_id kind amount"},
    free={_NUMBER: "id"},
)
