"""What staff write into a player's file: checks, flags, notes, freezes; and closing the account."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from casino.accounts import freezing
from casino.office.players import closing, verbs
from casino.office.players.actions import NO_MERGING
from casino.office.players.models import Check, Flag, Note
from tests.casino.player_file_scene import WHY, Scene, check, flag, freeze, note
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.money import cashier
from wallets.of_record.guards import missing
from wallets.staff import approvals, journal
from wallets.values.errors import Refused


@pytest.fixture
def scene(db: None) -> Scene:
    return Scene()


# Checks, flags and notes


@pytest.mark.slow
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


def test_what_makes_no_sense_is_refused_with_a_code(scene: Scene) -> None:
    for case, (work, code) in REFUSED.items():
        with transaction.atomic():
            with pytest.raises(Refused) as refusal:
                work(scene)
            assert refusal.value.code == code, case
            transaction.set_rollback(True)
        # Whom the case has appointed is forgotten with it.
        scene.staff.clear()


@pytest.mark.always
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
    assert [
        (entry.before, entry.after, entry.reason) for entry in entries.order_by("position")
    ] == [
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


@pytest.mark.always
def test_what_staff_wrote_is_never_changed_or_deleted(scene: Scene) -> None:
    seen, raised, written = check(scene, ending="12"), flag(scene), note(scene)
    verbs.unflag(scene.staff["floor"], scene.alice.pk, "watch", WHY, scene.now)
    notes = Note.objects.filter(pk=written.pk)
    changes: tuple[Callable[[], object], ...] = (
        lambda: Check.objects.filter(pk=seen.pk).update(ending="13"),
        lambda: notes.update(text="other"), lambda: notes.update(text="", by_name="bob"),
        lambda: Flag.objects.filter(pk=raised.pk).update(kind="harm"),
        seen.delete, raised.delete, written.delete,
        lambda: Flag.objects.filter(pk=raised.pk).update(lowered_at=None),
    )  # fmt: skip
    for work in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            work()


def test_reconciliation_misses_a_guard(db: None) -> None:
    assert not missing()
    with connection.cursor() as cursor:
        on = " ON player_file_note" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER player_file_note_keeps{on}")
    assert missing() == ["player_file_note_keeps"]


# Freezing and closing


@pytest.mark.always
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


@pytest.mark.always
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


def test_an_account_is_closed_by_two_for_good(scene: Scene) -> None:
    scene.pay(500)
    browser = client_of(scene.alice)
    with pytest.raises(Refused, match=r"Pay out the final balance first: 5.00 EUR\."):
        scene.propose(closing.CLOSE)
    owner, given = f"player:{scene.alice.pk}", {"actor": "test", "reason": "x"}
    cashier.set_aside(owner, scene.euro, 500, key=uuid4(), **given)
    with pytest.raises(Refused, match=r"5\.00 EUR"):
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
    proposal = scene.propose(closing.CLOSE)
    assert "waits for a colleague" in scene.read()
    scene.pay(500)
    with pytest.raises(Refused) as refusal:
        approvals.approve(scene.second, proposal.pk, reason="yes", now=scene.now)
    assert refusal.value.code == "final_balance"
    assert scene.fresh().closed_at is None


@pytest.mark.always
def test_whoever_sits_at_a_table_or_works_here_is_not_closed(scene: Scene) -> None:
    house = scene.house
    house.give(scene.alice, 100_000)
    house.sit(scene.alice, house.table("doudizhu"), 1)
    cases = ((scene.alice, "plays"), (scene.second, "colleague"))
    for player, code in cases:
        with pytest.raises(Refused) as refusal:
            closing.require_empty(player)
        assert refusal.value.code == code


def test_there_is_no_merging(scene: Scene) -> None:
    for group in ("floor", "cashiers", "managers", "auditors"):
        assert str(NO_MERGING) in scene.read(group)
    assert not [name for name in journal.verbs() if "merge" in name]
