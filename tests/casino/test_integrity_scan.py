"""The scan: seeded cheats are queued once, with hands to replay; honest players are not."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final

import pytest
from django.db import IntegrityError, connection, transaction

from casino.accounts.models import Player
from casino.office.alarms import condition_checks
from casino.office.alarms.models import Alarm
from casino.office.integrity import suspicions
from casino.office.integrity.detectors.behaviour import response_times
from casino.office.integrity.models import Suspicion, Tally, Trace
from casino.office.integrity.results import read
from casino.office.integrity.suspicions import DETECTORS, decide, in_words
from casino.office.integrity.tasks import scan_hands
from games.models import Hand, HandSeat, Move
from games.rules.catalogue import game_type
from games.tables.play_money import grant
from tests.casino.finished_hands import FinishedHands
from tests.games.house import House

pytestmark = pytest.mark.django_db
GAME: Final = "chinese_poker"
LONG: Final = timedelta(days=30)


def fair(random: Random, hands: int, seats: int) -> list[dict[int, float]]:
    """Each seat wins or loses some points against the next, as chance will have it."""
    return [
        {seat: round(random.gauss(0, 6), 1) for seat in range(1, seats + 1)} for _ in range(hands)
    ]


@pytest.mark.always
@pytest.mark.parametrize("game", ["chinese_poker", "doudizhu", "thirteen_fujian"])
def test_what_flows_in_a_hand_is_what_its_players_won(house: House, game: str) -> None:
    names = ("alice", "bob", "carol", "dave")[: game_type(game).seats[-1]]
    table = house.dealt_in(game, *names)
    house.until(table, lambda table: table.hands_dealt > 2)
    numbers = HandSeat.objects.filter(table=table, status="finished").values_list("hand", flat=True)
    hands = read(sorted(set(numbers)))
    assert hands
    for hand in hands:
        flows = defaultdict[int, float](float)
        for flow in hand.flows:
            flows[flow.target] += flow.bets
            flows[flow.source] -= flow.bets
        for result in hand.results:
            assert flows[result.player] == pytest.approx(result.bets)
    assert any(flow.bets for hand in hands for flow in hand.flows)


def queued() -> list[tuple[str, tuple[str, ...]]]:
    suspicions = Suspicion.objects.order_by("pk")
    return [
        (
            suspicion.detector,
            tuple(suspicion.players.order_by("pk").values_list("username", flat=True)),
        )
        for suspicion in suspicions
    ]


def trace(hands: Sequence[Hand], *places: tuple[Player, str, str]) -> None:
    Trace.objects.bulk_create(
        Trace(
            kind="acted", player=player, table=hand.table, hand=hand, device=device, line=line,
            at=hand.ended_at,
        )
        for hand in hands
        for player, device, line in places
    )  # fmt: skip


@pytest.mark.slow
def test_honest_players_are_left_alone(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben", "cid", "dan")
    table.play(fair(Random(1), 700, 4))
    assert suspicions.scan(house.now) == 0
    assert queued() == []
    assert Tally.objects.get(detector="wins", player=0).count == 2_800


@pytest.mark.slow
def test_a_superuser_is_queued_once_with_hands_to_replay(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben", "cid", "dan")
    random = Random(2)
    # Ann sees all cards: she takes nine points more of a hand than she should.
    hands = [flows | {1: flows[1] + 9} for flows in fair(random, 700, 4)]
    stored = table.play(hands)
    suspicions.scan(house.now)
    wins = Suspicion.objects.get(detector="wins")
    # The database holds one open suspicion.
    with pytest.raises(IntegrityError), transaction.atomic():
        Suspicion.objects.create(
            detector="wins", subjects=wins.subjects, game=GAME, score=1, bound=1,
            since=house.now, until=house.now, opened_at=house.now,
        )  # fmt: skip
    assert [player.username for player in wins.players.all()] == ["ann"]
    assert wins.score > wins.bound
    codes = {hand.code for hand in stored}
    assert len(wins.evidence["hands"]) == 20
    assert codes.issuperset(wins.evidence["hands"])
    best = max(HandSeat.objects.filter(player=table.players[0]), key=lambda seat: seat.net)
    seen = wins.evidence["hands"]
    assert best.hand.ended_at is not None
    assert best.hand.ended_at > wins.until or best.hand.code in seen


@pytest.mark.always
@pytest.mark.slow
def test_a_pair_that_passes_chips_is_queued(house: House) -> None:
    random = Random(3)
    FinishedHands(house, GAME, "ann", "ben", "cid", "dan").play(fair(random, 300, 4))
    cheats = FinishedHands(house, GAME, "eve", "fay")
    cheats.play([{1: random.gauss(6, 6)} for _ in range(90)])
    suspicions.scan(house.now)
    assert queued() == [("dumping", ("eve", "fay"))]
    (words,) = in_words(list(Suspicion.objects.all()))
    assert words.sentence.startswith("fay lost ")
    assert " bets to eve in " in words.sentence


@pytest.mark.slow
def test_soft_play_between_landlord_and_farmer_is_queued(house: House) -> None:
    random = Random(4)
    honest = FinishedHands(house, "doudizhu", "ann", "ben", "cid")
    honest.play(
        [landlord(random, random.randint(1, 3), random.choice([-2, 2])) for _ in range(600)]
    )
    soft = FinishedHands(house, "doudizhu", "eve", "fay", "gus")
    # Eve and Fay are landlord in turn, and win from one another nearly always.
    soft.play(
        [landlord(random, n % 2 + 1, 2 if random.random() < 0.97 else -2) for n in range(200)]
    )
    suspicions.scan(house.now)
    assert ("soft_play", ("eve", "fay")) in queued()
    assert not {name for _detector, names in queued() for name in names} & {"ann", "ben", "cid"}


def landlord(_random: Random, seat: int, points: int) -> dict[int, float]:
    """What the next seat pays the landlord, and what the landlord gets of the one before."""
    before = (seat + 1) % 3 + 1
    return {seat: points, before: -points}


@pytest.mark.always
@pytest.mark.parametrize(
    ("hands", "places", "expected"),
    [
        (1, (("one", "x"), ("one", "y")), [("shared", ("ann", "ben"))]),
        (1, (("", "x"), ("", "y")), []),
        (19, (("one", "x"), ("two", "x")), []),
        (20, (("one", "x"), ("two", "x")), [("shared", ("ann", "ben"))]),
        (20, (("", ""), ("", "")), []),
    ],
)
def test_one_device_or_address_at_one_table_is_queued(
    house: House,
    hands: int,
    places: tuple[tuple[str, str], tuple[str, str]],
    expected: list[tuple[str, tuple[str, str]]],
) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    stored = table.play(fair(Random(5), hands, 2))
    trace(stored, *((player, *place) for player, place in zip(table.players, places, strict=True)))
    suspicions.scan(house.now)
    assert queued() == expected


def test_an_address_of_many_people_says_nothing(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    stored = table.play(fair(Random(6), 30, 2))
    ann, ben = table.players
    trace(stored, (ann, "one", "club"), (ben, "two", "club"))
    guests = [house.player(f"guest{number}", 0) for number in range(7)]
    for guest in guests:
        Trace.objects.create(kind="sat", player=guest, table=table.table, line="club", at=house.now)
    suspicions.scan(house.now)
    assert queued() == []


def test_a_scan_goes_on_where_the_last_one_ended(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suspicions, "HANDS_AT_ONCE", 7)
    monkeypatch.setattr(suspicions, "BATCHES_MAX", 3)

    def counted() -> int:
        return sum(Tally.objects.filter(detector="wins", player=0).values_list("count", flat=True))

    table = FinishedHands(house, GAME, "ann", "ben")
    hands = table.play(fair(Random(7), 40, 2))
    # A hand that has just ended waits: its transaction may still run.
    ended = hands[0].ended_at
    assert ended is not None
    suspicions.scan(ended + timedelta(seconds=30))
    assert counted() == 0
    suspicions.scan(ended + timedelta(seconds=60.5))
    assert counted() == 2
    # Those of tournaments and those that were taken back do not count.
    FinishedHands(house, GAME, "cid", "dan", organiser="tournament:1").play(fair(Random(14), 5, 2))
    Hand.objects.filter(pk=hands[1].pk).update(status=Hand.Status.VOID)
    counts = []
    for _scan in range(4):
        scan_hands()
        counts.append(counted())
    assert counts == [44, 78, 78, 78]


def test_what_failed_is_scanned_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    table.play(fair(Random(9), 5, 2))

    def broken(_span: object) -> list[Any]:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(DETECTORS["grants"], "look", broken)
        with pytest.raises(RuntimeError):
            suspicions.scan(house.now)
    assert not Tally.objects.exists()
    suspicions.scan(house.now)
    assert Tally.objects.get(detector="wins", player=0).count == 10


@pytest.mark.django_db(transaction=True)
def test_questions_are_answered_before_the_transaction_and_a_hand_counts_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite lets one transaction write at a time; a quicker worker has counted the hands."""
    FinishedHands(house, GAME, "ann", "ben").play(fair(Random(9), 5, 2))
    looked, look = [], DETECTORS["wins"].look

    def looks(span: Any) -> Any:
        looked.append(connection.in_atomic_block)
        if len(looked) == 1:
            suspicions.scan(house.now)
        return look(span)

    monkeypatch.setattr(DETECTORS["wins"], "look", looks)
    suspicions.scan(house.now)
    assert looked == [False, False]
    assert Tally.objects.get(detector="wins", player=0).count == 10


def test_the_same_evidence_opens_nothing_twice(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    ann, ben = table.players
    boss = Player.objects.create_superuser("boss")
    opened = []
    for hands, decided in ((4, False), (2, True), (1, False), (3, False), (5, False)):
        trace(table.play(fair(Random(10), hands, 2)), (ann, "one", ""), (ben, "one", ""))
        suspicions.scan(house.now)
        opened.append(Suspicion.objects.count())
        if decided:
            decide(boss, Suspicion.objects.get().pk, "unfounded", "a couple", house.now)
    # Four hands were decided about: eight are new evidence.
    assert opened == [1, 1, 1, 2, 2]


@pytest.mark.always
def test_a_program_is_queued_by_its_timing(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    stored = table.play(fair(Random(11), 310, 2))
    random = Random(11)
    for hand in stored:
        quick = hand.started_at + timedelta(seconds=2 + random.gauss(0, 0.01))
        slow = hand.started_at + timedelta(seconds=2 * 2.7 ** random.gauss(0, 0.7))
        for number, (seat, at) in enumerate(sorted([(1, quick), (2, slow)], key=lambda x: x[1])):
            Move.objects.create(
                hand=hand, number=number, seat=seat, turn=0, by="player", action={}, at=at
            )
    suspicions.scan(house.now)
    assert queued() == [("timing", ("ann",))]


def test_a_response_is_timed_from_the_moment_of_the_turn(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    (hand,) = table.play(fair(Random(12), 1, 2))
    for number, seat, turn, seconds, by in (
        (0, 1, 0, 3, "player"),
        (1, 2, 1, 8, "player"),
        (2, 1, 2, 9, "timeout"),
        (3, 2, 3, 999, "player"),
    ):
        at = hand.started_at + timedelta(seconds=seconds)
        Move.objects.create(hand=hand, number=number, seat=seat, turn=turn, by=by, action={}, at=at)
    ann, ben = (player.pk for player in table.players)
    responses = [(player, seconds) for _hand, player, seconds in response_times(read([hand.pk]))]
    assert responses == [(ann, 3.0), (ben, 5.0)]


@pytest.mark.always
@pytest.mark.parametrize(("withheld", "expected"), [(2, []), (6, [("reveals", ("ann",))])])
def test_reveals_that_are_withheld_again_and_again_are_queued(
    house: House, withheld: int, expected: list[tuple[str, tuple[str]]]
) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    suspicions.scan(house.now)
    for _time in range(withheld):
        house.pass_time(60)
        Trace.objects.create(
            kind="withheld", player=table.players[0], table=table.table, at=house.now
        )
    house.pass_time(120)
    suspicions.scan(house.now)
    assert queued() == expected


@pytest.mark.parametrize(
    ("device", "count", "age", "expected"),
    [("one", 3, 1, True), ("one", 2, 1, False), ("one", 3, 40, False), ("", 3, 1, False)],
)
def test_new_accounts_of_one_device_that_take_grants_are_queued(
    house: House, device: str, count: int, age: int, expected: bool
) -> None:
    names = [f"new{number}" for number in range(count)]
    table = FinishedHands(house, GAME, *names)
    for player in table.players:
        Player.objects.filter(pk=player.pk).update(date_joined=house.now - timedelta(days=age))
        grant(player, house.currency, 1_000, occasion="test", reason="welcome")
        Trace.objects.create(
            kind="sat", player=player, table=table.table, device=device, at=house.now
        )
    table.play(fair(Random(13), 5, count))
    suspicions.scan(house.now)
    assert queued() == ([("grants", tuple(names))] if expected else [])


def test_a_group_that_grows_is_one_suspicion(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben", "cid", "dan")
    for number, player in enumerate(table.players):
        Player.objects.filter(pk=player.pk).update(date_joined=house.now)
        grant(player, house.currency, 1_000, occasion="test", reason="welcome")
        Trace.objects.create(
            kind="sat", player=player, table=table.table, device="one", at=house.now
        )
        if number >= 2:
            table.play(fair(Random(16), 5, 4))
            suspicions.scan(house.now)
    assert queued() == [("grants", ("ann", "ben", "cid"))]


def test_bots_prove_nothing(house: House) -> None:
    """Beating a bot needs no cheating; and a player who loses to one passes on no chips."""
    house.bots(1)
    table = FinishedHands(house, GAME, "ann", "bot 1")
    hands = table.play([{1: 9.0}] * 50)
    played = read([hand.pk for hand in hands])
    assert {result.players for result in played} == {(table.players[0].pk,)}
    assert not any(result.results or result.flows for result in played)


def test_no_suspicion_holds_a_card(house: House) -> None:
    table = FinishedHands(house, GAME, "ann", "ben")
    trace(table.play(fair(Random(15), 3, 2)), *((player, "one", "") for player in table.players))
    suspicions.scan(house.now)
    evidence = Suspicion.objects.get().evidence
    assert set(evidence) == {"hands", "figures", "by_day"}
    assert all(isinstance(value, int | float) for value in evidence["figures"].values())
    codes = set(Hand.objects.values_list("number", flat=True))
    assert {int(code.split("-H")[1]) for code in evidence["hands"]} <= codes


@pytest.mark.always
def test_what_waits_for_a_week_raises_an_alarm(house: House) -> None:
    now = house.now
    Suspicion.objects.create(
        detector="wins", subjects="1", game=GAME, score=1, bound=1, since=now, until=now,
        opened_at=now,
    )  # fmt: skip
    condition_checks.look(house.now)
    assert not Alarm.objects.filter(kind="suspicions").exists()
    house.pass_time(8 * 24 * 3600)
    condition_checks.look(house.now)
    assert Alarm.objects.get(kind="suspicions").figures == {"count": 1, "days": 8}


def test_every_detector_says_what_it_found(house: House) -> None:
    for name, detector in DETECTORS.items():
        assert name == detector.name
        assert str(detector.words)
        assert str(detector.measure)
        assert str(detector.charted)
        assert "{" in str(detector.sentence)
