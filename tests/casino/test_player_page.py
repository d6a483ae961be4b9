"""A player's page: who of two won, points from day to day, hands by day, and drawn medals."""

from pathlib import Path

import pytest

from casino.community.returning import achievements, counting, played
from casino.community.returning.models import CountedHand
from tests.casino.finished_hands import FinishedHands
from tests.games.house import House
from tests.people import client_of
from wallets.values.days import day_of, monday_of

# Who wins two points, one from each of the others; by seat, what comes from the seat after it.
ALICE, BOB = {1: 1, 3: -1}, {2: 1, 1: -1}
SPRITE = Path("static/casino/medals.svg")
DAY = 24 * 60 * 60


@pytest.fixture
def met(house: House) -> House:
    """Alice has won three hands of Dou Dizhu from bob on two days, and he one from her."""
    scene = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    scene.play([ALICE, ALICE])
    house.pass_time(DAY)
    scene.play([ALICE, BOB])
    counting.count(house.now)
    day = day_of(house.now)
    CountedHand.objects.bulk_create(
        CountedHand(
            player=house.person(name),
            hand=1_000_000,
            table=1,
            game="baccarat",
            day=day,
            week=monday_of(day),
            won=name == "alice",
            points=100,
        )
        for name in ("alice", "bob")
    )
    return house


def test_two_players_read_who_won_from_whom(met: House) -> None:
    alice, bob = met.person("alice"), met.person("bob")
    for reader, player, score in ((alice, bob, (3, 1)), (bob, alice, (1, 3))):
        against = played.between(reader.pk, player.pk)
        assert against is not None
        assert (against.mine, against.theirs) == score
        # Against the house nobody wins from another.
        assert len(against.games) == 1
    assert "3 : 1" in client_of(alice).get("/players/bob/").text


def test_of_hands_that_both_lost_or_never_shared_nothing_is_said(met: House) -> None:
    # Of the hands that alice and bob did not decide between them, carol won none.
    carol, dora = met.person("carol"), met.player("dora")
    for name in ("alice", "carol"):
        assert played.between(dora.pk, met.person(name).pk) is None
    assert played.between(carol.pk, carol.pk) is None
    assert 'id="against"' not in client_of(dora).get("/players/alice/").text


def test_points_are_drawn_from_day_to_day(met: House) -> None:
    shown = played.of_player(met.person("alice"), met.person("alice").pk)
    assert shown is not None
    doudizhu = next(game for game in shown.games if game.hands == 4)
    assert doudizhu.curve is not None
    # It begins at no points; alice has 4 after the first day, and 2 - 1 more after the second.
    heights = [float(corner.split(",")[1]) for corner in doudizhu.curve.line.split()]
    assert heights[0] == doudizhu.curve.zero
    assert heights[0] > heights[1] > heights[2]
    # A single day has no curve.
    assert [game.curve for game in shown.games if game.hands == 1] == [None]


@pytest.mark.always
def test_the_hands_of_the_week_are_shown_by_day(
    met: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.community.returning.played.timezone.now", lambda: met.now)
    shown = played.of_player(met.person("alice"), met.person("alice").pk)
    assert shown is not None
    assert sum(day.hands for day in shown.week) == shown.hands_of_week > 0
    assert max(day.bar for day in shown.week) == played.BAR
    assert [day.is_today for day in shown.week].count(True) == 1


def test_each_sign_of_a_medal_is_a_number_or_drawn() -> None:
    sprite = SPRITE.read_text()
    for kind in achievements.KINDS.values():
        assert kind.sign[0].isdigit() or f'id="{kind.sign}"' in sprite
