"""What the stages of events decide differently."""

from typing import Any

import pytest

from tests.tournaments.events import structure
from tournaments.mathematics.payouts import Out
from tournaments.mathematics.stage import ROUNDS_STAGE, Stage, stage_at

KNOCK_OUT = {"line_points": 5, "until": 3}
ROUNDS = {"manner": "swiss", "count": 2, "hands": 1, "point": 25, "chips": 500}
DEALS = {"rounds": 1, "deals": 2, "manner": "fixed"}


def stage(number: int = 1, **parts: Any) -> Stage:
    return stage_at(structure(**parts), number)


FREEZE_OUT = stage()
LINE = stage(kind="knock_out", knock_out=KNOCK_OUT)
BEFORE_ROUNDS = stage(kind="knock_out", knock_out=KNOCK_OUT, rounds=ROUNDS)
IN_ROUNDS = stage(ROUNDS_STAGE, kind="knock_out", knock_out=KNOCK_OUT, rounds=ROUNDS)
DUPLICATE = stage(kind="duplicate", duplicate=DEALS)


@pytest.mark.parametrize(
    ("played", "least", "point"),
    [(FREEZE_OUT, 1, 200), (LINE, 1_000, 200), (IN_ROUNDS, 1, 25), (DUPLICATE, 0, 200)],
)
def test_players_need_chips_and_play_for_stakes(played: Stage, least: int, point: int) -> None:
    assert played.least_to_stay(2) == least
    assert played.game(2).point == point  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("played", "out"),
    [(FREEZE_OUT, [4]), (LINE, [2, 4]), (IN_ROUNDS, [4]), (DUPLICATE, [])],
)
def test_who_is_out_after_a_hand(played: Stage, out: list[int]) -> None:
    chips = {1: 3_000, 2: 700, 3: 2_000, 4: 0, 5: 1_500}
    before = [Out(entry, 1_500 - entry, entry) for entry in chips]
    assert [loser.entry for loser in played.out_after(2, chips, before)] == out


@pytest.mark.parametrize(
    ("played", "with_spare", "without"),
    [
        (FREEZE_OUT, True, None),
        (LINE, True, True),
        (IN_ROUNDS, False, False),
        (DUPLICATE, False, None),
    ],
)
def test_tables_play_in_step(played: Stage, with_spare: bool, without: bool | None) -> None:
    assert (played.in_step(1, 9), played.in_step(0, 8)) == (with_spare, without)


def test_only_a_knock_out_without_rounds_ends_with_a_number_of_players() -> None:
    stages = (FREEZE_OUT, LINE, BEFORE_ROUNDS, IN_ROUNDS, DUPLICATE)
    assert [stage for stage in stages if stage.ends_with(3)] == [LINE]
    assert not LINE.ends_with(4)


def test_rounds_have_no_levels_and_duplicate_rounds_compare_deals() -> None:
    stages = (FREEZE_OUT, LINE, IN_ROUNDS, DUPLICATE)
    assert [stage for stage in stages if not stage.has_levels] == [IN_ROUNDS]
    assert [stage for stage in stages if stage.has_line] == [LINE]
    assert [stage for stage in stages if stage.compares_deals] == [DUPLICATE]
