"""A world in a box holds through every fault, repeats with its seed, and notices broken code."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from games.rules.catalogue import GAMES
from games.shoes import anchors
from tests.simulation import bank, concurrent_pairs, invariants, runs
from tests.simulation.month import Month
from tests.simulation.switches import AT_ONCE, SWITCHES, Switch
from tests.simulation.world import LONG
from wallets.audit.reconciliation import reconcile

FEW_GAMES = ("doudizhu", "baccarat", "chinese_poker")
# The whole length is `make world`.
PATIENCE = 300

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_house() -> None:
    """Numbers begin at one, and no anchor of an earlier test is left."""
    emptied()


def emptied() -> None:
    Path(settings.ANCHORS_FILE).unlink(missing_ok=True)
    call_command("flush", interactive=False, verbosity=0)


def long(*values: object) -> object:
    """A case that only a release needs, beside a short one."""
    return pytest.param(*values, marks=pytest.mark.release)


@pytest.mark.parametrize(("steps", "games"), [(14, FEW_GAMES[:2]), long(90, tuple(GAMES))])
def test_every_game_goes_on_whatever_fails(
    monkeypatch: pytest.MonkeyPatch, steps: int, games: tuple[str, ...]
) -> None:
    # The audit at the end wants an anchor where so few entries of the public chain are made, too.
    monkeypatch.setattr(anchors, "EVERY", 10)
    world, said = runs.run(8, runs.steps(steps), games)
    assert world.faults
    assert world.acknowledged
    assert said


@pytest.mark.release
def test_a_month_pays_what_its_promotions_were_to_cost(settings: Any) -> None:
    # An hour of sample, and an hour under promotions.
    settings.GAMING_DAY_HOUR = 13
    month = Month(2)
    runs.run(7, runs.hours(2), FEW_GAMES, weights=LONG, people=24, month=month)
    assert month.findings == []
    assert [cost for cost in month.costs if not cost.is_right] == []
    assert len(month.costs) > 10
    assert sum(cost.paid for cost in month.costs) > 0


@pytest.mark.parametrize("steps", [6, long(30)])
def test_a_seed_gives_the_same_world_again_and_another_seed_another(steps: int) -> None:
    digests = []
    for seed in (2, 2, 3):
        emptied()
        world, _said = runs.run(seed, runs.steps(steps), FEW_GAMES, to_the_end=False)
        digests.append(world.digest())
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.release
@pytest.mark.parametrize("name", SWITCHES)
def test_code_that_is_broken_on_purpose_is_noticed(name: str) -> None:
    switch = SWITCHES[name]
    seed, failed = first_failure(switch)
    assert failed.what in switch.noticed_by
    assert f"--seed {seed} --steps" in str(failed)


def first_failure(switch: Switch) -> tuple[int, runs.Failed]:
    for seed in switch.seeds:
        emptied()
        try:
            with switch.broken():
                runs.run(seed, runs.steps(switch.steps), FEW_GAMES, to_the_end=False)
        except runs.Failed as failed:
            return seed, failed
    pytest.fail("no world notices it")


@pytest.mark.release
def test_a_failing_seed_fails_again_at_the_same_step() -> None:
    seen = []
    for _twice in range(2):
        emptied()
        with SWITCHES["leaking-view"].broken(), pytest.raises(runs.Failed) as failed:
            runs.run(4, runs.steps(PATIENCE), FEW_GAMES, to_the_end=False)
        seen.append((failed.value.digest, str(failed.value)))
    assert seen[0] == seen[1]


def test_two_requests_at_once_have_the_effect_of_one_after_the_other() -> None:
    concurrent_pairs.check()


@pytest.mark.parametrize("name", AT_ONCE)
def test_locks_that_are_broken_on_purpose_are_noticed(name: str) -> None:
    switch, noticed = AT_ONCE[name], ""
    try:
        with switch.broken():
            concurrent_pairs.check()
    except invariants.Violated as violated:
        noticed = violated.what
    # On SQLite two requests need not meet.
    possible = switch.noticed_by if connection.vendor == "postgresql" else ("", *switch.noticed_by)
    assert noticed in possible


@pytest.mark.parametrize("count", [400, long(1_500)])
def test_the_totals_of_a_busy_ledger_never_move(count: int) -> None:
    counted = bank.transfers(count, 5)
    assert counted.wrong == 0
    assert counted.reads > 1
    assert min(counted.moved, counted.refused, counted.repeated, counted.conflicts) > 0
    assert counted.moved + counted.refused == count
    assert not list(reconcile(everything=True))
