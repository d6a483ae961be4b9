"""The plan of faults, and the functions that say whether a house has lost anything."""

import asyncio
import json
import random
from contextlib import suppress

import pytest

from bench.crowd_guest import Acknowledged, Notes
from bench.faults import Run, exit_code
from bench.faults_checks import NAMES, missing
from bench.faults_line import Line, Trouble
from bench.faults_list import FAULTS, FULL_DISK, LAST, STORM
from bench.faults_plan import Outcome, broken, markdown, schedule, with_section
from bench.faults_programs import STORM_KILLS
from bench.faults_web import Aim, Point
from tests.houses.guests import seats_of

BET = {"do": "bet", "on": "player", "amount": 100}


def move(hand: int = 1, turn: int = 0, version: int = 5, began: float = 1.0) -> Acknowledged:
    text = json.dumps(BET, sort_keys=True)
    return Acknowledged(hand, 2, turn, 7, 3, text, began, began + 0.1, version)


def test_a_seed_draws_the_same_schedule_again() -> None:
    assert schedule(1, 180) == schedule(1, 180)
    assert schedule(1, 180) != schedule(2, 180)


@pytest.mark.parametrize("seconds", [900, 3600])
def test_a_long_run_has_every_fault_and_three_hundred_kills(seconds: int) -> None:
    names = [one.fault for one in schedule(3, seconds)]
    assert set(names) == set(FAULTS)
    assert names.count(STORM) * STORM_KILLS >= 300
    assert names.index(LAST) == len(names) - 1


@pytest.mark.parametrize("seconds", [60, 180, 900, 3600])
def test_faults_come_within_the_time_in_order(seconds: int) -> None:
    planned = schedule(3, seconds)
    times = [one.at for one in planned]
    assert times == sorted(times)
    assert times[0] > 0
    assert times[-1] < seconds
    assert LAST not in [one.fault for one in planned[:-1]]
    assert STORM in {one.fault for one in planned}


def test_short_runs_of_many_seeds_have_every_fault() -> None:
    assert {one.fault for seed in range(40) for one in schedule(seed, 180)} == set(FAULTS)


def test_what_the_machine_cannot_do_is_left_out() -> None:
    names = {one.fault for one in schedule(3, 900, without={FULL_DISK})}
    assert names == set(FAULTS) - {FULL_DISK}


def test_a_web_process_ends_at_the_point_and_the_commit_that_were_drawn() -> None:
    def log_of(point: Point) -> list[str]:
        log: list[str] = []
        aim = Aim(point, 2, lambda: log.append("end"))

        def request(wrote: bool) -> None:
            aim.answer(lambda: aim.commit(wrote, lambda: log.append("commit")))
            log.append("answer")

        for wrote in (True, False, True):
            request(wrote)
        return log

    first = ["commit", "answer", "commit", "answer"]
    assert log_of(Point.BEFORE_COMMIT) == [*first, "end", "commit", "answer"]
    assert log_of(Point.AFTER_COMMIT) == [*first, "commit", "end", "answer"]
    assert log_of(Point.BEFORE_ANSWER) == [*first, "commit", "end", "answer"]


def test_an_acknowledged_move_must_be_stored_as_it_was_sent() -> None:
    stored = (1, 2, 0, BET, "")
    assert missing([move()], [stored]) == ""
    assert missing([move(), move(turn=4)], [stored]).startswith("1 missing")
    assert missing([move(hand=9)], [stored])
    assert missing([move()], [(1, 2, 0, BET | {"amount": 200}, "")])
    assert missing([move()], [(1, 2, 0, {}, "a sealed action")]) == ""


def test_a_screen_counts_from_the_arrival_and_not_for_the_player() -> None:
    notes = Notes(moves=[move(version=5, began=1.0)])
    notes.screens = {
        (3, 7): [(5, 1.1)],
        (3, 8): [(4, 1.05), (6, 1.5)],
        (3, 9): [(4, 1.05)],
        (4, 8): [(9, 1.2)],
    }
    assert notes.play_to_screen(notes.moves) == [0.5]


def test_tables_are_filled_evenly() -> None:
    assert seats_of(4, 2, [3, 3]) == [(0, 1), (1, 1), (0, 2), (1, 2)]
    assert seats_of(9, 2, [1, 3]) == [(0, 1), (1, 1), (1, 2), (1, 3)]


def test_the_table_names_what_broke() -> None:
    held = dict.fromkeys(NAMES, "")
    outcomes = [
        Outcome("kill web", held, 0.2),
        Outcome("kill web", held | {"audit clean": "a hand"}, 3.0),
        Outcome("the end of the run", held, 0.0),
    ]
    assert broken(outcomes) == ["kill web: audit clean: a hand"]
    runs = (Run(outcomes, 9, 3, [], []), Run(outcomes[::2], 9, 3, [], ["fill disk"]))
    assert [exit_code(run) for run in (*runs, Run(outcomes[::2], 9, 3, [], []))] == [1, 1, 0]
    rows = markdown(outcomes).splitlines()[2:]
    assert rows[0].startswith("| kill -9 of a web process | 2 | held |")
    assert (rows[0].count("BROKEN"), rows[1].count("BROKEN")) == (1, 0)
    assert rows[0].endswith("| 3.0 s |")


def test_a_section_replaces_itself_and_leaves_the_others() -> None:
    page = "# Reliability\n\n## A world in a box\n\nfirst\n"
    once = with_section(page, "### Faults", "one")
    assert once == f"{page}\n### Faults\n\none\n"
    between = f"{once}\n## Last\n\nend\n"
    assert with_section(between, "### Faults", "two") == between.replace("one", "two")


REQUEST = b"POST / HTTP/1.1\r\n\r\n"
ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"


def across(trouble: Trouble) -> tuple[bytes, list[bytes]]:
    """What comes back for a request over a line in trouble, and what the house got."""

    class Always(random.Random):
        def random(self) -> float:
            return 0.0

    async def ask() -> tuple[bytes, list[bytes]]:
        got: list[bytes] = []
        both = asyncio.Event()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            got.append(await reader.read(1000))
            if len(got) == 2 or trouble is not Trouble.TWICE:
                both.set()
            await both.wait()
            with suppress(OSError):
                writer.write(ANSWER)
                await writer.drain()
            writer.close()

        house = await asyncio.start_server(answer, "127.0.0.1", 0)
        line = Line(house.sockets[0].getsockname()[1], Always(1))
        line.trouble = trouble
        async with house, line.open():
            reader, writer = await asyncio.open_connection("127.0.0.1", line.port)
            writer.write(REQUEST)
            back = await reader.read()
            writer.close()
        return back, got

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("trouble", "back", "got"),
    [
        (Trouble.NONE, ANSWER, [REQUEST]),
        (Trouble.LOST, b"", [REQUEST]),
        (Trouble.CUT, b"", [REQUEST[: len(REQUEST) // 2]]),
        (Trouble.TWICE, ANSWER, [REQUEST, REQUEST]),
    ],
)
def test_a_line_in_trouble(trouble: Trouble, back: bytes, got: list[bytes]) -> None:
    assert across(trouble) == (back, got)
