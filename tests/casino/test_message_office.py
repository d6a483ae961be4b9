"""The pages of messages in the back office, and the reports that staff get by mail."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.community.messages import letters
from casino.community.messages.models import Message, ReportMail
from casino.office.alarms.models import Alarm
from tests.casino.message_scene import TEXTS, drafted, reads_mail, run, sent
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.values.days import day_of
from wallets.values.errors import Refused
from wallets.values.house import HouseContent, keep

OFFICE = "/admin/messages/"


@pytest.fixture
def manager(house: House) -> Player:
    player = house.player("mona", 0)
    appoint(player, "managers")
    return player


def form(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"name": "Evening", "kind": "events", "reason": "for tonight"}
    for code, said in TEXTS.items():
        given |= {f"title_{code}": said["title"], f"text_{code}": said["text"]}
    return given | changes


def test_a_message_is_written_looked_at_and_sent(house: House, manager: Player) -> None:
    house.player("alice", 0)
    client = client_of(manager)
    answer = client.post(f"{OFFICE}new/", form(by_mail="on", games=["doudizhu"], away_max="30"))
    message = Message.objects.get()
    address = f"{OFFICE}{message.pk}/"
    assert answer["Location"] == address
    page = client.get(address).text
    assert "八點。" in page
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in page
    # Nobody has played.
    assert "matches nobody" in client.post(address, {"send": "1", "reason": "x"}).text
    edited = form(revision="1", planned_at="")
    assert client.post(f"{address}edit/", edited).status_code == 302
    assert client.post(address, {"send": "1", "reason": "go"}).status_code == 302
    message.refresh_from_db()
    assert message.state == Message.State.SENT
    assert client.get(OFFICE).status_code == 200
    assert client.post(address, {"stop": "1", "reason": "no"}).status_code == 302
    verbs = JournalEntry.objects.filter(verb__startswith="message.").order_by("position")
    assert list(verbs.values_list("verb", flat=True)) == [
        *("message.save", "message.save", "message.send", "message.stop")
    ]


@pytest.mark.always
def test_the_count_and_ten_examples_follow_the_segment(house: House, manager: Player) -> None:
    for number in range(12):
        house.player(f"player{number}", 0)
    client, address = client_of(manager), f"{OFFICE}segment/"
    page = client.get(address, {"kind": "news"}).text
    assert "<b>12</b>" in page
    assert page.count("/admin/players/") == 10
    none = client.get(address, {"kind": "news", "languages": ["zh-hans"]}).text
    assert "matches nobody" in none
    bad = client.get(address, {"kind": "news", "away_min": "9", "away_max": "3"}).text
    assert "ends before its start" in bad


def test_a_message_to_many_is_approved_on_its_page(
    house: House, manager: Player, settings: Any
) -> None:
    settings.MESSAGES_FREELY = 0
    house.player("alice", 0)
    message = drafted(manager, house.now)
    address = f"{OFFICE}{message.pk}/"
    client_of(manager).post(address, {"send": "1", "reason": "go"})
    assert Proposal.objects.get().verb == "message.send"
    assert "Approve and send" not in client_of(manager).get(address).text
    second = house.player("nora", 0)
    appoint(second, "managers")
    assert "Approve and send" in client_of(second).get(address).text
    client_of(second).post(address, {"approve": "1", "reason": "yes"})
    message.refresh_from_db()
    assert message.state == Message.State.SENT


@pytest.mark.always
def test_another_change_since_is_refused(house: House, manager: Player) -> None:
    house.player("alice", 0)
    message = drafted(manager, house.now)
    client, address = client_of(manager), f"{OFFICE}{message.pk}/edit/"
    assert client.post(address, form(name="One", revision="1")).status_code == 302
    answer = client.post(address, form(name="Two", revision="1"))
    assert "A colleague has changed this draft" in answer.text
    message.refresh_from_db()
    assert message.name == "One"


def test_a_draft_is_discarded(house: House, manager: Player) -> None:
    message = drafted(manager, house.now)
    client_of(manager).post(f"{OFFICE}{message.pk}/", {"discard": "1", "reason": "no"})
    assert not Message.objects.exists()


def test_the_list_compares_with_who_was_held_out(house: House, manager: Player) -> None:
    for number in range(10):
        reads_mail(house.player(f"player{number}", 0))
    message = sent(manager, house.now, by_mail=True)
    run(house.now)
    page = client_of(manager).get(f"{OFFICE}{message.pk}/").text
    assert "Came back without it" in page
    assert '<td class="number">9</td>' in page.replace("\n", "").replace("<td    c", "<td c")


# Reports by mail


def chosen(member: Player, house: House, *kinds: str, language: str = "en") -> ReportMail:
    return letters.choose(member, "mona@example.org", language, set(kinds), house.now)


def test_yesterday_comes_once_in_the_morning(
    house: House, manager: Player, mailoutbox: list[EmailMessage]
) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.until(table, lambda table: table.hand_id is None)
    chosen(manager, house, "yesterday")
    keep(HouseContent(name={"en": "Harbour Club"}))
    morning = house.now + timedelta(days=1)
    assert [letters.enqueue_yesterday(morning) for _ in range(2)] == [1, 0]
    assert [run(morning), run(morning)] == [1, 0]
    (letter,) = mailoutbox
    assert "Hands: 1 (a week before: 0)" in letter.body
    assert "Players: 3" in letter.body
    assert not [name for name in ("alice", "bob", "carol") if name in letter.body]
    assert str(day_of(house.now).year) in letter.subject
    assert "Harbour Club" in letter.subject


@pytest.mark.always
def test_an_alarm_comes_once_to_who_may_see_it(
    house: House, manager: Player, mailoutbox: list[EmailMessage]
) -> None:
    chosen(manager, house, "alarms", language="zh-hans")
    later = house.now + timedelta(seconds=9)
    Alarm.objects.create(
        kind="stuck", subject="table:1", figures={"table": "Table 1", "seconds": 9},
        raised_at=later,
    )  # fmt: skip
    assert [letters.enqueue_alarms(later) for _ in range(2)] == [1, 0]
    assert run(later) == 1
    assert "Table 1" in mailoutbox[0].body
    Player.objects.filter(pk=manager.pk).update(is_staff=False)
    manager.groups.clear()
    Alarm.objects.create(kind="stuck", subject="table:2", figures={}, raised_at=later)
    letters.enqueue_alarms(later)
    run(later)
    assert len(mailoutbox) == 1


@pytest.mark.always
def test_a_role_that_was_lost_gets_nothing(
    house: House, manager: Player, mailoutbox: list[EmailMessage]
) -> None:
    chosen(manager, house, "yesterday")
    letters.enqueue_yesterday(house.now)
    appoint(manager, "cashiers")
    assert run(house.now) == 0
    assert mailoutbox == []


def test_staff_choose_their_reports(house: House, manager: Player) -> None:
    client = client_of(manager)
    given = {"address": "mona@example.org", "language": "en", "kinds": ["yesterday", "alarms"]}
    assert client.post("/admin/report-mail/", given).status_code == 302
    row = ReportMail.objects.get()
    assert (row.member, row.address, row.yesterday, row.alarms) == (
        manager, "mona@example.org", True, True,
    )  # fmt: skip
    assert "mona@example.org" in client.get("/admin/report-mail/").text
    client.post("/admin/report-mail/", given | {"kinds": []})
    assert letters.enqueue_yesterday(house.now) == 0
    wrong = client.post("/admin/report-mail/", given | {"address": "nobody"})
    assert wrong.status_code == 200
    technician = house.player("tina", 0)
    appoint(technician, "technicians")
    with pytest.raises(Refused):
        chosen(technician, house, "yesterday")
