"""The refusals during maintenance: seats, money brought to a table, and hands."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext_noop as _n

from casino.maintenance.switch import state
from games import admission
from games.admission import Occasion
from games.words.refusal import Refused

CODE: Final = "maintenance"
# Being dealt in is not asked here: the hold on hands asks once for the whole table.
OCCASIONS: Final = (Occasion.SIT, Occasion.TOP_UP)


def refuse(request: admission.Request) -> Refused | None:
    return refusal() if request.occasion in OCCASIONS else None


def hold(_now: datetime) -> Refused | None:
    return refusal()


def refusal() -> Refused | None:
    """Return why nothing new begins, with the words of whoever switched maintenance on."""
    found = state()
    if not found.on:
        return None
    if found.message:
        return Refused(
            CODE,
            _n("The house is closed for maintenance, and no new hand opens: {message}"),
            message=found.message,
        )
    return Refused(CODE, _n("The house is closed for maintenance, and no new hand opens."))


def register() -> None:
    admission.register("maintenance", refuse)
    admission.register_hold("maintenance", hold)
