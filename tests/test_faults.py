"""The plan of faults, and the functions that say whether a house has lost anything."""

import asyncio
import json

import pytest

from bench.crowd_guest import Acknowledged
from bench.faults import Run, exit_code
from bench.faults_checks import NAMES, missing
from bench.faults_list import FAULTS, LAST, STORM
from bench.faults_plan import Outcome, broken, markdown, schedule
from bench.faults_programs import STORM_KILLS
from bench.faults_web import Aim, Point

BET = {"do": "bet", "on": "player", "amount": 100}


def move(hand: int = 1, turn: int = 0, version: int = 5, began: float = 1.0) -> Acknowledged:
    text = json.dumps(BET, sort_keys=True)
    return Acknowledged(hand, 2, turn, 7, 3, text, began, began + 0.1, version)


@pytest.mark.parametrize("seconds", [900, 3600])
def test_a_long_run_has_every_fault_and_three_hundred_kills(seconds: int) -> None:
    names = [planned.fault for planned in schedule(3, seconds)]
    assert set(names) == set(FAULTS)
    assert names.count(STORM) * STORM_KILLS >= 300
    assert names.index(LAST) == len(names) - 1


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


def test_a_web_process_ends_at_the_same_points_of_its_event_loop() -> None:
    def log_of(point: Point) -> list[str]:
        log: list[str] = []
        aim = Aim(point, 2, lambda: log.append("end"))

        async def stored() -> str:
            log.append("store")
            return "keys"

        async def request(here: bool) -> None:
            await aim.respond(aim.store(stored()) if here else nobody())
            log.append("answer")
            aim.sent()

        async def nobody() -> None:
            """Django answers."""

        async def requests() -> None:
            for here in (True, False, True):
                await request(here)

        asyncio.run(requests())
        return log

    first = ["store", "answer", "answer"]
    assert log_of(Point.BEFORE_COMMIT) == [*first, "end", "store", "answer"]
    assert log_of(Point.AFTER_COMMIT) == [*first, "store", "end", "answer"]
    assert log_of(Point.BEFORE_ANSWER) == [*first, "store", "end", "answer"]
    assert log_of(Point.BETWEEN_PIECES) == [
        "store",
        "answer",
        "answer",
        "end",
        "store",
        "answer",
        "end",
    ]


def test_an_acknowledged_move_must_be_stored_as_it_was_sent() -> None:
    stored = (1, 2, 0, BET, "")
    assert missing([move()], [stored]) == ""
    assert missing([move(), move(turn=4)], [stored]).startswith("1 missing")
    assert missing([move(hand=9)], [stored])
    assert missing([move()], [(1, 2, 0, BET | {"amount": 200}, "")])
    assert missing([move()], [(1, 2, 0, {}, "a sealed action")]) == ""


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
