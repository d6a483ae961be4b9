"""The first page of the office: each role reads what it needs, and figures open their page."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS
from casino.office.alarms.models import CheckResult
from casino.office.desk import shifts
from casino.office.floor import halting, listing
from casino.office.frame import overview
from casino.office.frame.audit_pages import check_states
from games.models import Anchor, Day
from tests.casino.desk_scene import FLOAT, Desk
from tests.casino.floor_scene import stick, table
from tests.games.house import House
from wallets.models import Currency, Jackpot
from wallets.money import jackpots
from wallets.values.days import day_of

__all__ = ["table"]
pytestmark = pytest.mark.django_db

SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]
STATEMENTS_MAX = 31
# Once a minute for all readers.
OF_FIGURES_MAX = 30
PARTS = (
    *("day", "totals", "events", "jackpots", "at_desk", "checks", "health", "alarms"),
    *("receipts", "by_need"),
)
# What is in the context of each role, beside what waits for its approval.
OF_ROLE = {
    "managers": {"day", "totals", "events", "jackpots", "at_desk", "receipts", "checks", "alarms"},
    "auditors": {"day", "totals", "events", "checks", "alarms"},
    "floor": {"totals", "events", "by_need", "alarms"},
    "cashiers": {"at_desk", "receipts"},
    "technicians": {"health", "checks", "alarms"},
}


@pytest.mark.parametrize("role", [*PERMISSIONS])
def test_each_role_reads_its_own_parts(
    role: str, appointed: Appointed, signed_in: SignedIn
) -> None:
    page = signed_in(appointed(role)).get("/admin/")
    assert {part for part in PARTS if part in page.context} == OF_ROLE[role]


def test_floor_and_overview_count_people_and_bots_apart(
    house: House, appointed: Appointed, signed_in: SignedIn
) -> None:
    dealt = house.dealt_in("doudizhu", "alice", "bob", "carol")
    Player.objects.filter(username="carol").update(is_bot=True, password="!")
    client = signed_in(appointed("managers"))
    for address in ("/admin/", "/admin/floor/"):
        listing.forget()
        totals = client.get(address).context["totals"]
        assert (totals.people, totals.bots, totals.places) == (2, 1, dealt.places)


@pytest.mark.parametrize("role", [*PERMISSIONS])
def test_a_page_takes_few_statements(
    role: str, appointed: Appointed, signed_in: SignedIn, house: House
) -> None:
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    client = signed_in(appointed(role))
    with CaptureQueriesContext(connection) as taken:
        overview.day_figures(timezone.now())
    assert 5 < len(taken) <= OF_FIGURES_MAX
    with CaptureQueriesContext(connection) as taken:
        client.get("/admin/")
    # That players were there is written now and then, with any request.
    read = [query for query in taken if query["sql"].startswith("SELECT")]
    assert 5 < len(read) <= STATEMENTS_MAX


def test_the_floor_reads_which_tables_need_attention(
    house: House, table: object, appointed: Appointed, signed_in: SignedIn
) -> None:
    client = signed_in(appointed("floor"))
    assert "The one open table needs no attention" in client.get("/admin/").text
    stick(house, table)  # type: ignore[arg-type]
    page = client.get("/admin/")
    assert [row.id for row in page.context["needing"]] == [table.pk]  # type: ignore[attr-defined]
    assert next(row.id for row in page.context["by_need"]) == table.pk  # type: ignore[attr-defined]
    assert "Hands begin as usual." in page.text
    # A pulled kill switch needs attention: of the page, and where no table is late.
    halting.halt(appointed("managers"), "a strange shoe", uuid4(), timezone.now())
    text = client.get("/admin/").text
    assert "Hands begin as usual." not in text
    assert text.count("a strange shoe") == 2
    assert "needs no attention" not in text


def test_a_cashier_reads_the_own_till(desk: Desk, signed_in: SignedIn) -> None:
    client = signed_in(desk.tom)
    assert "No shift of yours is open." in client.get("/admin/").text
    desk.with_float()
    page = client.get("/admin/")
    assert desk.first.name in page.text
    # Its receipts are the cashier's own; what they come to is not said before a count.
    assert page.context["holds"] != ["5,000.00 EUR"]
    shifts.count(desk.tom, {"EUR": FLOAT}, {}, words="", key=uuid4(), now=desk.now)
    assert client.get("/admin/").context["holds"] == ["5,000.00 EUR"]
    desk.pay("deposit", 700)
    page = client.get("/admin/")
    assert page.context["receipts"][0].number in page.text


def test_an_auditor_reads_when_each_check_ran_and_what_it_found(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    nothing = {"none was made yet", "no release is noted"}
    assert {state.found for state in check_states(now)} == {"has not run yet", *nothing}
    # In a house that has been open for nights they should have run.
    Day.objects.create(day=day_of(now) - timedelta(days=2), closed_at=now, hands=0, sums={})
    assert {state.found for state in check_states(now)} == {"has never run", *nothing}
    assert [state.is_bad for state in check_states(now)].count(True) == 3
    Day.objects.all().delete()
    CheckResult.objects.create(pk="audit", at=now - timedelta(hours=7), found=2, first="T1-H4: x")
    CheckResult.objects.create(pk="release", at=now - timedelta(days=3), found=0)
    Anchor.objects.create(number=3, made_at=now, position=812, line="", written=True)
    states = {state.address: state for state in check_states(now)}
    audit = states["/admin/audits/"]
    assert (audit.found, audit.is_bad) == ("2 problems found: T1-H4: x", True)
    assert audit.over == "0 hands"
    (anchors,) = [state for state in check_states(now) if state.over == "812 entries"]
    assert (anchors.found, anchors.is_bad) == ("anchor 3 is kept", False)
    for number, age, written in ((4, timedelta(days=30), True), (5, timedelta(0), False)):
        Anchor.objects.create(number=number, made_at=now - age, position=813, written=written)
        (anchors,) = [state for state in check_states(now) if state.over == "813 entries"]
        assert anchors.is_bad
        Anchor.objects.filter(number=number).delete()
    (code,) = [state for state in check_states(now) if state.words == "Check of the code"]
    assert (code.found, code.is_bad) == ("no problem found", True)
    assert "812 entries" in signed_in(appointed("auditors")).get("/admin/").text


def test_the_prize_nearest_to_its_highest_amount_comes_first(
    appointed: Appointed, signed_in: SignedIn
) -> None:
    euro, _new = Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    for name, seed, highest in (("Far", 100, 1_000), ("Near", 900, 1_000)):
        jackpots.create(
            name, Jackpot.Kind.MYSTERY, euro, actor="o", seed=seed, lowest=950, highest=highest,
            key=uuid4(),
        )  # fmt: skip
    prizes = signed_in(appointed("managers")).get("/admin/").context["jackpots"]
    assert [(prize.name, prize.percent) for prize in prizes] == [("Near", 90), ("Far", 10)]
