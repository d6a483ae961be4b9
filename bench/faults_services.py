"""Faults of what the house leans on: Valkey, the broker's messages, PostgreSQL, and the line."""

import time
from functools import partial
from typing import Final

from bench import faults_database
from bench.faults_clients import acts_are_refused
from bench.faults_line import Trouble
from bench.faults_scene import AWAY_SECONDS, Scene, Way
from games.live.wake_ups import BELL, DUE

RESTART_SECONDS: Final = 1.0
DELIVERIES: Final = 25


def freeze_valkey(scene: Scene) -> None:
    scene.house.valkey.freeze()
    try:
        time.sleep(AWAY_SECONDS)
    finally:
        scene.house.valkey.thaw()


def flush_valkey(scene: Scene) -> None:
    with scene.house.valkey.client() as client:
        client.flushall()
    without_valkey(scene, RESTART_SECONDS)


def refuse_valkey(scene: Scene) -> None:
    without_valkey(scene, AWAY_SECONDS)


def without_valkey(scene: Scene, seconds: float) -> None:
    """Kill it; its socket refuses connections."""
    scene.house.valkey.stop()
    try:
        time.sleep(seconds)
    finally:
        scene.house.valkey.start()


def deliver_often(scene: Scene) -> None:
    """Workers are told that each table is due, whether it is or not, many times over."""
    with scene.house.valkey.client() as client:
        ends = time.monotonic() + AWAY_SECONDS
        while time.monotonic() < ends:
            for _ in range(DELIVERIES):
                client.zadd(DUE, dict.fromkeys(scene.tables, 0))
                client.lpush(BELL, 1)
            time.sleep(AWAY_SECONDS / 4 / DELIVERIES)


def end_settlement(scene: Scene) -> None:
    faults_database.end_settlement(scene.house.postgres)


def stop_postgres(scene: Scene) -> None:
    faults_database.stop(scene.house.postgres, partial(acts_are_refused, scene))


def freeze_postgres(scene: Scene) -> None:
    refused = partial(acts_are_refused, scene)
    faults_database.freeze(scene.house.postgres, AWAY_SECONDS, refused)


def promote_standby(scene: Scene) -> None:
    faults_database.promote_standby(scene.house.postgres)


def exhaust_connections(scene: Scene) -> None:
    faults_database.exhaust(scene.house.postgres, AWAY_SECONDS)


def fill_disk(scene: Scene) -> None:
    assert scene.house.disk, "the schedule leaves this out where there is no small disk"
    faults_database.fill_disk(scene.house.postgres, scene.house.disk, AWAY_SECONDS)


def troubled(trouble: Trouble) -> Way:
    """The line misbehaves like this for a while."""

    def misbehave(scene: Scene) -> None:
        befell = scene.line.befell
        scene.line.trouble = trouble
        time.sleep(AWAY_SECONDS)
        scene.line.trouble = Trouble.NONE
        assert scene.line.befell > befell, "nothing came through the line"

    return misbehave
