"""Days are closed once, agree with hands and ledger, and say so where they do not."""

from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from games.models import ChainEntry, Day, DayResult, Hand, Table
from games.records import audit_house, closed_days
from games.shoes import chain
from tests.games.evenings import played_once
from tests.games.house import House
from tests.people import by_staff, journal_staff


def play(house: House) -> Table:
    """A table at which hands were played, until one was paid; another hand runs."""
    house.bots(3)
    table = house.table("doudizhu", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    paid = Hand.objects.filter(rake__gt=0)
    house.until(
        table, lambda table: bool(table.hand_id) and table.hands_dealt > 2 and paid.exists()
    )
    return table


evening = played_once(play)


def finished() -> int:
    return Hand.objects.filter(status=Hand.Status.FINISHED).count()


def test_a_day_is_closed_when_it_is_over(house: House, table: Table) -> None:
    assert closed_days.close_days(house.now) == []
    house.pass_time(24 * 3600)
    (day,) = closed_days.close_days(house.now)
    hands = Hand.objects.filter(status=Hand.Status.FINISHED)
    assert (day.day, day.hands, day.differences) == (date(2026, 3, 1), hands.count(), [])
    rake = sum(hand.rake for hand in hands)
    assert rake > 0
    assert day.sums == {"PLAY": {"rake": rake, "bank": 0}}
    results = DayResult.objects.filter(day=day)
    assert {result.hands for result in results} == {hands.count()}
    assert sum(result.rake for result in results) == rake
    assert sum(result.net + result.rake for result in results) == 0


def test_closing_again_changes_nothing(house: House, table: Table) -> None:
    house.pass_time(24 * 3600)
    (day,) = closed_days.close_days(house.now)
    house.pass_time(60)
    assert closed_days.close_days(house.now) == []
    assert closed_days.close_day(day.day, house.now) == day
    assert Day.objects.count() == 1
    assert DayResult.objects.count() == 3


def test_days_without_hands_are_closed_too(house: House, table: Table) -> None:
    house.pass_time(3 * 24 * 3600)
    days = closed_days.close_days(house.now)
    assert [day.hands for day in days] == [finished(), 0, 0]


@pytest.mark.always
def test_mismatches_are_reported(house: House, table: Table) -> None:
    hand = Hand.objects.filter(status=Hand.Status.FINISHED, rake__gt=0).first()
    assert hand is not None
    Hand.objects.filter(pk=hand.pk).update(rake=hand.rake + 1)
    house.pass_time(24 * 3600)
    (day,) = closed_days.close_days(house.now)
    assert day.differences[0].startswith(
        f"table {table.pk}: the hands give {day.sums['PLAY']['rake']} to rake"
    )
    assert len(day.differences) == 2


@pytest.mark.always
def test_altered_daily_results_are_found_and_rebuilt(house: House, table: Table) -> None:
    void = house.void(table, "a test")
    house.pass_time(24 * 3600)
    closed_days.close_days(house.now)
    assert list(audit_house.days()) == []
    results = list(DayResult.objects.order_by("pk").values_list("hands", "voids", "net"))
    assert {(hands, voids) for hands, voids, _net in results} == {(finished(), 1)}
    assert void.ended_at
    row, gone = DayResult.objects.order_by("pk")[:2]
    DayResult.objects.filter(pk=row.pk).update(hands_won=row.hands_won + 1)
    gone.delete()
    with pytest.raises(SystemExit):
        call_command("audit", stdout=StringIO())
    assert {day for day, _sums in audit_house.days()} == {row.day}
    options = by_staff()
    journal_staff()
    call_command("audit", "--mend-days", *options, stdout=StringIO())
    assert list(audit_house.days()) == []
    again = DayResult.objects.order_by("player").values_list("hands", "voids", "net")
    assert sorted(again) == sorted(results)


@pytest.mark.always
def test_published_closings_form_one_chain(table: Table) -> None:
    entries = ChainEntry.objects.count()
    assert chain.link() == entries
    assert chain.link() == 0
    assert chain.differences() == []
    positions = ChainEntry.objects.order_by("pk").values_list("position", flat=True)
    assert list(positions) == list(range(entries))
    kinds = set(ChainEntry.objects.values_list("kind", flat=True))
    assert kinds == {"seal", "lock", "reveal", "hand"}


@pytest.mark.always
def test_an_edited_entry_breaks_the_chain(table: Table) -> None:
    chain.link()
    entry = ChainEntry.objects.filter(kind="hand").first()
    assert entry is not None
    entry.body["settlement"]["net"]["1"] = 1_000_000
    entry.save()
    assert chain.differences() == [f"entry {entry.pk} does not follow the one before it"]
