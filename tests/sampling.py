"""Which tests a run takes: `pytest --sample SEED`.

Where a behaviour is checked over a matrix, such as games times roles, a run takes a part of it: of
each test a twentieth of its cases, and further ones until each row and each column has been taken
once. The seed says which. The next seed takes the next cases, so that twenty seeds in a row take
them all. `make test` uses the number of commits as the seed.

An argument is an axis of a matrix if its name is one of `AXES`; the cases of other tests are all
taken. Tests marked `always` are taken. Of the others on the database, which take nine tenths of the
time, a tenth is taken in turn; of those that work long, half as many. Of those that start processes
a tenth is taken, too; of others that work long without the database a quarter of the cases, and of
journeys in a browser half; of these a third in Firefox or WebKit, too. Tests that wait alike take
turns in the order of their number of cases, so that each run has as many. Tests marked
`release` are left to `make test-all`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest

# Over so many seeds in a row, each case is taken at least once.
SEEDS: Final = 20
# Over so many seeds in a row, each test on the database is taken.
TURNS: Final = 10
# Over so many, each that does not commit is taken on PostgreSQL, too.
TURNS_ON_POSTGRESQL: Final = 40
# Tests that work long are taken so many times less often than others: few take much of the time.
RARER: Final = 2
DEAR: Final = ("slow", "long", "processes")
# Those of them that need no database are taken over so many seeds.
TURNS_WITHOUT_DATABASE: Final = 4
# So does every journey in a browser.
JOURNEYS: Final = "journeys"
# A journey that a run takes is made in Chromium, and every so many times in one of these as well.
OTHER_ENGINES: Final = ("firefox", "webkit")
TURNS_OF_ENGINES: Final = 3

AXES: Final = frozenset({
    "address", "game", "group", "language", "model", "page", "role", "size", "theme", "viewer",
})  # fmt: skip

# The folders whose tests run on PostgreSQL, too.
ON_THE_DATABASE: Final = ("casino", "games", "simulation", "tournaments", "wallets")

# Pages look and say the same on PostgreSQL, and open to the same people. The numbers of
# tables decide the cards of a seeded event, and PostgreSQL gives out others. It dates postings by
# its own clock, which the world of a simulation and the days of a demonstration do not move. A row
# that was undone leaves a gap in its numbers, of which digests are made.
SQLITE_ALONE: Final = (
    "*_page*.py", "test_languages.py", "test_colours.py", "test_admin_lists.py", "test_roles.py",
    "test_other_players.py", "test_verbs_by_role.py", "test_world.py", "tournaments/test_audit.py",
    "test_demonstration.py", "test_verbs_moved.py",
)  # fmt: skip

NOT_QUICK: Final = ("database", "processes", "release", "long", "slow")

Item = pytest.Function


def sampled(items: Iterable[Item], seed: int) -> list[Item]:
    """The tests of a run, in their order."""
    regular = [item for item in items if not item.get_closest_marker("release")]
    taken, chosen = [], set[str]()
    places = defaultdict[int, int](int)
    for cases in sorted(_grouped(regular, _test_of).values(), key=len):
        turns = _turns(cases[0])
        part = _part(cases, seed + places[turns], turns)
        places[turns] += 1
        taken += cases if part else []
        chosen.update(case.nodeid for case in part)
    for axis in sorted(AXES):
        _complete(axis, [item for item in taken if axis in _coordinates(item)], chosen, seed)
    return [item for item in regular if item.nodeid in chosen]


def quick(items: Iterable[Item]) -> list[Item]:
    """The first case of each test that needs neither the database nor processes, nor takes long."""
    firsts: dict[str, Item] = {}
    for item in items:
        if not any(item.get_closest_marker(name) for name in NOT_QUICK):
            firsts.setdefault(_test_of(item), item)
    return list(firsts.values())


def thinned(items: Iterable[Item]) -> list[Item]:
    """Each test but those for a release, and of each matrix one case a row and one a column."""
    chosen = set[str]()
    regular = [item for item in items if not item.get_closest_marker("release")]
    for cases in _grouped(regular, _test_of).values():
        axes = _coordinates(cases[0])
        chosen.update(case.nodeid for case in (cases[:1] if axes else cases))
        for axis in axes:
            _complete(axis, cases, chosen, seed=0)
    return [item for item in regular if item.nodeid in chosen]


def on_postgresql(items: Iterable[Item], seed: int | None) -> list[Item]:
    """The tests that PostgreSQL may answer otherwise than SQLite.

    Without a seed these are all on the database. With one they are those marked `postgresql`, a
    tenth of those that commit, since it is they who wait for one another, and a fortieth of the
    others. Of a matrix one case counts there, the next one after twenty seeds. Others that work
    long are left to `make test-all`.
    """
    there = [
        item
        for item in items
        if item.get_closest_marker("database") and not any(map(item.path.match, SQLITE_ALONE))
    ]
    if seed is None:
        return there
    tests = _grouped((item for item in there if not item.get_closest_marker("release")), _test_of)
    chosen = set[str]()
    places = defaultdict[int, int](int)
    for cases in tests.values():
        part = [cases[seed // SEEDS % len(cases)]] if _coordinates(cases[0]) else cases
        if not part[0].get_closest_marker("postgresql"):
            turns = TURNS if _commits(part[0]) else TURNS_ON_POSTGRESQL
            places[turns] += 1
            if _is_dear(part[0]) or (places[turns] + seed) % turns:
                continue
        chosen.update(item.nodeid for item in part)
    return [item for item in there if item.nodeid in chosen]


def _is_dear(item: Item) -> bool:
    return JOURNEYS in item.path.parts or any(map(item.get_closest_marker, DEAR))


def _commits(item: Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return bool(mark and mark.kwargs.get("transaction")) or "transactional_db" in item.fixturenames


def _turns(test: Item) -> int:
    """Over so many seeds a test is taken."""
    if test.get_closest_marker("always"):
        return 1
    if test.get_closest_marker("database"):
        return TURNS * RARER if _is_dear(test) else TURNS
    if JOURNEYS in test.path.parts:
        return RARER
    if test.get_closest_marker("processes"):
        return TURNS
    return TURNS_WITHOUT_DATABASE if _is_dear(test) else 1


def _part(cases: list[Item], turn: int, turns: int) -> list[Item]:
    """Those cases of a test that a run takes; none where the test waits for a later turn."""
    if turns == TURNS_WITHOUT_DATABASE and not _coordinates(cases[0]):
        return cases[turn % turns :: turns]
    if turn % turns:
        return []
    if not _coordinates(cases[0]):
        return [case for case in cases if _engine_is_in_turn(case, turn // turns)]
    turn, turns = turn // turns, min(SEEDS // turns, len(cases))
    return cases[turn % turns :: turns]


def _engine_is_in_turn(case: Item, turn: int) -> bool:
    engine = _parameters(case).get("engine")
    if engine not in OTHER_ENGINES:
        return True
    turn, waits = divmod(turn, TURNS_OF_ENGINES)
    return not waits and OTHER_ENGINES[turn % len(OTHER_ENGINES)] == engine


def _complete(axis: str, cases: list[Item], chosen: set[str], seed: int) -> None:
    """Take one case more for each value of an axis that no chosen case has."""
    values = _grouped(cases, lambda case: repr(_coordinates(case)[axis]))
    for place, with_value in enumerate(values.values()):
        if not any(case.nodeid in chosen for case in with_value):
            chosen.add(with_value[(seed + place) % len(with_value)].nodeid)


def _coordinates(item: Item) -> dict[str, Any]:
    """The place of a case in its matrix."""
    return {name: value for name, value in _parameters(item).items() if name in AXES}


def _parameters(item: Item) -> dict[str, Any]:
    parameters = getattr(item, "callspec", None)
    return parameters.params if parameters else {}


def _test_of(item: Item) -> str:
    return item.nodeid.partition("[")[0]


def _grouped(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
