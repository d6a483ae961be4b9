"""Run `docs/deploy/compose.yaml` by podman, from an empty machine to the next version.

    python -m tests.containers             as `make test-all` does, with sixty seconds of play
    python -m tests.containers --registry  on the registry's images in place of Debian's packages

The commands are those of "Containers" in `docs/operations.md`. A house is opened, played by a crowd
through the headers of a proxy, stopped and started, backed up, restored, and upgraded while hands
are live. What was made is removed at the end, by its name.
"""

import argparse
import asyncio
import logging
import os
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

from bench.crowd import Crowd
from bench.faults_checks import invariants
from casino.ops.server.process_guard import allow_many_connections
from tests.containers import images
from tests.containers.house import CAME_FROM, HEADER, SITE, Contained, commands, environment_file
from tests.containers.podman import Failed, Podman, missing
from tests.houses.guests import Guests, Person
from tests.waiting import until

PROGRAMS: Final = ("web", "sweeper", "worker", "simulations", "beat")
SERVERS: Final = ("database", "valkey")
# After SIGTERM: it has ended by itself.
ENDED: Final = {"0", "143"}
PLAYERS, TABLES = 12, 4
AFTER_SECONDS: Final = 20
STARTED: Final = time.monotonic()


def say(text: str) -> None:
    print(f"{time.monotonic() - STARTED:6.0f} s  {text}", flush=True)


def held(verdicts: dict[str, str]) -> str:
    """The invariants in words, or an error."""
    if broken := {name: verdict for name, verdict in verdicts.items() if verdict}:
        raise Failed(str(broken))
    return ", ".join(verdicts)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Run:
    """The steps, one after the other."""

    def __init__(self, podman: Podman, house: Contained, seconds: float) -> None:
        self.podman, self.house, self.seconds = podman, house, seconds
        self.people: list[Person] = []

    # The house.

    def start(self) -> None:
        """What `compose up` does, in the order of its conditions.

        To wait for them it needs a podman that knows `--condition=healthy`, and does not start
        again what has ended.
        """
        self.podman.compose("up", "--detach", "--no-deps", *SERVERS)
        until(lambda: self.podman.healthy("database"))
        self.podman.compose("up", "--detach", "--no-deps", "prepare")
        if (code := self.podman("wait", self.podman.container("prepare"))) != "0":
            raise Failed(f"prepare ended with {code}: {self.podman.said('prepare')}")
        self.podman.compose("up", "--detach", "--no-deps", *PROGRAMS)
        self.house.ready()

    def open(self, file: Path) -> None:
        build, _up, found = commands("open").splitlines()
        self.podman.shell(build)
        say("the image is built")
        self.start()
        self.podman.shell(found)
        self.house.manage("check", "--deploy", "--fail-level", "WARNING")
        self.house.enter(file)
        from tests.houses.guests import expect

        self.people = expect(Guests(PLAYERS, TABLES, pages=0.5))
        say("opened and founded; every part is ready")

    def stop(self) -> None:
        """Every program ends by itself when it is told to."""
        self.podman.compose("stop")
        codes = {name: self.podman.state(name, "ExitCode") for name in (*PROGRAMS, *SERVERS)}
        if killed := {name: code for name, code in codes.items() if code not in ENDED}:
            raise Failed(f"these did not end by themselves: {killed}")
        self.podman.compose("down")

    def sees_visitors(self) -> None:
        """The house takes a visitor's address from the proxy."""
        self.house.visit("/api/v1/sign-in/", b'{"name": "nobody", "password": "wrong"}')
        with self.house.connect() as database:
            row = database.execute(CAME_FROM).fetchone()
        if row is None or str(row[0]) != HEADER["X-Forwarded-For"]:
            raise Failed(f"the house takes the visitor's address for {row}")

    def starts_again(self) -> None:
        """A program whose process is killed is started again."""
        process = int(self.podman.state("worker", "Pid"))
        os.kill(process, 9)
        until(lambda: self.podman.state("worker", "Pid") not in {"0", str(process)})
        self.house.ready()

    # The crowd.

    async def play(self, meanwhile: Callable[[], Awaitable[object]]) -> str:
        """A crowd plays while something is done; then what must hold, and how it went."""
        crowd = Crowd(self.people, lambda _table: self.house.port, 1, site=SITE)
        seated = await crowd.sit()
        crowd.begin()
        began = time.monotonic()
        await meanwhile()
        await asyncio.sleep(AFTER_SECONDS)
        await crowd.end()
        moves, requests = crowd.notes.moves, crowd.notes.traffic.requests
        times = [began, *sorted(move.answered for move in moves), time.monotonic()]
        silence = max(after - at for at, after in pairwise(times))
        faults = sum(number for (_, status), number in requests.items() if status >= 500)
        lost = sum(number for (_, status), number in requests.items() if not status)
        with self.house.connect() as database:
            verdicts, _waited = invariants(database, moves)
        if not moves or moves[-1].answered < times[-1] - AFTER_SECONDS:
            raise Failed(f"play did not go on: {len(moves)} moves, seated {seated}")
        return (
            f"{len(moves)} moves acknowledged, the longest time without one {silence:.1f} s; "
            f"of {requests.total()} requests {lost} lost and {faults} answered with a fault; "
            f"held: {held(verdicts)}"
        )

    async def minute(self) -> None:
        await asyncio.sleep(self.seconds)

    async def restart(self) -> None:
        await asyncio.to_thread(self.stop)
        await asyncio.to_thread(self.start)

    async def back_up(self) -> None:
        by = ("--by", "helena", "--why", "before the backup")
        await asyncio.to_thread(self.house.manage, "anchor", *by)
        await asyncio.to_thread(self.podman.shell, commands("back up"))

    async def upgrade(self) -> None:
        hands = await asyncio.to_thread(until, self.house.live_hands)
        _build, *rest = commands("upgrade").splitlines()
        await asyncio.to_thread(self.podman.shell, "\n".join(rest))
        await asyncio.to_thread(until, lambda: self.house.finished(hands))
        await asyncio.to_thread(self.house.ready)
        with self.house.connect() as database:
            row = database.execute("SELECT count(*) FROM django_migrations WHERE app = 'upgrade'")
            if row.fetchone() != (1,):
                raise Failed("the migration of the next version is missing")
        say(f"upgraded; {len(hands)} hands that were live have been played to their ends")

    def restore(self) -> None:
        *lines, _up = commands("restore beside it, and change over").splitlines()
        said = self.podman.shell("\n".join(lines))
        for words in ("all accounts and all books fit", " audited: no differences"):
            if words not in said:
                raise Failed(f"the restored house says: {said[-3000:]}")
        self.podman.variables["DATABASE"] = self.house.database = "cardroom_restored"
        self.start()

    def checked(self) -> str:
        """The house's own reconciliation and audit."""
        self.house.manage("reconcile", "--everything")
        return self.house.manage("audit").splitlines()[-1]


def run(podman: Podman, given: argparse.Namespace) -> None:
    bases = images.bases(podman, registry=given.registry)
    port = free_port()
    file = environment_file(podman.folder)
    podman.variables |= {
        "CARD_ROOM_IMAGE": images.name_of("now"),
        "ENVIRONMENT_FILE": str(file),
        "PORT": str(port),
        **{f"{kind.upper()}_IMAGE": name for kind, name in bases.items()},
    }
    podman.fetch_compose()
    say("the base images are there")
    steps = Run(podman, Contained(podman, port), given.seconds)
    steps.open(file)
    steps.sees_visitors()
    say(f"played: {asyncio.run(steps.play(steps.minute))}")
    say(f"stopped and started: {asyncio.run(steps.play(steps.restart))}")
    steps.starts_again()
    say(f"backed up: {asyncio.run(steps.play(steps.back_up))}")
    steps.restore()
    say(f"restored: {steps.checked()}")
    podman.variables["CARD_ROOM_IMAGE"] = images.following(podman, images.name_of("now"))
    say(f"the next version: {asyncio.run(steps.play(steps.upgrade))}")
    say(steps.checked())


def options() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="python -m tests.containers", description=__doc__)
    words.add_argument("--seconds", type=float, default=60, help="how long the crowd plays")
    words.add_argument("--registry", action="store_true", help="pull the images of the registry")
    words.add_argument("--keep-images", action="store_true", help="for another run soon")
    return words.parse_args()


def main() -> int:
    given = options()
    if reason := missing():
        print(reason)
        return 0
    allow_many_connections()
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory(prefix="containers-") as folder:
        podman = Podman(Path(folder), {})
        podman.clear(images=not given.keep_images)
        try:
            run(podman, given)
        except (Failed, AssertionError) as failure:
            print(f"FAILED: {failure}", flush=True)
            for service in (*PROGRAMS, *SERVERS, "prepare"):
                if podman.container(service):
                    print(f"-- {service}\n{podman.said(service)}", flush=True)
            return 1
        finally:
            podman.clear(images=not given.keep_images)
            if left := podman.left() if not given.keep_images else []:
                print(f"LEFT BEHIND: {left}")
    say("passed, and removed what was made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
