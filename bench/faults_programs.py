"""Faults of the house's own programs: they are killed, doubled, deployed, or have a wrong clock."""

import time
from typing import Final

from bench.faults_scene import AWAY_SECONDS, Scene, Way
from bench.faults_web import Point
from games.live.wake_ups import DUE
from tests.houses.programs import ALONE, CELERY
from tests.waiting import until

RESTART_SECONDS: Final = 1.0
STORM_KILLS: Final = 40
STORM_KILLS_SHORT: Final = 10
STORM_SECONDS: Final = 0.6
COMMITS_MAX: Final = 5
# What is not a fork loads its code first, and others at the same time.
LOADING_SECONDS: Final = 10.0
CHILDREN: Final = 3
SECOND: Final = "second "
MIGRATE: Final = "migrate"
UPGRADE: Final = ("django", MIGRATE, "--settings", "bench.upgrade.settings")


def killed(name: str) -> Way:
    def kill(scene: Scene) -> None:
        scene.house.kill(name)
        time.sleep(RESTART_SECONDS)
        scene.house.start(name)

    return kill


def killed_at(point: Point) -> Way:
    """A web process kills itself there, at a commit of a move that is drawn."""

    def kill(scene: Scene) -> None:
        house, name = scene.house, "web 1"
        house.kill(name)
        _module, *words = house.programs[name]
        nth = str(scene.draw.randint(1, COMMITS_MAX))
        house.start(name, ("bench.faults_web", point.value, nth, *words))
        others = ["web 2"] if point is Point.BETWEEN_PIECES else []
        for other in others:
            # Its streams come to the one that is left.
            house.kill(other)
        until(lambda: name in house.ended())
        house.bury(name)
        time.sleep(RESTART_SECONDS)
        for program in (name, *others):
            house.start(program)

    return kill


def kill_worker_and_children(scene: Scene) -> None:
    """A worker of several processes, while tables have their timers with it."""
    house = scene.house
    house.kill("worker")
    forking = ("--pool", "prefork", "--concurrency", str(CHILDREN), "--without-gossip")
    house.start("worker", (*CELERY, "worker", *forking, *ALONE))
    with house.valkey.client() as client:
        until(lambda: client.zcard(DUE) > 0)
    until(lambda: house.children("worker") >= CHILDREN)
    house.kill_group("worker")
    time.sleep(RESTART_SECONDS)
    house.start("worker")


def no_workers(scene: Scene) -> None:
    """No worker takes a task and no beat sets one: only the sweeper is left."""
    for name in ("worker", "beat"):
        scene.house.kill(name)
    time.sleep(scene.workers_away)
    for name in ("worker", "beat"):
        scene.house.start(name)


def two_beats(scene: Scene) -> None:
    twice(scene, "beat", scene.house.beat(f"{SECOND}beat"))


def two_sweepers(scene: Scene) -> None:
    twice(scene, "sweeper", scene.house.programs["sweeper"])


def twice(scene: Scene, name: str, words: tuple[str, ...]) -> None:
    scene.house.start(f"{SECOND}{name}", words)
    time.sleep(AWAY_SECONDS)
    scene.house.kill(f"{SECOND}{name}")


def storm(scene: Scene) -> None:
    """One process after the other, in a drawn order, each started again at once."""
    house = scene.house
    left: list[str] = []
    for _ in range(STORM_KILLS if scene.whole else STORM_KILLS_SHORT):
        left = left or scene.draw.sample(list(house.programs), len(house.programs))
        name = left.pop()
        house.kill(name)
        house.start(name)
        time.sleep(STORM_SECONDS)


def wrong_clock(seconds: int) -> Way:
    """Every program but one web process has this clock for a while."""

    def shift(scene: Scene) -> None:
        house = scene.house
        names = [name for name in house.programs if name != "web 2"]
        for name in names:
            house.kill(name)
            house.start_cold(name, ("bench.faults_clock", str(seconds), *house.programs[name]))
        time.sleep(LOADING_SECONDS + AWAY_SECONDS)
        for name in names:
            house.kill(name)
            house.start(name)

    return shift


def deploy(scene: Scene) -> None:
    """A new version with a migration, while hands are played.

    Programs are asked to end, one after the other, and start again while the migration runs: the
    code that is running does not know the new columns and the new table.
    """
    house = scene.house
    house.start_cold(MIGRATE, (*UPGRADE, "upgrade"))
    while MIGRATE not in house.ended():
        for name in house.programs:
            house.stop(name)
            house.start(name)
            time.sleep(RESTART_SECONDS / 2)
    house.finish(MIGRATE)
    house.start_cold(MIGRATE, (*UPGRADE, "upgrade", "zero"))
    house.finish(MIGRATE)
