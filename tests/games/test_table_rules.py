"""The rules of a table in versions: proposed, told to its players, in force from the next hand."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.accounts.models import Player
from games.models import Hand, Table, TableRules
from games.profiles import drafts, setting_up
from games.profiles.setting_up import NewTable, Wanted
from games.profiles.table_history import history
from tests.games import profiles
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money import jackpots
from wallets.staff import approvals
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def mona() -> Player:
    return profiles.manager("mona")


@pytest.fixture
def max_() -> Player:
    return profiles.manager("max")


def in_house(house: House) -> None:
    """The house's clock and the clock of proposals say the same."""
    house.now = max(house.now, timezone.now())


def rake(table: Table) -> int:
    hand = Hand.objects.filter(table=table).latest("pk")
    return int(hand.options["rake_bp"])


def another_rake(maker: Player, checker: Player, table: Table, rake_bp: int) -> None:
    assert table.profile_version is not None
    draft = drafts.begin_draft(maker, table.profile_version.pk, reason="x", now=timezone.now())
    profiles.published(maker, checker, profiles.change(maker, draft, rake_bp=rake_bp))


def opened(member: Player, profile: Any, places: int = 3, name: str = "Garden") -> Table:
    new = NewTable(name, Wanted(profile, places))
    return setting_up.open_table(member, new, reason="more seats", now=timezone.now())


@pytest.mark.always
def test_a_table_opens_with_its_options_in_force(mona: Player, max_: Player) -> None:
    draft = profiles.change(mona, profiles.draft(mona), point=300, pause_seconds=9)
    version = profiles.published(mona, max_, draft)
    table = opened(mona, version.profile)
    assert (table.status, table.options["point"], table.pause_seconds) == ("open", 300, 9)
    assert table.profile_version == version
    (first,) = table.rules.all()
    assert (first.number, first.applied_at is None, first.options) == (1, False, version.options)
    entry = JournalEntry.objects.get(verb="table.add")
    assert (entry.subject, entry.after["places"]) == (table.reference, 3)


def test_players_read_of_a_change_before_the_hand_that_it_is_for(
    house: House, mona: Player, max_: Player
) -> None:
    version = profiles.published(
        mona, max_, profiles.change(mona, profiles.draft(mona, "chinese_poker"), rake_bp=500)
    )
    table = profiles.following(house.dealt_in("chinese_poker", "alice", "bob"), version.profile)
    in_house(house)
    house.until(table, lambda table: table.profile_version == version and bool(table.hand_id))
    another_rake(max_, mona, table, 400)
    in_house(house)
    house.until(table, lambda table: table.coming_rules is not None)
    waits = table.coming_rules
    assert waits is not None
    dealt = table.hands_dealt
    alice = client_of(house.person("alice"))
    page = alice.get(f"/tables/{table.pk}/").text
    assert "coming-rules" in page
    assert "Rake 5 % → 4 %" in page
    known = Program().get(f"tables/{table.pk}/")
    assert "Rake 5 % → 4 %" in known["coming_rules"]
    assert rake(table) == 500
    house.until(table, lambda table: table.hands_dealt > dealt)
    assert (rake(table), table.coming_rules) == (400, None)
    hand = Hand.objects.filter(table=table).latest("pk")
    assert (hand.started_at - waits.announced_at).total_seconds() >= 10
    assert "coming-rules" not in alice.get(f"/tables/{table.pk}/").text
    newest = history(table)[0]
    assert ("Rake", "5 %", "4 %") in [tuple(change) for change in newest.changes]
    assert newest.rules.applied_at is not None


# The page of a new table, and of a table's rules


def form_of(profile: Any, **given: Any) -> dict[str, Any]:
    return {
        "game": "doudizhu", "profile": profile.pk, "places": "3", "name": "Garden",
        "overflow_max": "1", "reason": "more seats",
    } | given  # fmt: skip


def test_a_table_is_set_up_on_one_page(mona: Player, max_: Player) -> None:
    version = profiles.published(
        mona, max_, profiles.change(mona, profiles.draft(mona), point=300, rake_bp=250)
    )
    profiles.published(mona, max_, profiles.draft(mona, "blackjack", "Jack"))
    client = client_of(mona)
    assert client.get("/admin/games/table/add/")["Location"] == "/admin/tables/new/"
    # It begins with a game that has a profile.
    assert client.get("/admin/tables/new/").context["form"].initial["game"] == version.profile.game
    page = client.get("/admin/tables/new/", {"game": "doudizhu"}).text
    assert "Club rules" in page
    assert "Jack" not in page.partition("</nav>")[2].partition("<main")[2]
    assert "2.5 %" in page
    for wrong, said in (
        ({"name": ""}, "This field is required."),
        ({"places": "4"}, "Select a valid choice"),
        ({"game": "blackjack"}, "Select a valid choice"),
        ({"reason": ""}, "This field is required."),
    ):
        answer = client.post("/admin/tables/new/", form_of(version.profile, **wrong))
        assert (answer.status_code, said in answer.text) == (200, True), wrong
    assert not Table.objects.exists()
    answer = client.post("/admin/tables/new/", form_of(version.profile))
    table = Table.objects.get()
    assert answer["Location"] == f"/admin/floor/tables/{table.pk}/"
    assert (table.status, table.options["point"], table.overflow_max) == ("open", 300, 1)


def test_the_rules_of_a_table_change_by_two(mona: Player, max_: Player) -> None:
    version = profiles.published(mona, max_, profiles.draft(mona, "blackjack"))
    table = opened(mona, version.profile, 5)
    pot = jackpots.create("Dragon", "progressive", profiles.play_money(), actor="test", seed=500)
    client, address = client_of(mona), f"/admin/tables/{table.pk}/rules/"
    wanted = {"profile": version.profile_id, "places": "4", "jackpots": [pot.pk], "reason": "x"}
    assert client.post(address, wanted | {"gives_away": "on"}).status_code == 302
    table.refresh_from_db()
    assert (table.places, table.jackpots.count(), table.rules.count()) == (5, 0, 1)
    proposal = Proposal.objects.get(verb="table.rules")
    lines = {tuple(change) for change in approvals.describe(proposal)}
    assert {("Seats", "5", "4"), ("Jackpots", "none", "Dragon")} <= lines
    again = client.get(address).text
    assert f"/admin/approvals/{proposal.pk}/" in again
    with pytest.raises(Refused, match="colleague"):
        approvals.approve(mona, proposal.pk, reason="x", now=timezone.now())
    approvals.approve(max_, proposal.pk, reason="x", now=timezone.now())
    house = House()
    in_house(house)
    table.refresh_from_db()
    house.until_due(table)
    assert (table.places, table.coming_rules) == (4, None)
    assert list(table.jackpots.all()) == [pot]
    newest = table.rules.first()
    assert newest is not None
    assert (newest.number, newest.cause) == (2, proposal.reference)
    shown = client.get(address).text
    assert "Dragon" in shown
    entry = JournalEntry.objects.get(verb="table.rules")
    assert (entry.before["places"], entry.after["places"]) == (5, 4)


CASES: dict[str, tuple[dict[str, Any], str]] = {
    "a profile that nobody has published": ({"profile": "draft"}, "not_published"),
    "a profile of another game": ({"profile": "other"}, "table_fault"),
    "too many seats": ({"places": 9}, "table_fault"),
    "no change": ({}, "nothing_to_change"),
    "a jackpot that is none": ({"jackpots": [999_999]}, "no_such_jackpot"),
    "a table that is none": ({"table": 999_999}, "no_such_table"),
}


@pytest.mark.always
@pytest.mark.parametrize("case", CASES)
def test_a_change_that_cannot_be_is_refused(mona: Player, max_: Player, case: str) -> None:
    version = profiles.published(mona, max_, profiles.draft(mona, "blackjack"))
    named = {
        "draft": profiles.draft(mona, "blackjack", "Draft").profile_id,
        "other": profiles.published(
            mona, max_, profiles.draft(mona, "doudizhu", "Other")
        ).profile_id,
    }
    table = opened(mona, version.profile, 5)
    given, code = CASES[case]
    wanted = {"table": table.pk, "profile": version.profile_id, "places": 5, "jackpots": []}
    wanted |= given
    wanted["profile"] = named.get(str(wanted["profile"]), wanted["profile"])
    with pytest.raises(Refused) as refused:
        approvals.submit(mona, "table.rules", wanted, reason="x", key=uuid4(), now=timezone.now())
    assert refused.value.code == code
    assert not TableRules.objects.exclude(number=1).exists()
