"""Whom the house may write to: one query, over generated players; and the filters above it."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from casino.accounts.models import Device, Player
from casino.care import exclusions
from casino.care.models import ErasureRequest, Exclusion, PlayerLimit
from casino.care.rules import has_limited_time
from casino.community.messages import segments
from casino.community.messages.models import Kind, OptOut
from casino.community.messages.segments import Segment
from casino.community.promotions.models import PointsMonth, PromotionsHidden
from casino.office.reports.models import PlayerDay, SummedDay
from tests.games.house import House
from wallets.models import Currency
from wallets.values.days import day_of
from wallets.values.errors import Refused

NOW = datetime(2026, 3, 20, 12, tzinfo=timezone.get_fixed_timezone(0))
DAY = timedelta(days=1)


def generated(dice: random.Random, number: int) -> Player:
    """A player of any sort: most have something for which the house may not write to them."""
    sort = dice.choice(("person", "person", "person", "bot", "guest", "staff", "superuser"))
    player = Player.objects.create_user(
        f"player {number}" if sort == "bot" else f"p{number}x",
        is_bot=sort == "bot",
        is_guest=sort == "guest",
        is_staff=sort in ("staff", "superuser"),
        is_superuser=sort == "superuser",
        language=dice.choice(("", "en", "zh-hans")),
    )
    if dice.random() < 0.15:
        Player.objects.filter(pk=player.pk).update(
            is_active=False,
            frozen_until=dice.choice((None, NOW + DAY)),
            closed_at=dice.choice((None, NOW - DAY)),
        )
    if dice.random() < 0.3:
        begins = NOW - 9 * DAY
        until = dice.choice((None, NOW - DAY, NOW + DAY))
        Exclusion.objects.create(player=player, kind="time_out", begins_at=begins, until=until)
    for _ in range(dice.choice((0, 0, 1, 2, 3))):
        at = NOW - dice.randint(1, 5) * DAY
        PlayerLimit.objects.create(
            player=player, kind="session", period=dice.choice(("day", "week")),
            value=dice.choice((None, 60)), made_at=at, effective_from=at,
            confirmed_at=dice.choice((None, at)),
        )  # fmt: skip
    for kind in Kind.values:
        if dice.random() < 0.15:
            OptOut.objects.create(player=player, kind=kind)
    if dice.random() < 0.1:
        PromotionsHidden.objects.create(player=player)
    if dice.random() < 0.1:
        done = dice.choice((None, NOW - DAY))
        ErasureRequest.objects.create(player=player, made_at=NOW - 2 * DAY, done_at=done)
    player.refresh_from_db()
    return player


def may_be_written_to(player: Player, kind: str) -> bool:
    """The same by the rules of the other packages, player by player."""
    return not (
        player.is_bot
        or player.is_guest
        or player.is_staff
        or not player.is_active
        or exclusions.current(player.pk, NOW) is not None
        or has_limited_time(player)
        or OptOut.objects.filter(player=player, kind=kind).exists()
        or ErasureRequest.objects.filter(player=player, done_at=None).exists()
        or (kind == "promotions" and PromotionsHidden.objects.filter(player=player).exists())
    )


def names(found: Any) -> set[str]:
    return set(found.values_list("username", flat=True))


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(4))
def test_no_segment_has_somebody_whom_the_house_may_not_write_to(seed: int) -> None:
    dice = random.Random(seed)
    players = [generated(dice, number) for number in range(60)]
    for kind in Kind.values:
        allowed = {player.username for player in players if may_be_written_to(player, kind)}
        assert names(segments.reachable(kind, NOW)) == allowed
        assert 0 < len(allowed) < 30
        for segment in some_segments(dice):
            assert names(segments.players_of(segment, kind, NOW)) <= allowed


def some_segments(dice: random.Random) -> list[Segment]:
    return [
        Segment(),
        Segment(away_max=9_000 // dice.randint(1, 9)),
        Segment(away_min=0, languages=("en", "zh-hans")),
        Segment(games=("doudizhu",), currency="PLAY", stakes_max=10**9, result="lost"),
    ]


@pytest.fixture
def people(house: House) -> dict[str, Player]:
    return {name: house.player(name, 0) for name in ("alice", "bob", "carol")}


def played(player: Player, game: str, house: House, **sums: int) -> None:
    day = day_of(NOW - DAY)
    summed, _made = SummedDay.objects.get_or_create(day=day)
    PlayerDay.objects.create(
        day=summed, on=day, table_id=1, profile="x", game=game, currency=house.currency,
        player=player, rake=0, **{"hands": 10, "handle": 1_000, "net": 0, **sums},
    )  # fmt: skip


def test_by_game_stakes_and_result(house: House, people: dict[str, Player]) -> None:
    played(people["alice"], "doudizhu", house, net=-50)
    played(people["bob"], "baccarat", house, handle=90_000, net=70)

    def of(**filters: Any) -> set[str]:
        return names(segments.players_of(Segment(**filters), "news", NOW))

    assert of() == {"alice", "bob", "carol"}
    assert of(games=("doudizhu",)) == {"alice"}
    assert of(games=("doudizhu", "baccarat")) == {"alice", "bob"}
    assert of(currency="PLAY", stakes_min=200) == {"bob"}
    assert of(currency="PLAY", stakes_max=200) == {"alice"}
    assert of(currency="PLAY", result="won") == {"bob"}
    assert of(currency="PLAY", result="lost") == {"alice"}
    assert of(games=("doudizhu",), currency="PLAY", result="won") == set()


def test_by_the_last_visit(people: dict[str, Player]) -> None:
    for name, days in (("alice", 3), ("bob", 40)):
        seen = NOW - timedelta(days=days)
        Device.objects.create(player=people[name], digest=name, signed_in_at=seen, seen_at=seen)
    Player.objects.filter(username="carol").update(last_login=NOW - 10 * DAY)

    def of(**filters: Any) -> set[str]:
        return names(segments.players_of(Segment(**filters), "news", NOW))

    assert of(away_max=9) == {"alice"}
    assert of(away_min=10) == {"bob", "carol"}
    assert of(away_min=10, away_max=10) == {"carol"}


@pytest.mark.always
def test_by_language_and_level(house: House, people: dict[str, Player]) -> None:
    Player.objects.filter(username="alice").update(language="zh-hans")
    silver = 500 * 10_000
    month = NOW.date().replace(day=1)
    PointsMonth.objects.create(
        player=people["bob"], currency=house.currency, month=month, kept=silver
    )
    by_language = Segment(languages=("zh-hans",))
    assert names(segments.players_of(by_language, "news", NOW)) == {"alice"}
    assert names(segments.players_of(Segment(languages=("en",)), "news", NOW)) == {"bob", "carol"}
    assert names(segments.players_of(Segment(level_min=2), "news", NOW)) == {"bob"}
    assert names(segments.players_of(Segment(level_min=3), "news", NOW)) == set()
    # Who has reached it in another currency has not reached it in this one.
    Currency.objects.create(code="EUR", name="Euro")
    played(people["bob"], "doudizhu", house)
    in_play, in_euro = (Segment(level_min=2, currency=code) for code in ("PLAY", "EUR"))
    assert names(segments.players_of(in_play, "news", NOW)) == {"bob"}
    assert names(segments.players_of(in_euro, "news", NOW)) == set()


@pytest.mark.always
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("filters", "code"),
    [
        ({"games": ["chess"]}, "segment_game"),
        ({"away_min": 9, "away_max": 3}, "segment_range"),
        ({"away_min": -1}, "segment_bounds"),
        ({"stakes_min": 5}, "segment_currency"),
        ({"result": "won"}, "segment_currency"),
        ({"currency": "XYZ"}, "segment_currency"),
        ({"currency": "PLAY", "stakes_min": 9, "stakes_max": 3}, "segment_range"),
        ({"languages": ["fr"]}, "segment_language"),
        ({"event": 99}, "segment_event"),
        ({"level_min": 9}, "segment_level"),
        ({"result": "drew"}, "segment_unreadable"),
        ({"player": 5}, "segment_unreadable"),
        ("everybody", "segment_unreadable"),
    ],
)
def test_what_is_no_segment_is_refused(filters: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        segments.require_sound(segments.read(filters))
    assert refused.value.code == code
