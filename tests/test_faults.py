"""The plan of faults, and the functions that say whether a house has lost anything."""

import json

import pytest

from bench.crowd import Acknowledged, Notes
from bench.crowd_people import seats_of
from bench.faults_checks import NAMES, missing
from bench.faults_plan import FAULTS, LAST, Outcome, broken, markdown, schedule, with_section

BET = {"do": "bet", "on": "player", "amount": 100}


def move(hand: int = 1, turn: int = 0, version: int = 5, began: float = 1.0) -> Acknowledged:
    text = json.dumps(BET, sort_keys=True)
    return Acknowledged(hand, 2, turn, 7, 3, text, began, began + 0.1, version)


def test_a_seed_draws_the_same_schedule_again() -> None:
    assert schedule(1, 180) == schedule(1, 180)
    assert schedule(1, 180) != schedule(2, 180)


@pytest.mark.parametrize("seconds", [60, 180, 3600])
def test_every_fault_comes_within_the_time_in_order(seconds: int) -> None:
    planned = schedule(3, seconds)
    assert {one.fault for one in planned} == set(FAULTS)
    times = [one.at for one in planned]
    assert times == sorted(times)
    assert times[0] > 0
    assert times[-1] < seconds
    assert [one.fault for one in planned].index(LAST) == len(planned) - 1


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
    assert notes.play_to_screen() == [0.5]


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
    rows = markdown(outcomes).splitlines()[2:]
    assert rows[0].startswith("| kill -9 of a web process | 2 | held |")
    assert (rows[0].count("BROKEN"), rows[1].count("BROKEN")) == (1, 0)
    assert rows[0].endswith("| 3.0 s |")


def test_a_section_replaces_itself_and_leaves_the_others() -> None:
    page = "# Reliability\n\n## A world in a box\n\nfirst\n"
    once = with_section(page, "Faults", "one")
    assert once == f"{page}\n## Faults\n\none\n"
    between = f"{once}\n## Last\n\nend\n"
    assert with_section(between, "Faults", "two") == between.replace("one", "two")
