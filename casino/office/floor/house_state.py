"""The row about the whole house: read, locked, and announced to viewers of the floor."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop as _n

from casino.office.models import HouseState
from games.live import sources
from games.models.prepared import Query
from games.tables.admission import Holding, Occasion, Request
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.player import Viewer

STREAM: Final = "floor"
ROW: Final = 1
SEE: Final = "backoffice.see_floor"
_ROW: Final = Query(lambda row: HouseState.objects.filter(pk=row))


def state() -> HouseState:
    return HouseState.objects.filter(pk=ROW).first() or HouseState(pk=ROW)


def locked() -> HouseState:
    """The row, locked; a verb that also locks tables locks it first."""
    HouseState.objects.get_or_create(pk=ROW)
    return HouseState.objects.select_for_update().get(pk=ROW)


def changed(**_of_the_signal: object) -> None:
    """Have every open floor look again after the commit.

    The row is not locked before: a verb that has locked tables must not wait for it.
    """
    transaction.on_commit(_announce, robust=True)


def _announce() -> None:
    if not HouseState.objects.filter(pk=ROW).update(version=F("version") + 1):
        _begin()
    sources.announce(STREAM, ROW, state().version)


@verb("house:floor.begin", alone=True)
def _begin() -> None:
    """Make the row when something is announced for the first time."""
    HouseState.objects.get_or_create(pk=ROW, defaults={"version": 1})


class Versions:
    """The version of the floor, for viewers who may see it."""

    def version_for(self, viewer: Viewer, number: int) -> int | None:
        if number != ROW or not viewer.has_perm(SEE):
            return None
        return state().version

    def versions_of(self, numbers: Iterable[int]) -> Mapping[int, int]:
        return {ROW: state().version} if ROW in set(numbers) else {}


def hands_may_begin() -> bool:
    found = _ROW.first(ROW)
    return found is None or found.halted_at is None


def hold(_now: datetime) -> Refused | None:
    """Refuse new hands while the kill switch is on."""
    if hands_may_begin():
        return None
    return Refused("house_halted", _n("The house has stopped all new hands for now."))


def admits(request: Request) -> Refused | None:
    """Refuse new seats while the house closes."""
    if request.occasion != Occasion.SIT:
        return None
    found = _ROW.first(ROW)
    if found is None or found.closed_at is None:
        return None
    return Refused("house_closed", _n("The house is closing: you cannot sit down now."))


HOLDING: Final = Holding(hold, (_ROW, (ROW,)))
