"""The file of a player: who sees what of it, what staff write there, and what it costs to read."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.care import erasure, limits, own_data
from casino.care.limits import Wanted
from casino.player_file import closing, looking, money, permissions, play, verbs
from casino.player_file.actions import NO_MERGING
from casino.player_file.models import Check, Flag, Note
from casino.players import freezing
from casino.players.models import Device, Player
from casino.players.staff import PERMISSIONS, appoint, grants
from games.chat.models import ChatLine
from games.models import DayResult, Hand, HandSeat
from games.records import closed_days
from games.tables import seating
from tests.games.house import House
from tests.games.markup import cards_in
from tests.games.viewers import shown_to
from tests.people import client_of
from wallets import approvals, cashier, journal
from wallets.errors import Refused
from wallets.guards import missing
from wallets.models import Currency
from wallets.staff_models import JournalEntry, Proposal

WHY: Final = "because of a test"
MOST_QUERIES: Final = 40
# A heading of each section, by the permission that opens it.
SECTIONS: Final = {
    "Who it is": permissions.SEE,
    "Flags": permissions.SEE,
    "Limits": permissions.SEE,
    "Documents seen": permissions.SEE_DOCUMENTS,
    "Ledger, in words": permissions.SEE_WALLETS,
    "The house owes": permissions.SEE_WALLETS,
    "Sign-ins and devices": permissions.SEE_WHOLE,
    "Seats": permissions.SEE_WHOLE,
    "Notes by staff": permissions.SEE_WHOLE,
    "Who looked": permissions.SEE_WHOLE,
    "Last hands": permissions.SEE_HANDS,
    "Results by game": permissions.SEE_HANDS,
    "Chat": permissions.SEE_CHAT,
}
# What was decided about the roles, apart from what their permissions say.
SEES: Final = {
    "floor": set(SECTIONS) - {"Documents seen"},
    "cashiers": {
        "Who it is", "Flags", "Limits", "Documents seen", "Ledger, in words", "The house owes",
    },
    "managers": set(SECTIONS),
    "auditors": set(SECTIONS),
}  # fmt: skip


class Scene:
    """Three people who have played a hand, and staff of every role."""

    def __init__(self) -> None:
        self.house = House()
        self.table = self.house.dealt_in("doudizhu", "alice", "bob", "carol")
        self.house.until(self.table, lambda table: table.hand_id is None)
        self.alice = self.house.person("alice")
        self.staff = {group: self.member(f"one-{group}", group) for group in PERMISSIONS}
        self.second = self.member("second", "managers")
        self.euro = Currency.objects.create(code="EUR", name="Euro")
        self.now = timezone.now()

    def member(self, name: str, group: str) -> Player:
        appoint(Player.objects.create_user(name), group)
        return Player.objects.get(username=name)

    def address(self, part: str = "") -> str:
        return f"/admin/players/{self.alice.pk}/file/{part}"

    def read(self, group: str = "managers", part: str = "") -> str:
        answer = client_of(self.staff[group]).get(self.address(part))
        assert answer.status_code == 200, answer.content.decode()[-2_000:]
        return answer.text

    def pay(self, amount: int) -> None:
        move = cashier.deposit if amount > 0 else cashier.withdraw
        owner, given = f"player:{self.alice.pk}", {"actor": "test", "reason": "at the desk"}
        move(owner, self.euro, abs(amount), key=uuid4(), **given)

    def fresh(self) -> Player:
        self.alice = Player.objects.get(pk=self.alice.pk)
        return self.alice

    def leave(self) -> None:
        seating.leave(self.alice, self.table.pk, self.house.now)

    def propose(self, verb: str) -> Proposal:
        found = approvals.submit(
            self.staff["managers"],
            verb,
            {"player": self.alice.pk},
            reason=WHY,
            key=uuid4(),
            now=self.now,
        ).proposal
        assert found is not None
        return found

    def carry_out(self, verb: str) -> None:
        proposal = self.propose(verb)
        approvals.approve(self.second, proposal.pk, reason="yes", now=self.now)
        self.fresh()


@pytest.fixture
def scene(db: None) -> Scene:
    return Scene()


# Who sees what


@pytest.mark.parametrize("group", SEES)
def test_a_role_sees_its_sections_and_no_other(scene: Scene, group: str) -> None:
    page = scene.read(group)
    shown = {one for one in SECTIONS if re.search(rf">\s*{re.escape(one)}\s*<", page)}
    assert shown == SEES[group]
    assert shown == {one for one, needed in SECTIONS.items() if grants(group, needed)}


def test_technicians_players_and_strangers_see_nothing(scene: Scene) -> None:
    for part in ("", "ledger/", "notes/", "check/", "freeze/"):
        address = scene.address(part)
        assert client_of(scene.staff["technicians"]).get(address).status_code == 403
        for client in (client_of(scene.alice), Client()):
            assert client.get(address).status_code == 302
    assert not JournalEntry.objects.filter(verb=looking.LOOKED).exists()


@pytest.mark.parametrize(
    ("group", "offered"),
    [
        ("floor", {"flag", "note"}),
        ("cashiers", {"check"}),
        ("managers", {"check", "flag", "note", "freeze", "close"}),
        ("auditors", set[str]()),
    ],
)
def test_a_role_is_offered_what_it_may_do(scene: Scene, group: str, offered: set[str]) -> None:
    page = scene.read(group)
    parts = {"check", "flag", "unflag", "note", "freeze", "unfreeze", "close"}
    assert {one for one in parts if scene.address(f"{one}/") in page} == offered
    client = client_of(scene.staff[group])
    for part in parts - offered - {"unflag", "unfreeze"}:
        assert client.post(scene.address(f"{part}/"), {"reason": WHY}).status_code == 403


def test_nobody_who_is_not_there_has_a_file(scene: Scene) -> None:
    client = client_of(scene.staff["managers"])
    for number in ("999999", "9" * 30):
        assert client.get(f"/admin/players/{number}/file/").status_code == 404


def test_a_file_is_only_read_by_get(scene: Scene) -> None:
    assert client_of(scene.staff["managers"]).post(scene.address()).status_code == 405


def test_the_ledger_is_read_line_by_line(scene: Scene) -> None:
    scene.pay(12_345)
    for group in ("cashiers", "auditors"):
        page = scene.read(group, "ledger/?currency=EUR")
        assert "Paid in" in page
        assert "+123.45" in page
    assert "+123.45" in scene.read("floor", "?currency=EUR")


# Nothing of a hand that runs


def test_no_card_of_a_live_hand_is_on_the_page(scene: Scene) -> None:
    house, table = scene.house, scene.table
    house.until(table, lambda table: table.hand_id is not None)
    hand = Hand.objects.get(pk=table.hand_id)
    assert shown_to(hand, 1)
    for group in SEES:
        page = scene.read(group)
        assert not cards_in(page)
        assert hand.code not in page
    listed = play.last_hands(scene.alice, Currency.objects.in_bulk())
    assert {one.number for one in listed} == set(
        HandSeat.objects.filter(player=scene.alice, ended_at__isnull=False).values_list(
            "hand", flat=True
        )
    )


# Who looked


def test_a_look_is_in_the_journal_once_a_gaming_day(scene: Scene) -> None:
    def looks() -> list[tuple[str, str]]:
        entries = JournalEntry.objects.filter(verb=looking.LOOKED).order_by("position")
        return list(entries.values_list("actor_name", "subject"))

    mine = ("one-floor", f"player:{scene.alice.pk}")
    for _time in range(3):
        page = scene.read("floor")
    assert looks() == [mine]
    assert "one-floor" in page.partition("Who looked")[2]
    scene.read("cashiers", "ledger/")
    assert looks() == [mine, ("one-cashiers", mine[1])]
    day = timedelta(days=1)
    looking.note(scene.staff["floor"], scene.alice, scene.now + day)
    assert looks()[2:] == [mine]
    bob = scene.house.person("bob")
    looking.note(scene.staff["floor"], bob, scene.now + day)
    assert looks()[3:] == [("one-floor", f"player:{bob.pk}")]


# Checks, flags and notes


def test_a_check_is_shown_with_the_end_of_the_number_alone(scene: Scene) -> None:
    client = client_of(scene.staff["cashiers"])
    typed = {"what": "age", "document": "passport", "ending": "12ab", "reason": WHY}
    typed["valid_until"] = "2099-01-01"
    assert client.post(scene.address("check/"), typed).status_code == 302
    page = scene.read("cashiers")
    for words in ("Passport", "••12AB", "of age", "one-cashiers"):
        assert words in page
    assert "12AB" not in scene.read("floor")
    assert "of age" in scene.read("floor")
    too_long = client.post(scene.address("check/"), typed | {"ending": "TZ118442"})
    assert too_long.status_code == 200
    assert Check.objects.count() == 1
    assert "12" not in str(JournalEntry.objects.get(verb=verbs.CHECKED).after["document"])


def test_a_check_by_an_expired_document_counts_no_more(scene: Scene) -> None:
    soon = scene.now + timedelta(days=1)
    check(scene, valid_until=soon.date())
    assert "of age" in scene.read()
    with pytest.raises(Refused, match="no longer valid"):
        check(scene, valid_until=soon.date(), now=soon + timedelta(days=2))


def check(scene: Scene, **given: Any) -> Check:
    given = {"what": "age", "document": "passport", "reason": WHY, "now": scene.now} | given
    return verbs.check(scene.staff["cashiers"], scene.alice.pk, **given)


def flag(scene: Scene, group: str = "floor", kind: str = "watch", of: int = 0) -> Flag:
    return verbs.flag(scene.staff[group], of or scene.alice.pk, kind, WHY, scene.now)


def note(scene: Scene, text: str = "Prefers receipts.", group: str = "floor", of: int = 0) -> Note:
    return verbs.note(scene.staff[group], of or scene.alice.pk, text, scene.now)


def freeze(scene: Scene, days: int = 3, of: int = 0, **given: Any) -> Player:
    given = {"now": scene.now} | given
    return verbs.freeze(scene.staff["managers"], of or scene.alice.pk, WHY, days=days, **given)


REFUSED: Final[dict[str, tuple[Callable[[Scene], object], str]]] = {
    "a document of no kind": (lambda scene: check(scene, document="napkin"), "no_such_check"),
    "nothing that is checked": (lambda scene: check(scene, what="luck"), "no_such_check"),
    "a whole number": (lambda scene: check(scene, ending="TZ118442"), "document_number"),
    "signs in a number": (lambda scene: check(scene, ending="1-2"), "document_number"),
    "a check without a reason": (lambda scene: check(scene, reason=" "), "reason"),
    "a flag of no kind": (lambda scene: flag(scene, kind="odd"), "no_such_flag"),
    "a flag by a cashier": (lambda scene: flag(scene, "cashiers"), "not_permitted"),
    "a flag by an auditor": (lambda scene: flag(scene, "auditors"), "not_permitted"),
    "a flag twice": (lambda scene: [flag(scene), flag(scene)], "flag_is_up"),
    "lowering none": (
        lambda scene: verbs.unflag(scene.staff["floor"], scene.alice.pk, "watch", WHY, scene.now),
        "flag_is_down",
    ),
    "an empty note": (lambda scene: note(scene, " \n "), "note_length"),
    "a long note": (lambda scene: note(scene, "x" * 1_001), "note_length"),
    "one's own file": (lambda scene: note(scene, of=scene.staff["floor"].pk), "own_file"),
    "a colleague's file": (lambda scene: flag(scene, of=scene.second.pk), "colleague"),
    "nobody's file": (lambda scene: note(scene, of=999_999), "no_such_player"),
    "freezing for odd days": (lambda scene: freeze(scene, 2), "freeze_days"),
    "freezing twice": (lambda scene: [freeze(scene), freeze(scene)], "frozen_longer"),
    "a shorter freeze": (lambda scene: [freeze(scene, 7), freeze(scene, 1)], "frozen_longer"),
    "ending after no end": (lambda scene: [freeze(scene, 0), freeze(scene, 90)], "frozen_longer"),
    "freezing a colleague": (lambda scene: freeze(scene, of=scene.second.pk), "colleague"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_sense_is_refused_with_a_code(scene: Scene, case: str) -> None:
    work, code = REFUSED[case]
    with pytest.raises(Refused) as refusal:
        work(scene)
    assert refusal.value.code == code


def test_a_flag_is_on_every_page_until_it_is_taken_off(scene: Scene) -> None:
    flag(scene)
    client = client_of(scene.staff["floor"])
    assert "Keep an eye on" in scene.read("cashiers").partition("Who it is")[0]
    taken = client.post(scene.address("unflag/"), {"kind": "watch", "reason": WHY})
    assert taken.status_code == 302
    page = scene.read()
    assert "Keep an eye on" not in page.partition("Who it is")[0]
    assert "<s>Keep an eye on</s>" in page
    flag(scene)
    assert Flag.objects.count() == 2
    entries = JournalEntry.objects.filter(verb__in=(verbs.FLAGGED, verbs.UNFLAGGED))
    assert [(one.before, one.after, one.reason) for one in entries.order_by("position")] == [
        ({"flags": []}, {"flags": ["watch"]}, WHY),
        ({"flags": ["watch"]}, {"flags": []}, WHY),
        ({"flags": []}, {"flags": ["watch"]}, WHY),
    ]


def test_a_note_is_shown_as_text(scene: Scene) -> None:
    client = client_of(scene.staff["floor"])
    typed = "<script>alert(1)</script> asked about T1-H1"
    assert client.post(scene.address("note/"), {"text": typed}).status_code == 302
    page = scene.read()
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert "script" not in str(JournalEntry.objects.filter(verb=verbs.NOTED).values_list())


def test_older_notes_are_on_further_pages(scene: Scene) -> None:
    for number in range(60):
        note(scene, f"note {number}.")
    page = scene.read(part="notes/")
    assert "note 59." in page
    assert "note 9." not in page
    older = re.search(r"\?before=\d+", page)
    assert older
    assert "note 9." in scene.read(part=f"notes/{older[0]}")


@pytest.mark.parametrize("change", ["ending", "note", "flag", "delete", "lowered"])
def test_what_staff_wrote_is_never_changed_or_deleted(scene: Scene, change: str) -> None:
    seen, raised, written = check(scene, ending="12"), flag(scene), note(scene)
    verbs.unflag(scene.staff["floor"], scene.alice.pk, "watch", WHY, scene.now)
    changes: dict[str, list[Callable[[], object]]] = {
        "ending": [lambda: Check.objects.filter(pk=seen.pk).update(ending="13")],
        "note": [
            lambda: Note.objects.filter(pk=written.pk).update(text="other"),
            lambda: Note.objects.filter(pk=written.pk).update(text="", by_name="bob"),
        ],
        "flag": [lambda: Flag.objects.filter(pk=raised.pk).update(kind="harm")],
        "delete": [seen.delete, raised.delete, written.delete],
        "lowered": [lambda: Flag.objects.filter(pk=raised.pk).update(lowered_at=None)],
    }
    for work in changes[change]:
        with pytest.raises(DatabaseError), transaction.atomic():
            work()


def test_reconciliation_misses_a_guard(db: None) -> None:
    assert not missing()
    with connection.cursor() as cursor:
        on = " ON player_file_note" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER player_file_note_keeps{on}")
    assert missing() == ["player_file_note_keeps"]


# Freezing and closing


def test_a_freeze_ends_when_its_time_is_over(scene: Scene) -> None:
    client = client_of(scene.staff["managers"])
    typed = {"days": "3", "reason": WHY, "text": "Wait for the bank."}
    assert client.post(scene.address("freeze/"), typed).status_code == 302
    page = scene.read()
    assert not scene.fresh().is_active
    assert "Wait for the bank." in page
    assert WHY in page
    until = scene.alice.frozen_until
    assert until is not None
    assert freezing.end_expired(until - timedelta(seconds=1)) == 0
    assert freezing.end_expired(until) == 1
    assert freezing.end_expired(until) == 0
    assert scene.fresh().is_active
    assert scene.alice.frozen_until is None
    entry = JournalEntry.objects.get(verb=freezing.UNFREEZE)
    assert (entry.actor, entry.reason) == ("house", freezing.TIME_IS_OVER)
    assert (entry.before["active"], entry.after) == (False, {"active": True})


def test_a_longer_freeze_replaces_a_shorter_one(scene: Scene) -> None:
    for days in (1, 30, 0):
        freeze(scene, days)
    assert scene.fresh().frozen_until is None
    assert freezing.end_expired(scene.now + timedelta(days=400)) == 0
    assert not scene.fresh().is_active


def test_two_members_of_staff_end_a_freeze_early(scene: Scene) -> None:
    freeze(scene, 30)
    scene.carry_out(freezing.UNFREEZE)
    assert scene.alice.is_active
    assert scene.alice.frozen_until is None
    freezing.freeze(scene.staff["managers"], scene.alice.pk, WHY)
    assert freezing.end_expired(scene.now + timedelta(days=31)) == 0
    assert not scene.fresh().is_active


def test_an_account_is_closed_by_two_and_stays_closed(scene: Scene) -> None:
    scene.leave()
    scene.pay(500)
    browser = client_of(scene.alice)
    with pytest.raises(Refused, match=r"Pay out the final balance first: 5 EUR\."):
        scene.propose(closing.CLOSE)
    owner, given = f"player:{scene.alice.pk}", {"actor": "test", "reason": "x"}
    cashier.set_aside(owner, scene.euro, 500, key=uuid4(), **given)
    with pytest.raises(Refused, match="5 EUR"):
        scene.propose(closing.CLOSE)
    cashier.release(owner, scene.euro, 500, key=uuid4(), **given)
    scene.pay(-500)
    scene.carry_out(closing.CLOSE)
    assert not scene.alice.is_active
    assert browser.get("/wallet/").status_code == 302
    assert "closed for good" in scene.read()
    for verb in (closing.CLOSE, freezing.UNFREEZE):
        with pytest.raises(Refused) as refusal:
            scene.propose(verb)
        assert refusal.value.code == "account_closed"
    with pytest.raises(Refused):
        freeze(scene)
    assert freezing.end_expired(scene.now + timedelta(days=400)) == 0


def test_money_that_came_meanwhile_stops_the_closing(scene: Scene) -> None:
    scene.leave()
    proposal = scene.propose(closing.CLOSE)
    assert "waits for a colleague" in scene.read()
    scene.pay(500)
    with pytest.raises(Refused) as refusal:
        approvals.approve(scene.second, proposal.pk, reason="yes", now=scene.now)
    assert refusal.value.code == "final_balance"
    assert scene.fresh().closed_at is None


def test_whoever_sits_at_a_table_or_works_here_is_not_closed(scene: Scene) -> None:
    cases = ((scene.alice, "plays"), (scene.second, "colleague"))
    for player, code in cases:
        with pytest.raises(Refused) as refusal:
            closing.require_empty(player)
        assert refusal.value.code == code


def test_there_is_no_merging(scene: Scene) -> None:
    for group in SEES:
        assert str(NO_MERGING) in scene.read(group)
    assert not [name for name in journal.verbs() if "merge" in name]


# Money and play


def test_in_and_out_are_drawn_by_month(scene: Scene) -> None:
    for amount in (10_000, -2_500, 300):
        scene.pay(amount)
    (euro,) = [one for one in money.held_by(scene.alice, []) if one.currency == scene.euro]
    found = money.flow(euro, scene.now)
    assert (found.paid_in, found.paid_out, found.cut) == (10_300, 2_500, False)
    assert euro.owed == 7_800
    page = scene.read("cashiers", "?currency=EUR")
    assert '<svg class="chart"' in page
    assert "103" in page
    later = money.flow(euro, scene.now + timedelta(days=400))
    assert (later.paid_in, later.chart) == (0, "")


def test_a_long_ledger_is_drawn_from_its_newest_lines(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(money, "LINES_MAX", 3)
    for amount in (1_000, 2_000, 3_000, 4_000):
        scene.pay(amount)
    (euro,) = [one for one in money.held_by(scene.alice, []) if one.currency == scene.euro]
    found = money.flow(euro, scene.now)
    assert (found.paid_in, found.cut) == (9_000, True)
    assert "Drawn from the newest lines" in scene.read("cashiers", "?currency=EUR")


def test_results_are_the_same_before_and_after_a_day_is_closed(scene: Scene) -> None:
    currencies = Currency.objects.in_bulk()
    net = sum(HandSeat.objects.filter(player=scene.alice).values_list("net", flat=True))
    before = play.results(scene.alice, currencies)
    assert [(one.hands, one.net) for one in before] == [(1, net)]
    closed_days.close_day(scene.house.now.date(), scene.house.now + timedelta(days=2))
    assert DayResult.objects.filter(player=scene.alice).exists()
    assert play.results(scene.alice, currencies) == before


# What it costs


@pytest.fixture
def busy(scene: Scene) -> Scene:
    """Something in every section, and every limit."""
    scene.pay(5_000)
    owner = f"player:{scene.alice.pk}"
    cashier.set_aside(owner, scene.euro, 100, key=uuid4(), actor="t", reason="x")
    for number in range(9):
        check(scene)
        note(scene, f"note {number}")
        ChatLine.objects.create(
            table=scene.table, player=scene.alice, text=f"line {number}", said_at=scene.now
        )
        Device.objects.create(
            player=scene.alice, digest=f"{number}", session_key=f"key {number}",
            signed_in_at=scene.now, seen_at=scene.now,
        )  # fmt: skip
    for kind in Flag.Kind.values:
        flag(scene, kind=kind)
    for kind in limits.Kind.values:
        for period in limits.Period.values:
            currency = None if kind == "session" else scene.euro
            limits.ask(scene.alice, Wanted(kind, period, currency, 1_000), scene.now)
    closed_days.close_day(scene.house.now.date(), scene.house.now + timedelta(days=2))
    freeze(scene)
    scene.propose(freezing.UNFREEZE)
    return scene


@pytest.mark.parametrize("group", SEES)
def test_the_page_asks_few_questions_however_much_there_is(busy: Scene, group: str) -> None:
    busy.read(group)
    client = client_of(busy.staff[group])
    with CaptureQueriesContext(connection) as read:
        assert client.get(busy.address("?currency=EUR")).status_code == 200
    assert len(read) <= MOST_QUERIES, [one["sql"][:200] for one in read]


# What grows with the house. Whole tables of anything else may be read.
LARGE: Final = (
    "games_hand", "games_handseat", "games_move", "games_seat", "games_dayresult",
    "games_chat_chatline", "wallets_entry", "wallets_transaction", "wallets_account",
    "wallets_journalentry", "players_player", "players_device", "players_accesstoken",
    "player_file_check", "player_file_flag", "player_file_note", "care_playerlimit",
    "django_session",
)  # fmt: skip


def plans(statements: list[str]) -> Iterator[tuple[str, str]]:
    """How the database reads for each statement, if it must not read whole tables."""
    with connection.cursor() as cursor:
        explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
        if connection.vendor == "postgresql":
            # So small a table would be read whole; where no index serves, it still is.
            cursor.execute("SET LOCAL enable_seqscan = off")
        for statement in statements:
            cursor.execute(explain + statement)
            for row in cursor.fetchall():
                yield statement, str(row[-1])


def test_every_query_is_served_by_an_index(busy: Scene) -> None:
    client = client_of(busy.staff["managers"])
    with CaptureQueriesContext(connection) as read:
        client.get(busy.address("?currency=EUR"))
    selects = [one["sql"] for one in read if one["sql"].startswith("SELECT")]
    assert len(selects) > 20
    whole = re.compile(r"^SCAN (\w+)|Seq Scan on (\w+)")
    scanned = [
        (found[1] or found[2], statement)
        for statement, step in plans(selects)
        if (found := whole.search(step)) and "USING INDEX" not in step
    ]
    assert not [one for one in scanned if one[0] in LARGE]


# Beside it


def test_an_erasure_empties_what_staff_typed(scene: Scene) -> None:
    check(scene, ending="12ab")
    flag(scene)
    note(scene)
    assert [one["ending"] for one in own_data.PARTS["checks"](scene.alice)] == ["12AB"]
    bob = scene.house.person("bob")
    verbs.note(scene.staff["floor"], bob.pk, "stays", scene.now)
    scene.leave()
    wallet = scene.house.wallet(scene.alice)
    owner, given = f"player:{scene.alice.pk}", {"actor": "test", "reason": "x"}
    cashier.withdraw(owner, scene.house.currency, wallet.balance, key=uuid4(), **given)
    freeze(scene, 1)
    erasure.ask(scene.alice, scene.now)
    scene.carry_out(erasure.ERASE)
    assert set(Check.objects.values_list("ending", flat=True)) == {""}
    assert set(Flag.objects.values_list("reason", flat=True)) == {""}
    assert set(Note.objects.values_list("text", flat=True)) == {"", "stays"}
    assert freezing.end_expired(scene.now + timedelta(days=2)) == 0
    assert not scene.fresh().is_active
    assert "erased" in scene.read()


def test_staff_find_the_file_wherever_they_see_a_player(scene: Scene) -> None:
    address = scene.address()
    hand = Hand.objects.get(status=Hand.Status.FINISHED)
    cases = {
        "managers": [
            "/admin/players/player/",
            f"/admin/players/player/{scene.alice.pk}/change/",
            "/admin/desk/find/?q=alice",
            f"/admin/desk/deposit/?player={scene.alice.pk}",
            reverse("office-hand", args=[hand.code]),
            f"/admin/reports/players/?by=player&from={hand.ended_at:%Y-%m-%d}"
            f"&to={hand.ended_at:%Y-%m-%d}",
        ],
        "floor": [f"/admin/floor/tables/{scene.table.pk}/"],
    }
    for group, pages in cases.items():
        for page in pages:
            assert address in client_of(scene.staff[group]).get(page).text, page
    found = client_of(scene.staff["floor"]).get("/admin/floor/find/?q=alice")
    assert found["Location"] == address
    for page in ("/admin/players/player/", f"/admin/players/player/{scene.alice.pk}/change/"):
        assert "/file/" not in client_of(scene.staff["technicians"]).get(page).text
