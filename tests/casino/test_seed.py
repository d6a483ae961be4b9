"""Filling an empty house: what is made is honest, closed, and the same for the same seed."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from multiprocessing import active_children
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.color import no_style
from django.db import connection, transaction

from casino.office.demonstration.seeding import filling
from casino.office.demonstration.seeding.filling import Filling, Order
from casino.office.demonstration.seeding.house import open_tables
from casino.office.demonstration.seeding.playing import PlayedTable
from casino.office.reports.models import SummedDay
from games.models import ChainEntry, Day, Hand, HandSeat, HeldCards, Move, Table
from games.records import card_index
from games.rules.catalogue import GAMES
from wallets.models import Account, Book, Entry, Transaction
from wallets.models.record_models import RecordedChange
from wallets.models.staff_models import JournalEntry
from wallets.values.days import day_of
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db
ORDER = {"hands": 60, "days": 2, "players": 12, "seed": 3, "processes": 1}
LAST = day_of(datetime.now(UTC)) - timedelta(days=1)


@pytest.fixture(autouse=True)
def no_files_of_another_test() -> None:
    Path(settings.ANCHORS_FILE).unlink(missing_ok=True)


def seed(**options: Any) -> str:
    said = StringIO()
    call_command("seed", stdout=said, stderr=said, **(ORDER | options))
    return said.getvalue()


def agrees(hands: int) -> None:
    """Audit and reconciliation find nothing."""
    said = StringIO()
    call_command("audit", stdout=said)
    assert said.getvalue().strip() == f"{hands:,} hands audited: no differences"
    call_command("reconcile", everything=True, stdout=said)
    assert "all accounts and all books fit" in said.getvalue()


@pytest.mark.slow
def test_every_game_is_played_and_every_posting_has_the_time_of_its_hand() -> None:
    assert seed(hands=400, players=40).startswith("400 hands in 2 days:")
    agrees(400)
    assert set(Hand.objects.values_list("game", flat=True)) == set(GAMES)
    ends = dict(Hand.objects.exclude(posting=None).values_list("posting", "ended_at"))
    posted = Transaction.objects.filter(kind="hand").values_list("key", "time")
    assert dict(posted) == ends
    assert {day_of(end) for end in ends.values() if end} == {LAST, LAST - timedelta(days=1)}
    hours = Hand.objects.filter(started_at__hour__gte=18).count()
    assert hours > Hand.objects.filter(started_at__hour__lt=6).count()
    assert set(Transaction.objects.values_list("kind", flat=True)) >= {
        *("deposit", "withdrawal", "grant", "buy_in", "cash_out", "hand", "seed"),
    }
    desk = Transaction.objects.filter(kind__in=("deposit", "withdrawal"))
    assert JournalEntry.objects.filter(verb__in=("deposit", "withdrawal")).count() == desk.count()
    assert Day.objects.count() == SummedDay.objects.count() == 2
    # Auditors find the cards of all of them: nothing waits for the clock.
    assert not card_index.waiting().exists()
    stored = cards_in_index()
    card_index.index(Hand.objects.all())
    assert cards_in_index() == stored
    # Every seat was left with what it held, and only an empty house is filled.
    assert not Account.objects.filter(kind="stack").exclude(balance=0).exists()
    assert not Table.objects.exclude(phase="waiting").exists()
    with pytest.raises(CommandError, match="This house holds hands; only an empty one"):
        seed()
    assert Hand.objects.count() == 400


def cards_in_index() -> list[tuple[object, ...]]:
    columns = ("hand_id", "number", "seat", "key", "tokens")
    return list(HeldCards.objects.order_by("hand_id", "number").values_list(*columns))


def history() -> dict[str, object]:
    """Everything by which two histories could differ.

    It is without what is encrypted anew each time, and without the journal and the record of
    changes, which have the time when the history was made.
    """
    return {
        "chain": list(ChainEntry.objects.order_by("pk").values_list("head", flat=True)),
        "books": sorted(
            Book.objects.exclude(name__in=("journal", "record")).values_list(
                "name", "position", "head"
            )
        ),
        "recorded": list(
            RecordedChange.objects.order_by("pk").values_list("table", "row", "what", "verb")
        ),
        "entries": Entry.objects.count(),
        "moves": Move.objects.count(),
        "nets": list(HandSeat.objects.order_by("hand_id", "number").values_list("net", flat=True)),
    }


def number_anew() -> None:
    """PostgreSQL numbers rows on after a rollback, and the numbers are part of what is hashed."""
    with connection.cursor() as cursor:
        models = apps.get_models(include_auto_created=True)
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def made(number: int, processes: int = 1) -> dict[str, object]:
    """A history that is forgotten again; its rows have the numbers of an empty house."""
    with transaction.atomic():
        number_anew()
        Filling(Order(60, 2, 12, number, LAST), processes).run()
        summary = history()
        transaction.set_rollback(True)
    Path(settings.ANCHORS_FILE).unlink(missing_ok=True)
    return summary


def test_a_seed_makes_one_history_with_any_number_of_processes() -> None:
    summary = made(3)
    assert made(3, processes=3) == summary
    assert made(4)["nets"] != summary["nets"]


@pytest.mark.always
def test_a_house_with_tables_is_refused() -> None:
    open_tables()
    with pytest.raises(CommandError, match="This house holds tables or money"):
        seed()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"hands": 0}, "--hands must be at least 1"),
        ({"days": 0}, "--days must be at least 1"),
        ({"players": 3}, "--players must be at least 4"),
        ({"processes": 0}, "--processes must be at least 1"),
        ({"hands": 900_000}, "At most 200000 hands fit into a day"),
        ({"until": day_of(datetime.now(UTC))}, "The history ends yesterday at the latest"),
    ],
)
def test_an_order_that_makes_no_history_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        seed(**options)
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("total", "weights", "expected"),
    [
        (10, (1, 1), [5, 5]),
        (1, (1, 1, 1), [0, 0, 1]),
        (7, (5, 1, 1), [5, 1, 1]),
        (0, (3, 4), [0, 0]),
    ],
)
def test_portions_add_up(total: int, weights: tuple[int, ...], expected: list[int]) -> None:
    assert filling.portions(total, weights) == expected
    assert sum(filling.portions(total, weights)) == total


@pytest.mark.always
def test_slices_follow_one_another_within_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands that are played and written a few at a time are the hands of one piece."""
    monkeypatch.setattr(filling, "SLICE_HANDS", 7)
    seed()
    agrees(60)
    ends = list(Hand.objects.order_by("pk").values_list("started_at", flat=True))
    assert ends == sorted(ends)


@pytest.mark.always
@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_at_a_table_ends_the_command_with_its_sentence(
    processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> NoReturn:
        raise Refused("overdrawn", "There is not enough money in the account.")

    monkeypatch.setattr(PlayedTable, "play", fail)
    before = active_children()
    with pytest.raises(CommandError, match="could not be played: There is not enough money"):
        seed(processes=processes)
    assert active_children() == before
    assert not Hand.objects.exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupt_leaves_no_process_and_no_part_of_a_day(processes: int) -> None:
    heard: list[int] = []

    def interrupt(hands: int) -> None:
        heard.append(hands)
        # The first parts of the day have been handed to the database by now.
        if len(heard) == 3:
            raise KeyboardInterrupt

    before = active_children()
    filling = Filling(Order(60, 2, 12, 3, LAST), processes)
    with pytest.raises(KeyboardInterrupt):
        filling.run(interrupt)
    assert active_children() == before
    assert not Hand.objects.exists()
    assert not Entry.objects.exists()
