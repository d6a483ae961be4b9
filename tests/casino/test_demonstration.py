"""The life of a demonstration: bots play at tables of their own, and give their seats to people."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from casino.accounts import demo
from casino.accounts.models import Player
from casino.office.alarms.models import CheckResult
from casino.office.demonstration import cases, context, residents
from casino.office.demonstration.management.commands import demo_history
from casino.office.demonstration.residents import REST_ALONE, REST_WATCHED
from casino.office.demonstration.seeding.sessions import Played, Slice, Workers
from casino.office.desk.models import Receipt, Shift
from casino.office.desk.summary import lines, summaries
from casino.office.players.models import Complaint, Note
from casino.office.reports import balances
from games.live import spectators
from games.models import Anchor, Day, Hand, Table
from games.rules.catalogue import GAMES, game_type
from games.rules.declaration import Residents
from games.shoes import chain
from games.tables import demo as tables
from games.tables import seating
from games.tables.lock import seats_at
from games.views import streams
from games.words.naming import game_name
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.values.days import ONE_DAY, day_of, start_of

pytestmark = pytest.mark.django_db
HANDS = 90
COMPLETE = "the history is complete, and the residents take their seats"


@pytest.fixture
def living(house: House, settings: Any) -> House:
    """A demonstration that has just begun to live."""
    settings.DEMO_LIFE = True
    tables.seed()
    residents.begin()
    residents.open_tables(timezone.now())
    house.now = timezone.now()
    return house


def residents_of(game: str) -> Residents:
    demo_table = GAMES[game].residents
    assert demo_table is not None
    return demo_table


def table_of(game: str) -> Table:
    return Table.objects.get(name=residents_of(game).table)


def bots(table: Table) -> int:
    return sum(seat.player.is_bot for seat in seats_at(table))


def has_ended(table: Table) -> bool:
    return table.hand_id is None and table.hands_dealt > 0


@pytest.mark.parametrize("game", sorted(GAMES))
def test_bots_play_among_themselves(game: str, living: House) -> None:
    table = table_of(game)
    living.until(table, has_ended)
    assert bots(table) == residents_of(game).bots
    assert Hand.objects.get(table=table).status == Hand.Status.FINISHED
    # A person finds a free seat, except where the game needs every place.
    assert bots(table) < table.places or game_type(game).seats[0] == table.places


def test_a_bot_gives_its_seat_to_a_person_at_a_full_table(living: House) -> None:
    table = table_of("doudizhu")
    living.until(table, lambda now: now.hand_id is not None)
    alice = living.player("alice")
    living.sit(alice, table, 2, table.buy_in_min)
    living.until(table, lambda now: now.hands_dealt == 2 and now.hand_id is not None)
    assert [seat.player.is_bot for seat in seats_at(table)] == [True, False, True]


def test_bots_make_room_as_people_come(living: House) -> None:
    table = table_of("chinese_poker")
    living.until(table, has_ended)
    for number in (4, 3):
        living.sit(living.player(f"person {number}"), table, number, table.buy_in_min)
        # One seat stays free for another person.
        living.until(table, lambda _now, most=number - 2: bots(table) == most)


def test_bots_rest_between_hands_and_less_while_somebody_watches(
    living: House, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: (spectators.tell({}), cache.clear()))
    table = table_of("baccarat")
    living.until(table, has_ended)
    living.until_due(table)
    last = Hand.objects.get(table=table)
    assert last.ended_at is not None
    assert table.due_at == last.ended_at + REST_ALONE
    spectators.tell({table.pk: spectators.Looking(1, frozenset())})
    cache.clear()
    living.until_due(table)
    living.until(table, lambda now: now.hand_id is None and now.hands_dealt == 2)
    living.until_due(table)
    last = Hand.objects.get(table=table, number=2)
    assert last.ended_at is not None
    assert table.due_at == last.ended_at + REST_WATCHED


@pytest.mark.always
def test_a_spectator_who_comes_ends_the_rest(living: House, request: pytest.FixtureRequest) -> None:
    request.addfinalizer(lambda: spectators.tell({}))
    table = table_of("baccarat")
    living.until(table, has_ended)
    living.until_due(table)
    ended, version = Hand.objects.get(table=table).ended_at, table.version
    assert ended is not None
    spectators.tell({table.pk: spectators.Looking(1, frozenset())})
    scope: dict[str, object] = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
    scope["headers"] = [(b"host", b"testserver")]
    for _stream in range(2):
        assert streams.welcome(scope, table.pk, None)
        table.refresh_from_db()
        # The second stream changes nothing.
        assert table.version == version + 1
    living.until(table, lambda now: now.hands_dealt == 2)
    assert living.now <= ended + REST_WATCHED


@pytest.mark.always
def test_a_person_who_sits_down_ends_the_rest(living: House) -> None:
    table = table_of("blackjack")
    living.until(table, has_ended)
    living.until_due(table)
    assert table.due_at is not None
    living.now = table.due_at - REST_ALONE / 2
    living.sit(living.player("alice"), table, 7, table.buy_in_min)
    table.refresh_from_db()
    assert table.due_at == living.now + timedelta(seconds=table.pause_seconds)


def test_life_that_is_turned_off_ends_with_the_hands(living: House, settings: Any) -> None:
    table = table_of("casino_holdem")
    living.until(table, lambda now: now.hand_id is not None)
    settings.DEMO_LIFE = False
    assert residents.begin() == len(GAMES)
    living.until(table, lambda now: now.status == Table.Status.CLOSED)
    assert bots(table) == 0
    assert residents.begin() == 0
    settings.DEMO_LIFE = True
    assert residents.open_tables(living.now) == len(GAMES)
    living.until(table, lambda now: now.hand_id is not None)


def test_a_house_without_life_has_no_residents(house: House) -> None:
    tables.seed()
    assert residents.begin() == 0
    with pytest.raises(CommandError, match="DEMO_LIFE is 0: nothing was made"):
        call_command("demo_history")
    assert not Table.objects.filter(name=residents_of("baccarat").table).exists()


def test_the_lobby_marks_residents_and_offers_their_seats(living: House) -> None:
    table = table_of("doudizhu")
    living.until(table, lambda now: now.hand_id is not None)
    text = client_of(living.player("alice")).get("/lobby/").text
    assert "Bamboo grove" in text
    assert text.count('class="face bot"') == 3


@pytest.fixture
def short_history(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Few hands on few days, and a profile for one game."""
    Path(settings.ANCHORS_FILE).unlink(missing_ok=True)
    monkeypatch.setattr(demo_history, "HANDS", HANDS)
    monkeypatch.setattr(demo_history, "DAYS", 3)
    known = json.loads(cases.FIGURES.read_text())
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps({"baccarat": known["baccarat"]}))
    monkeypatch.setattr(cases, "FIGURES", figures)


def said_by(command: str, **options: object) -> list[str]:
    said = StringIO()
    call_command(command, stdout=said, **options)
    return [line for line in said.getvalue().splitlines() if line]


def assert_staff_find_their_work() -> None:
    # The desk has been open, and its shift still is.
    kinds = Counter(Receipt.objects.values_list("kind", flat=True))
    assert kinds == {"transfer": 3, "deposit": 5, "withdrawal": 1, "variance": 1}
    [shift] = Shift.objects.filter(closed_at=None)
    assert [summary.expected for summary in summaries(shift, lines(shift))] == [2_190_000]
    # Staff find cases: tables that follow profiles, complaints, notes, a proposal, clean checks.
    follow = Table.objects.exclude(profile=None).values_list("game", flat=True)
    assert Counter(follow) == {"baccarat": 2}
    assert Complaint.objects.filter(answered_at=None).count() == 1
    assert Note.objects.count() == len(cases.NOTES)
    assert Proposal.objects.filter(status=Proposal.Status.PROPOSED).count() == 1
    checked = dict(CheckResult.objects.values_list("pk", "found"))
    assert checked == dict.fromkeys(("audit", "reconciliation", "rights"), 0)


@pytest.mark.always
def test_a_history_is_made_beside_the_open_house(
    house: House, short_history: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEMO_LIFE = settings.DEMO = True
    announced: list[int] = []
    monkeypatch.setattr(context, "tell", announced.append)
    play, depths = Workers.play, [len(connection.atomic_blocks)]

    def counted(workers: Workers, slices: Sequence[Slice]) -> Played:
        depths.append(len(connection.atomic_blocks))
        return play(workers, slices)

    monkeypatch.setattr(Workers, "play", counted)
    demo.seed()
    alice = Player.objects.get(username="alice")
    tables.seed()
    # The residents' tables open when it is complete; all others are open at once.
    assert residents.begin() == len(residents.RESIDENTS)
    assert residents.table_of("baccarat") is None
    riverboat = Table.objects.get(name=GAMES["casino_holdem"].table)
    seating.sit(alice, riverboat.pk, 1, riverboat.buy_in_min, timezone.now())
    *bars, end = said_by("demo_history")
    assert bars[0] == "[....................] 0 %"
    assert bars[-1].startswith("[###")
    assert end == COMPLETE
    assert announced == sorted(announced)
    # SQLite lets one transaction write at a time, so that no hand is played in one.
    assert len(depths) > 5
    assert len(set(depths)) == 1
    hands = Hand.objects.count()
    # Today as far as it goes, of three days.
    assert HANDS / 2 < hands <= HANDS
    assert Hand.objects.values("game").distinct().count() == len(GAMES)
    assert Day.objects.count() == 2
    # Two closed days, and today as far as it goes: no entry of the history waits for an anchor.
    assert Anchor.objects.filter(written=True).count() == 3
    assert Anchor.objects.latest("number").position == chain.end()[0]
    assert table_of("baccarat").status == Table.Status.OPEN
    assert JournalEntry.objects.filter(verb="deposit").exists()
    assert_staff_find_their_work()
    # Reports find what was held on a day, although its postings came after those of today.
    first = balances.first_day()
    assert first == Day.objects.earliest("day").day
    assert not any(balances.held_at(start_of(first)).values())
    # Three players have their welcome from its beginning; alice got hers today, with her seat.
    held = balances.held_at(start_of(first) + ONE_DAY)["PLAY", "player"]
    assert held >= 3 * settings.PLAY_MONEY_WELCOME
    names = ("alice", "bob", "carol", "dave")
    joined = dict(Player.objects.filter(username__in=names).values_list("username", "date_joined"))
    assert [day_of(joined[name]) == first for name in names] == [False, True, True, True]
    seating.leave(alice, riverboat.pk, timezone.now())
    assert said_by("audit") == [f"{hands} hands audited: no differences"]
    assert "all accounts and all books fit" in said_by("reconcile", everything=True)
    # A house in which something was played gets no second one.
    assert said_by("demo_history") == [COMPLETE]
    assert Hand.objects.count() == hands


def test_every_table_of_a_demonstration_follows_a_profile(house: House, settings: Any) -> None:
    settings.DEMO = settings.DEMO_LIFE = True
    demo.seed()
    tables.seed()
    for _twice in range(2):
        cases.make_profiles(house.now)
        assert set(Table.objects.values_list("name", "profile__name")) == {
            (declaration.table, f"Club rules, {game_name(game)}")
            for game, declaration in GAMES.items()
        }


@pytest.mark.parametrize("percent", ["", "0", "43"])
def test_pages_with_figures_say_how_far_the_history_is(
    house: House, percent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "percent", lambda: percent)
    boss, alice = Player.objects.create_superuser("boss"), house.player("alice")
    for player, address in (
        (boss, "/admin/"),
        (boss, "/admin/reports/rake/"),
        (alice, reverse("my-week")),
    ):
        text = client_of(player).get(address, follow=True).text
        assert (f"is being made: {percent} %" in text) == bool(percent), address
