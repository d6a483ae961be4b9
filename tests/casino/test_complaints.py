"""The register of complaints: a deadline, a hand, one answer, and erasure."""

from datetime import timedelta

import pytest
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.players import elsewhere, verbs
from casino.office.players.models import Complaint
from games.models import Hand
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.values.days import day_of
from wallets.values.errors import Refused

TEXT = "The pot went to the wrong seat."


@pytest.fixture
def manager(db: None) -> Player:
    appoint(Player.objects.create_user("ruth"), "managers")
    return Player.objects.get(username="ruth")


@pytest.mark.always
def test_a_complaint_is_taken_and_answered(house: House, manager: Player) -> None:
    house.dealt_in("doudizhu", "alice", "bob", "carol")
    hand, alice = Hand.objects.latest("pk"), house.person("alice")
    ruth, register = client_of(manager), "/admin/complaints/"
    assert "A complaint is listed here" in ruth.get(register).text
    take = f"/admin/players/{alice.pk}/file/complaint/"
    form = {"text": TEXT, "hand": hand.code, "due_on": str(day_of(timezone.now()))}
    assert ruth.post(take, form | {"hand": "T1-H999999"}).status_code == 200
    assert not Complaint.objects.exists()
    assert ruth.post(take, form).status_code == 302
    complaint = Complaint.objects.get()
    page = ruth.get(register).text
    for words in ("alice", TEXT, hand.code, f"/admin/complaints/{complaint.pk}/"):
        assert words in page, words
    assert "overdue" not in page
    Complaint.objects.update(due_on=day_of(timezone.now()) - timedelta(days=1))
    assert "overdue" in ruth.get(register).text
    answer = {"outcome": "partly", "text": "The rules say so."}
    assert ruth.post(f"{register}{complaint.pk}/", answer).status_code == 302
    page = ruth.get(f"{register}{complaint.pk}/").text
    for words in ("upheld in part", "The rules say so.", "ruth"):
        assert words in page, words
    assert "A complaint is listed here" in ruth.get(register).text
    assert "alice" in ruth.get(register, {"answered": "1"}).text
    entries = JournalEntry.objects.filter(verb__startswith="complaint.").order_by("position")
    assert [entry.verb for entry in entries] == ["complaint.take", "complaint.answer"]
    with pytest.raises(Refused) as refused:
        verbs.answer_complaint(manager, complaint.pk, "upheld", "again", timezone.now())
    assert refused.value.code == "complaint_answered"
    assert client_of(alice).get(register).status_code == 302
    elsewhere.forget(alice)
    page = ruth.get(f"{register}{complaint.pk}/").text
    assert TEXT not in page
    assert "The rules say so." not in page


def test_a_complaint_makes_sense(manager: Player, alice: Player) -> None:
    now = timezone.now()
    today = day_of(now)
    for code, text, hand, due in (
        ("complaint_length", " ", "", today),
        ("complaint_length", "x" * 1_001, "", today),
        ("no_such_hand", TEXT, "T1", today),
        ("deadline_over", TEXT, "", today - timedelta(days=1)),
    ):
        with pytest.raises(Refused) as refused:
            verbs.take_complaint(manager, alice.pk, text, hand=hand, due_on=due, now=now)
        assert refused.value.code == code
    appoint(Player.objects.create_user("tom"), "cashiers")
    tom = Player.objects.get(username="tom")
    with pytest.raises(Refused):
        verbs.take_complaint(tom, alice.pk, TEXT, due_on=today, now=now)
