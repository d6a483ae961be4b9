"""A player's week: tasks, days, achievements and boards, from finished hands for play money."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.accounts.models import Player
from casino.care import limits, own_data
from casino.care.models import PlayerLimit
from casino.community.feats import feats_of
from casino.community.returning import achievements, audit, boards, counting, weeks
from casino.community.returning.models import (
    Achievement,
    CountedHand,
    Counting,
    DayPlayed,
    GamePlayed,
)
from casino.community.returning.tasks import count_hands, forget_hands
from games.models import Hand
from games.rules.catalogue import GAMES
from games.rules.house.till import FEATS
from tests.casino.finished_hands import FinishedHands
from tests.games.house import START, House
from tests.games.simultaneous import at_once
from tests.people import client_of
from wallets.models import Currency
from wallets.values.days import day_of, monday_of

ADDRESS = "/players/returning/"
TODAY = day_of(START)
WEEK = monday_of(TODAY)


def limit_time(player: Player, now: datetime, minutes: int | None = 60) -> PlayerLimit:
    kind, period = PlayerLimit.Kind.SESSION, PlayerLimit.Period.DAY
    limit = limits.ask(player, limits.Wanted(kind, period, None, minutes), now)
    player.refresh_from_db()
    return limit


def everything() -> list[Any]:
    kinds: list[Any] = [CountedHand, DayPlayed, GamePlayed, Achievement]
    return [sorted(kind.objects.values_list(*_columns(kind)), key=str) for kind in kinds]


def _columns(kind: Any) -> list[str]:
    return [field.attname for field in kind._meta.fields if field.attname not in ("id", "feats")]


# Counting


def test_a_hand_that_was_played_counts_for_its_people(house: House) -> None:
    house.bots(1)
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.until(table, lambda table: Hand.objects.filter(status="finished").exists())
    hand = Hand.objects.get(status="finished")
    house.pass_time(120)
    assert counting.count(house.now) == 1
    rows = {row.player.username: row for row in CountedHand.objects.select_related("player")}
    assert rows.keys() == {"alice", "bob", "carol"}
    for seat in hand.seats.select_related("player"):
        row = rows[seat.player.username]
        assert (row.hand, row.game, row.won) == (hand.pk, "doudizhu", seat.net > 0)
        assert row.points == round(100 * seat.net / hand.options["point"])
    assert DayPlayed.objects.count() == GamePlayed.objects.count() == 3


@pytest.mark.always
def test_against_the_house_points_are_what_a_unit_won(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    house.until(table, lambda table: Hand.objects.filter(status="finished").exists())
    hand = Hand.objects.filter(status="finished").latest("pk")
    house.pass_time(120)
    counting.count(house.now)
    moves = [move for move in hand.moves.all() if move.action.get("amount")]
    assert moves
    for row in CountedHand.objects.filter(hand=hand.pk):
        seat = hand.seats.get(player=row.player_id)
        placed = sum(move.action["amount"] for move in moves if move.seat == seat.number)
        assert row.points == round(100 * seat.net / placed)


@pytest.mark.always
def test_counted_again_a_hand_counts_once(house: House) -> None:
    played = FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}, {2: 1}])
    assert counting.count(house.now) == 2
    before = everything()
    assert counting.count(house.now) == 0
    counting.count_hands([hand.pk for hand in played])
    # Also where the counting begins anew.
    Counting.objects.all().delete()
    assert counting.count(house.now) == 2
    assert everything() == before


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_hands_may_be_counted_while_the_boards_are_audited(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    hands.play([{1: 2}])
    assert counting.count(house.now) == 1
    hands.play([{2: 1}])

    def counted_meanwhile(numbers: list[int]) -> list[CountedHand]:
        at_once(lambda: counting.count(house.now))
        return counting.rows_of(numbers)

    monkeypatch.setattr(audit, "rows_of", counted_meanwhile)
    assert list(audit.findings()) == []
    assert CountedHand.objects.count() == 6


def test_hands_are_counted_in_batches_once_their_transactions_have_ended(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "HANDS_AT_ONCE", 3)
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}] * 7)
    assert counting.count(START + timedelta(seconds=30)) == 0
    assert counting.count(house.now) == 7
    assert DayPlayed.objects.get(player__username="alice").hands == 7
    # Old hands are forgotten, and days stay.
    counting.forget_old(house.now)
    assert CountedHand.objects.count() == 21
    counting.forget_old(house.now + counting.KEPT + timedelta(days=1))
    assert not CountedHand.objects.exists()
    assert DayPlayed.objects.count() == 3


def test_a_hand_that_is_reversed_is_taken_out(house: House) -> None:
    first, second = FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}, {1: 1}])
    counting.count(house.now)
    house.pass_time(60)
    Hand.objects.filter(pk=second.pk).update(status=Hand.Status.VOID, reversed_at=house.now)
    house.pass_time(120)
    counting.count(house.now)
    assert set(CountedHand.objects.values_list("hand", flat=True)) == {first.pk}
    assert set(DayPlayed.objects.values_list("hands", flat=True)) == {1}
    Hand.objects.filter(pk=first.pk).update(status=Hand.Status.VOID, reversed_at=house.now)
    house.pass_time(120)
    counting.count(house.now)
    assert not CountedHand.objects.exists()
    assert not DayPlayed.objects.exists()
    assert not Achievement.objects.filter(hand=first.pk).exists()


def test_only_play_money_counts_and_only_people(house: House) -> None:
    euro = Currency.objects.create(code="EUR", name="Euro")
    FinishedHands(house, "doudizhu", "alice", "bob", "carol", currency=euro).play([{1: 2}])
    house.bots(1)
    Player.objects.filter(username="carol").update(is_staff=True)
    FinishedHands(house, "doudizhu", "alice", "bot 1", "carol").play([{1: 2}])
    assert counting.count(house.now) == 1
    assert {row.player.username for row in CountedHand.objects.all()} == {"alice"}


def test_no_act_waits_for_the_counting(house: House) -> None:
    """A hand that ends writes nothing here, and queues nothing."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    with CaptureQueriesContext(connection) as queries:
        house.until(table, lambda table: Hand.objects.filter(status="finished").exists())
    assert len(queries) > 10
    assert not [query for query in queries.captured_queries if "returning_" in query["sql"]]


# Tasks of a day


def hand_of(game: str = "doudizhu", table: int = 1, *feats: str, won: bool = False) -> CountedHand:
    return CountedHand(game=game, table=table, feats=list(feats), won=won)


def test_a_day_has_three_tasks_that_do_not_change() -> None:
    for number in range(12):
        day = TODAY + timedelta(days=number)
        tasks = weeks.tasks_of(day)
        assert tasks == weeks.tasks_of(day)
        assert all(task in group for task, group in zip(tasks, weeks.GROUPS, strict=True))


def test_every_task_has_its_day() -> None:
    seen = {task.words for ago in range(6) for task in weeks.tasks_of(TODAY + ago * weeks.DAY)}
    assert seen == {task.words for group in weeks.GROUPS for task in group}


@pytest.mark.parametrize(
    ("group", "place", "hands", "done"),
    [
        (0, 0, [hand_of()] * 2, 2),
        (1, 0, [hand_of(), hand_of()], 1),
        (1, 0, [hand_of(), hand_of("baccarat")], 2),
        (1, 1, [hand_of(table=1), hand_of(table=2)], 2),
        (1, 2, [hand_of(), hand_of("chinese_poker")], 1),
        (1, 2, [hand_of(), hand_of("baccarat")], 2),
        (2, 0, [hand_of(won=True)], 0),
        (2, 0, [hand_of("doudizhu", 1, "bomb", won=True)], 1),
        (2, 0, [hand_of("chinese_poker", 1, "natural", won=True)], 1),
        (2, 1, [hand_of(won=True), hand_of()], 1),
        (2, 2, [hand_of("baccarat", won=True)], 0),
        (2, 2, [hand_of(won=True)], 1),
    ],
)
def test_a_task_counts_the_hands_it_asks_for(
    group: int, place: int, hands: list[CountedHand], done: int
) -> None:
    assert weeks.GROUPS[group][place].done(hands) == done


def line(key: str, target: int, **values: Any) -> dict[str, Any]:
    return {"key": key, "source": 9, "target": target, "amount": 1, "values": values}


@pytest.mark.parametrize(
    ("lines", "feats"),
    [
        ([line("bomb", 2, seat=1)], ("bomb",)),
        ([line("bomb", 1, seat=2)], ()),
        ([line("rocket", 1, seat=1), line("bomb", 1, seat=1)], ("bomb", "rocket")),
        ([line("natural", 1)], ("natural",)),
        ([line("natural", 2)], ()),
        ([line("anti_spring", 1)], ("spring",)),
        ([line("row", 1)], ()),
    ],
)
def test_feats_are_read_from_the_lines(lines: list[dict[str, Any]], feats: tuple[str, ...]) -> None:
    assert feats_of({"lines": lines}, 1, won=True) == feats
    assert feats_of({"lines": lines}, 1, won=False) == ()


# Days in a row


def played_on(player: Player, *days: int) -> None:
    DayPlayed.objects.bulk_create(
        DayPlayed(player=player, day=TODAY - timedelta(days=ago), hands=1) for ago in days
    )


@pytest.mark.always
def test_a_streak_lasts_through_today(alice: Player, bob: Player) -> None:
    for ago, streak in (
        ((), (0, 0, 0)), ((0,), (1, 1, 1)), ((1, 2), (2, 2, 2)), ((2, 3, 4), (0, 3, 3)),
        ((0, 2, 3, 4), (1, 3, 4)),
    ):  # fmt: skip
        DayPlayed.objects.all().delete()
        played_on(alice, *ago)
        played_on(bob, 0, 1, 2, 3, 4)
        assert weeks.streak(alice.pk, TODAY) == streak, ago


# Achievements


@pytest.mark.always
def test_achievements_come_once_with_their_hand(house: House) -> None:
    hands = FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}] * 3)
    Hand.objects.filter(pk=hands[1].pk).update(
        settlement={"lines": [line("rocket", 1, seat=1)], "transfers": [], "net": {}}
    )
    counting.count(house.now)
    alice = house.person("alice")
    hand_by_name = dict(Achievement.objects.filter(player=alice).values_list("name", "hand"))
    assert hand_by_name == {"first_hand": hands[2].pk, "rocket": hands[1].pk}
    shown = {shown.title: shown.day for shown in achievements.shown(alice.pk)}
    assert len(shown) == len(achievements.KINDS) >= 12
    assert [title for title, day in shown.items() if day] == ["First hand", "Rocket"]


@pytest.mark.parametrize(
    ("key", "values", "feat"),
    [
        ("box_won", {"bet": "blackjack", "box": 1}, "twenty_one"),
        ("box_won", {"bet": "hand", "box": 1}, None),
        ("bet_won", {"bet": "banker"}, "coup"),
        ("bet_won", {"bet": "tie"}, None),
        ("box_won", {"bet": "call", "box": 1}, "showdown"),
        ("hand_won", {"box": 1}, "showdown"),
        ("bonus_won", {"box": 1}, None),
        ("box_lost", {"bet": "blackjack", "box": 1}, None),
    ],
)
def test_rounds_against_the_house_have_feats_of_their_own(
    key: str, values: dict[str, object], feat: str | None
) -> None:
    settlement = {"lines": [line(key, 1, **values)]}
    assert feats_of(settlement, 1, won=True) == ((feat,) if feat else ())
    assert feats_of(settlement, 1, won=False) == feats_of(settlement, 2, won=True) == ()
    assert feat is None or (feat in achievements.KINDS and feat in FEATS)


def test_hands_of_all_days_add_up(house: House) -> None:
    scene = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    alice = house.person("alice")
    DayPlayed.objects.create(player=alice, day=TODAY - timedelta(days=90), hands=98)
    for names in ({"first_hand"}, {"first_hand", "hundred_hands"}):
        scene.play([{1: 2}])
        counting.count(house.now)
        held = Achievement.objects.filter(player=alice).values_list("name", flat=True)
        assert set(held) == names


def test_games_and_days_are_achieved(house: House) -> None:
    scene = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    alice = house.person("alice")
    games = [game for game in GAMES if game != "doudizhu"]
    GamePlayed.objects.bulk_create(GamePlayed(player=alice, game=game) for game in games)
    played_on(alice, *range(1, 10))
    scene.play([{1: 2}])
    counting.count(house.now)
    achieved = set(Achievement.objects.filter(player=alice).values_list("name", flat=True))
    assert achieved >= {"three_games", "every_game", "three_days", "ten_days"}


def test_all_tasks_of_a_day_are_an_achievement(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    easy = weeks.TASKS["three_hands"]._replace(goal=2)
    monkeypatch.setattr(weeks, "GROUPS", ((easy,),) * 3)
    scene = FinishedHands(house, "doudizhu", "alice", "bob", "carol")
    mine = Achievement.objects.filter(player=house.person("alice"), name="whole_day")
    scene.play([{1: 2}])
    counting.count(house.now)
    assert not mine.exists()
    scene.play([{1: 2}])
    counting.count(house.now)
    assert mine.exists()


# The board of a week


def on_board(player: Player, points: int | None, hands: int = 20, game: str = "doudizhu") -> None:
    before = CountedHand.objects.count()
    CountedHand.objects.bulk_create(
        CountedHand(
            player=player, hand=before + number, table=1, game=game, day=TODAY, week=WEEK,
            won=True, points=points,
        )
        for number in range(hands)
    )  # fmt: skip


def names(board: boards.Board) -> list[str]:
    return [place.player.username for place in board.places]


def test_points_a_hand_order_the_board_and_not_their_sum(house: House) -> None:
    alice, bob, carol = (house.player(name) for name in ("alice", "bob", "carol"))
    on_board(alice, 100, hands=200)
    on_board(bob, 150, hands=20)
    on_board(carol, 900, hands=19)
    board = boards.board("doudizhu", WEEK, carol, house.now)
    assert names(board) == ["bob", "alice"]
    assert [place.points for place in board.places] == [1.5, 1.0]
    assert (board.mine, board.hands, board.hands_missing) == (None, 19, 1)
    assert boards.board("baccarat", WEEK, carol, house.now).players == 0
    assert boards.board("doudizhu", WEEK - timedelta(days=7), carol, house.now).players == 0


def test_whoever_is_below_sees_their_own_place(house: House) -> None:
    players = [house.player(f"p{number}") for number in range(12)]
    for number, player in enumerate(players):
        on_board(player, -number)
    board = boards.board("doudizhu", WEEK, players[-1], house.now)
    assert len(board.places) == boards.SHOWN
    assert board.mine is not None
    assert (board.mine.number, board.mine.is_mine) == (12, True)
    assert boards.board("doudizhu", WEEK, players[0], house.now).mine is None


@pytest.mark.parametrize(
    ("number", "players", "tier"),
    [(1, 1, "gold"), (1, 3, "gold"), (2, 3, "silver"), (3, 3, "bronze"), (2, 20, "gold"),
     (3, 20, "silver"), (8, 20, "silver"), (9, 20, "bronze"), (20, 20, "bronze")],
)  # fmt: skip
def test_tiers_are_shares_of_the_board(number: int, players: int, tier: str) -> None:
    assert boards.tier_of(number, players)[0] == tier


def test_private_tables_are_on_no_board(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol", private=True).play([{1: 2}] * 20)
    counting.count(house.now)
    assert CountedHand.objects.count() == 60
    assert boards.board("doudizhu", WEEK, house.person("alice"), house.now).players == 0


# Who sees it


def test_the_page_shows_what_was_played(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}] * 20)
    counting.count(timezone.now())
    client = client_of(house.person("alice"))
    text = client.get(ADDRESS).text
    for words in ("My week", "Leaderboard of the week", "First hand", "1/16", "Gold", "bob"):
        assert words in text, words
    assert f'href="{ADDRESS}"' in client.get("/").text
    empty = client.get(ADDRESS, {"game": "baccarat"}).text
    assert "This board is still empty." in empty
    assert '<option value="baccarat" selected>' in empty
    assert client.get(ADDRESS, {"game": "no-such-game"}).status_code == 200
    assert client.post(ADDRESS).status_code == 405
    # Nothing on it urges to spend.
    main = text[text.index("<main") : text.index("</main>")]
    for word in ("buy", "deposit", "reward", "prize", "bonus", "hurry", "lose your"):
        assert word not in main.lower(), word
    assert "/wallet/" not in main
    # Strangers sign in first, and staff have no week.
    stranger = Client()
    assert "/players/sign-in/" in stranger.get(ADDRESS)["Location"]
    assert ADDRESS not in stranger.get("/").text
    Player.objects.filter(username="bob").update(is_staff=True)
    assert client_of(house.person("bob")).get(ADDRESS).status_code == 404


def test_nobody_who_limits_their_time_sees_it_or_is_named(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}] * 20)
    counting.count(timezone.now())
    alice, bob = house.person("alice"), house.person("bob")
    limit_time(alice, timezone.now())
    client = client_of(alice)
    assert client.get(ADDRESS).status_code == 404
    assert ADDRESS not in client.get("/").text
    week = monday_of(day_of(timezone.now()))
    assert "alice" not in names(boards.board("doudizhu", week, bob, timezone.now()))
    # To lift a limit needs a second yes, and until then it holds.
    lifting = limit_time(alice, timezone.now(), None)
    assert client.get(ADDRESS).status_code == 404
    limits.confirm(alice, lifting.pk, timezone.now() + limits.THINK_FOR)
    assert client.get(ADDRESS).status_code == 200


def test_another_limit_hides_nothing_and_the_menu_costs_no_query(house: House) -> None:
    alice = house.player("alice")
    with CaptureQueriesContext(connection) as queries:
        assert weeks.is_open_to(alice)
    assert len(queries) == 0
    wanted = limits.Wanted("loss", "day", house.currency, 1_000)
    limits.ask(alice, wanted, timezone.now())
    alice.refresh_from_db()
    assert weeks.is_open_to(alice)


def test_one_setting_switches_all_of_it_off(house: House, settings: Any) -> None:
    settings.RETURNING = False
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}])
    count_hands()
    assert not CountedHand.objects.exists()
    client = client_of(house.person("alice"))
    assert client.get(ADDRESS).status_code == 404
    assert ADDRESS not in client.get("/").text
    settings.RETURNING = True
    count_hands()
    assert CountedHand.objects.exists()
    forget_hands()


# Their own data


@pytest.mark.always
def test_it_is_in_the_players_file_and_goes_with_the_player(house: House) -> None:
    FinishedHands(house, "doudizhu", "alice", "bob", "carol").play([{1: 2}])
    counting.count(house.now)
    alice = house.person("alice")
    rows = list(own_data.PARTS["returning"](alice))
    assert rows == [
        {"day": TODAY, "hands": 1},
        {"achievement": "first_hand", "day": TODAY},
        {"rating": "doudizhu", "mean": 27_869, "deviation": 8_205},
    ]
    for forget in own_data.forgetting:
        forget(alice)
    assert list(own_data.PARTS["returning"](alice)) == []
    assert not CountedHand.objects.filter(player=alice).exists()
    assert CountedHand.objects.count() == 2
