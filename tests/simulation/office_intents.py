"""What is wanted besides play: money at the desk, decisions of the staff, rules, and breaks."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid5

from casino.care import exclusions, limits
from casino.care.models import Exclusion, PlayerLimit
from casino.office.desk import cash, requests
from casino.office.desk.models import WithdrawalRequest
from casino.office.desk.shifts import own_shift
from games.models import ProfileVersion
from games.profiles import drafts
from games.tables.table_rules import version_in_force
from tests.games import profiles
from tests.simulation.intents import Intent
from tests.simulation.office import WHY
from wallets.models.holders import player_reference
from wallets.staff import approvals

if TYPE_CHECKING:
    from tests.simulation.world import World

# What a count of the till differs by; from ten euros on a second person must say yes.
VARIANCES: Final = (0, 0, 0, 0, -50, 2_500)
# At most one in so many takes a break.
AWAY: Final = 4


def _key(chance: Random) -> UUID:
    return UUID(int=chance.getrandbits(128), version=4)


def _submit(world: "World", verb: str, key: UUID, **arguments: Any) -> Callable[[], Any]:
    return lambda: approvals.submit(
        world.office.cashier, verb, arguments, reason=WHY, key=key, now=world.now
    )


def deposit(world: "World", chance: Random) -> Intent:
    player, amount = chance.choice(world.people), chance.randrange(1_000, 800_000)
    given = {"player": player_reference(player.pk), "currency": "EUR", "amount": amount}
    send = _submit(world, "desk.deposit", _key(chance), till=world.office.till.pk, **given)
    return Intent(f"{player.username} pays in {amount} at the desk", send)


def cash_out(world: "World", chance: Random) -> Intent:
    player, amount, key = (
        chance.choice(world.people),
        chance.randrange(1_000, 400_000),
        _key(chance),
    )
    return Intent(
        f"{player.username} asks for {amount} at the desk",
        lambda: requests.ask(player, world.office.euro, amount, key=key, now=world.now),
    )


def pay(world: "World", chance: Random) -> Intent | None:
    """Pay one of the last requests, whether it still waits or not, with the key that it has."""
    request = _request(chance)
    if request is None:
        return None
    key = uuid5(request.key, "pay")
    send = _submit(world, requests.PAY, key, request=request.pk, till=world.office.till.pk)
    return Intent(f"the cashier pays request {request.pk}", send)


def call_off(world: "World", chance: Random) -> Intent | None:
    """The player wants the money in the wallet again, or the cashier does not pay it."""
    request = _request(chance)
    if request is None:
        return None
    number, player, cashier = request.pk, request.player, world.office.cashier
    who, send = chance.choice(
        [
            (player.username, lambda: requests.cancel(player, number, world.now)),
            ("the cashier", lambda: requests.refuse(cashier, number, WHY, world.now)),
        ]
    )
    return Intent(f"{who} calls off request {number}", send)


def _request(chance: Random) -> WithdrawalRequest | None:
    last = list(WithdrawalRequest.objects.select_related("player").order_by("-pk")[:4])
    return chance.choice(last) if last else None


def shift(world: "World", chance: Random) -> Intent:
    """The cashier counts the till, and goes; or comes, and counts it."""
    till = world.office.till
    verb = "shift.close" if own_shift(world.office.cashier) else "shift.open"
    counted = {code: held + chance.choice(VARIANCES) for code, held in cash.held_by(till).items()}
    send = _submit(world, verb, _key(chance), till=till.pk, counted=counted)
    return Intent(f"the cashier: {verb} with {counted}", send)


def decide(world: "World", chance: Random) -> Intent | None:
    """The second person says yes, or now and then no."""
    waiting = list(approvals.waiting(world.now).order_by("pk"))
    if not waiting:
        return None
    proposal, verb = chance.choice(waiting), chance.choices(["approve", "reject"], [6, 1])[0]
    decided = {"approve": approvals.approve, "reject": approvals.reject}[verb]
    return Intent(
        f"the second manager: {verb} {proposal.verb} {proposal.pk}",
        lambda: decided(world.office.second, proposal.pk, reason=WHY, now=world.now),
    )


def rules(world: "World", chance: Random) -> Intent | None:
    """The manager drafts other rules, changes the draft, or proposes it for the next hand."""
    office = world.office
    there = office.profile.versions.filter(state__in=drafts.OPEN).first()
    if there is None:
        current = version_in_force(office.profile.pk, world.now)
        assert current is not None
        return Intent(
            "the manager begins a draft",
            lambda: drafts.begin_draft(office.manager, current.pk, reason=WHY, now=world.now),
        )
    if there.state != ProfileVersion.State.DRAFT:
        return None
    if chance.random() < 0.5:
        seconds = chance.randrange(10, 40)
        return Intent(
            f"the manager drafts {seconds} seconds a decision",
            lambda: profiles.change(office.manager, there, decision_seconds=seconds),
        )
    profiles.reckoned(there)
    return Intent(
        f"the manager proposes version {there.number}",
        lambda: profiles.proposed(office.manager, there),
    )


def take_break(world: "World", chance: Random) -> Intent | None:
    player = chance.choice(world.people)
    away = Exclusion.objects.filter(until__gt=world.now).values("player").distinct().count()
    if (away + 1) * AWAY > len(world.people):
        return None
    return Intent(
        f"{player.username} takes a break of a day",
        lambda: exclusions.begin(player, Exclusion.Kind.TIME_OUT, 1, world.now),
    )


def loosen(world: "World", chance: Random) -> Intent | None:
    """A player lifts a limit, or answers a day later whether it is still to be lifted."""
    rows = PlayerLimit.objects.filter(withdrawn_at=None).select_related("player", "currency")
    waiting = list(rows.filter(confirmed_at=None).order_by("pk"))
    if waiting and chance.random() < 0.7:
        change, verb = chance.choice(waiting), chance.choice([limits.confirm, limits.withdraw])
        return Intent(
            f"{change.player.username} answers: {verb.__name__}",
            lambda: verb(change.player, change.pk, world.now),
        )
    held = rows.exclude(confirmed_at=None).exclude(value=None).order_by("-pk").first()
    if held is None:
        return None
    wanted = limits.Wanted(held.kind, held.period, held.currency, None)
    return Intent(
        f"{held.player.username} lifts a limit of {held.kind}",
        lambda: limits.ask(held.player, wanted, world.now),
    )
