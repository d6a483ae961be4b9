"""The end of a world: everybody goes home, and then everything is audited and proved."""

from io import StringIO
from typing import TYPE_CHECKING

from django.core.management import call_command

from casino.care.models import Exclusion
from casino.office.desk.models import WithdrawalRequest
from games.models import Hand, ProfileVersion, Seat
from games.shoes import chain
from games.tables import clock, seating
from tests.simulation import invariants, office
from tests.simulation.invariants import AUDIT, require
from tournaments.running import announcing as events
from wallets.audit.reconciliation import reconcile
from wallets.models import Trigger
from wallets.values.errors import Refused

if TYPE_CHECKING:
    from tests.simulation.world import World

ROUNDS = 3_000


def go_home(world: "World") -> None:
    """All get up; hands that run are played out by the clock."""
    for _round in range(ROUNDS):
        left = Seat.objects.filter(left_at=None, table__organiser="").select_related("player")
        if not left.exists() and world.event.is_over():
            return
        for seat in left.filter(leaves=False, player__is_bot=False).order_by("pk"):
            try:
                seating.leave(seat.player, seat.table_id, world.now)
            except Refused:
                continue
        world.house.pass_time(5)
        clock.sweep(world.now)
        events.sweep(world.now)
        invariants.overdue(world)
    raise invariants.Violated(invariants.OVERDUE, "people cannot get away from their tables")


def check(world: "World") -> str:
    """Nothing is lost, and audit, chain, ledger and journal find nothing."""
    go_home(world)
    require(not world.errors.found, invariants.ERROR, world.errors.found)
    invariants.money(world)
    world.event.check()
    office.check(world)
    invariants.kept(world, None)
    world.link()
    said = StringIO()
    try:
        call_command("audit", stdout=said, stderr=StringIO(), no_color=True)
    except SystemExit:
        require(False, AUDIT, said.getvalue()[-2_000:])
    require(not list(chain.differences()), AUDIT, "the public chain differs")
    sentences = [str(finding.sentence) for finding in reconcile(everything=True)]
    require(not sentences, AUDIT, sentences[:5])
    paid = Hand.objects.filter(status=Hand.Status.FINISHED).count()
    fallen = Trigger.objects.exclude(opened_at=None).count()
    return (
        f"{paid} hands paid, {len(world.acknowledged)} moves kept, {world.faults} faults,"
        f" {fallen} mystery prizes, {_desk_and_rules()}"
    )


def _desk_and_rules() -> str:
    paid = WithdrawalRequest.objects.filter(status=WithdrawalRequest.Status.PAID).count()
    published = ProfileVersion.objects.exclude(published_from=None)
    versions = published.filter(state__in=("published", "retired")).count()
    return f"{paid} withdrawals, {versions} versions of rules, {Exclusion.objects.count()} breaks"
