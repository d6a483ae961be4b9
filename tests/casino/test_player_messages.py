"""Messages: who approves them, whom they reach, and that each thing is sent once."""

import re
import smtplib
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Device, Player
from casino.care import exclusions
from casino.care.models import Exclusion
from casino.community.messages import letters, outbox, segments, wishes
from casino.community.messages.models import Message, OptOut, Recipient, Sending
from casino.community.messages.office import drafts, publishing
from casino.community.messages.office.pages import figures_of
from casino.community.messages.segments import Segment
from casino.community.promotions.books import visibility
from tests.casino.message_scene import (
    HOUR,
    TEXTS,
    content,
    drafted,
    reads_mail,
    run,
    sent,
    server_that_raises,
    states,
    submitted,
)
from tests.casino.push_scene import subscribed
from tests.casino.push_service import PushService
from tests.games.house import House
from tests.people import client_of
from wallets.staff import approvals
from wallets.values.errors import Refused
from wallets.values.house import HouseContent, keep

INBOX = "/players/messages/"


@pytest.fixture
def boss(db: None, settings: Any) -> Player:
    settings.MAIL_LINKS_TO = "https://club.example"
    return Player.objects.create_superuser("boss")


@pytest.fixture
def alice(house: House, boss: Player) -> Player:
    return house.player("alice", 0)


# Approval


def test_a_message_to_many_needs_a_second_person(
    house: House, boss: Player, alice: Player, settings: Any
) -> None:
    settings.MESSAGES_FREELY = 0
    message = drafted(boss, house.now)
    proposal = submitted(boss, message, house.now)
    outbox.gather(house.now)
    assert not Recipient.objects.exists()
    other = Player.objects.create_superuser("other")
    with pytest.raises(Refused, match="colleague"):
        approvals.approve(boss, proposal.pk, reason="x", now=house.now)
    with pytest.raises(Refused, match="no longer be changed"):
        drafts.save(boss, content(), number=message.pk, revision=1, reason="x", now=house.now)
    approvals.approve(other, proposal.pk, reason="x", now=house.now)
    outbox.gather(house.now)
    assert Recipient.objects.get().player == alice


@pytest.mark.always
def test_a_rejected_message_is_a_draft_again(
    house: House, boss: Player, alice: Player, settings: Any
) -> None:
    settings.MESSAGES_FREELY = 0
    message = drafted(boss, house.now)
    proposal = submitted(boss, message, house.now)
    other = Player.objects.create_superuser("other")
    approvals.reject(other, proposal.pk, reason="x", now=house.now)
    message.refresh_from_db()
    assert message.state == Message.State.DRAFT
    changed = content(name="Better")
    drafts.save(boss, changed, number=message.pk, revision=1, reason="x", now=house.now)
    assert submitted(boss, message, house.now) is not None


def test_a_planned_message_waits_for_its_time(house: House, boss: Player, alice: Player) -> None:
    sent(boss, house.now, planned_at=house.now + HOUR)
    assert not Recipient.objects.exists()
    outbox.gather(house.now + HOUR)
    assert Recipient.objects.get().at == house.now + HOUR


# The inbox


def test_the_inbox_has_the_message_in_the_language_of_its_reader(
    house: House, boss: Player, alice: Player
) -> None:
    message = sent(boss, house.now)
    client = client_of(alice)
    address = reverse("message-read", args=[message.pk])
    assert "A message that you have not read" in client.get("/lobby/").text
    assert address in client.get(INBOX).text
    page = client.get(address, headers={"Accept-Language": "zh-hant"}).text
    assert "八點。" in page
    assert "A message that you have not read" not in client.get("/lobby/").text
    assert figures_of(message).opened == 1


def _switched_off(player: Player, house: House) -> None:
    visibility.set_hidden(player, is_hidden=True)


def _on_a_break(player: Player, house: House) -> None:
    exclusions.begin(player, "time_out", 7, timezone.now())


@pytest.mark.parametrize("change", [_switched_off, _on_a_break])
def test_who_takes_a_break_sees_no_promotion_in_the_inbox(
    house: House, boss: Player, alice: Player, change: Any
) -> None:
    message = sent(boss, house.now, kind="promotions")
    address = reverse("message-read", args=[message.pk])
    client = client_of(alice)
    assert address in client.get(INBOX).text
    change(alice, house)
    client = client_of(Player.objects.get(pk=alice.pk))
    assert "A message that you have not read" not in client.get("/lobby/").text
    assert address not in client.get(INBOX).text
    assert client.get(address).status_code == 404
    other = sent(boss, house.now, kind="news") if change is _switched_off else None
    assert other is None or reverse("message-read", args=[other.pk]) in client.get(INBOX).text


@pytest.mark.always
def test_nobody_else_reads_it(house: House, boss: Player, alice: Player) -> None:
    message = sent(boss, house.now)
    bob = house.player("bob", 0)
    address = reverse("message-read", args=[message.pk])
    assert client_of(bob).get(address).status_code == 404
    assert client_of(boss).get(INBOX).status_code == 404
    assert Client().get(address).status_code == 302
    assert message.title not in client_of(bob).get(INBOX).text


@pytest.mark.always
def test_a_tenth_is_held_out_and_gets_nothing(house: House, boss: Player) -> None:
    players = [house.player(f"player{number}", 0) for number in range(20)]
    for player in players:
        reads_mail(player)
    message = sent(boss, house.now, by_mail=True)
    held_out = Recipient.objects.filter(is_held_out=True)
    assert (held_out.count(), Sending.objects.count()) == (2, 18)
    apart = held_out[0].player
    assert message.title not in client_of(apart).get(INBOX).text
    address = reverse("message-read", args=[message.pk])
    assert client_of(apart).get(address).status_code == 404
    # They are the same however often one asks.
    numbers = [player.pk for player in players]
    assert outbox.held_out_of(message.pk, reversed(numbers)) == {row.player_id for row in held_out}


def test_a_player_gets_so_many_messages_a_week(
    house: House, boss: Player, alice: Player, settings: Any
) -> None:
    settings.MESSAGES_A_WEEK = 2
    for _ in range(3):
        sent(boss, house.now)
    assert Recipient.objects.filter(player=alice).count() == 2
    sent(boss, house.now + timedelta(days=8))
    assert Recipient.objects.filter(player=alice).count() == 3


def test_who_comes_back_within_three_days_is_counted(
    house: House, boss: Player, alice: Player
) -> None:
    message = sent(boss, house.now)
    device = Device.objects.create(
        player=alice, digest="x", signed_in_at=house.now, seen_at=house.now - HOUR
    )
    later = house.now + timedelta(days=2)
    assert outbox.note_returns(later) == 0
    Device.objects.filter(pk=device.pk).update(seen_at=later - HOUR)
    assert outbox.note_returns(later + timedelta(days=2)) == 0
    assert outbox.note_returns(later) == 1
    assert outbox.note_returns(later) == 0
    assert figures_of(message).sent.returned == 1


# The outbox


@pytest.fixture
def mail(house: House, boss: Player, alice: Player) -> Message:
    """A message that is to be mailed to Alice."""
    reads_mail(alice)
    return sent(boss, house.now, by_mail=True)


@pytest.mark.always
def test_a_mail_is_sent_once(house: House, mail: Message, mailoutbox: list[EmailMessage]) -> None:
    stale = Sending.objects.select_related("recipient__message", "recipient__player").get()
    outbox.gather(house.now)
    assert [run(house.now), run(house.now), outbox.attempt(stale, house.now)] == [1, 0, False]
    assert len(mailoutbox) == 1
    assert states() == ["sent"]


def test_mails_name_the_house_in_a_language_that_it_offers(
    house: House, mail: Message, mailoutbox: list[EmailMessage]
) -> None:
    keep(HouseContent(name={"en": "Harbour Club"}, languages=("en",)))
    Player.objects.filter(pk=Recipient.objects.get().player_id).update(language="zh-hans")
    run(house.now)
    assert "You asked Harbour Club for messages by mail." in mailoutbox[0].body


@pytest.mark.always
def test_what_a_dying_worker_had_claimed_is_not_sent_again(
    house: House, boss: Player, mail: Message, mailoutbox: list[EmailMessage]
) -> None:
    """Whether it arrived is not known; the next worker sends the rest."""
    bob = house.player("bob", 0)
    reads_mail(bob)
    sent(boss, house.now, by_mail=True)
    with server_that_raises(KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
        run(house.now)
    assert states()[0] == "claimed"
    run(house.now + HOUR)
    assert states()[0] == "claimed"
    assert set(states()[1:]) == {"sent"}
    assert len(mailoutbox) == len(states()) - 1


@pytest.mark.always
def test_what_the_server_refused_is_tried_again(
    house: House, mail: Message, mailoutbox: list[EmailMessage]
) -> None:
    busy = smtplib.SMTPRecipientsRefused({"alice@example.org": (451, b"later")})
    with server_that_raises(busy):
        run(house.now)
        assert (states(), run(house.now)) == (["failed"], 0)
    assert run(house.now + HOUR) == 1
    assert states() == ["sent"]
    assert len(mailoutbox) == 1


@pytest.mark.parametrize(
    "problem",
    [smtplib.SMTPRecipientsRefused({"x": (550, b"no")}), smtplib.SMTPDataError(554, b"no")],
)
def test_what_is_refused_for_good_is_given_up(
    house: House, mail: Message, problem: Exception
) -> None:
    with server_that_raises(problem) as server:
        for hours in range(20):
            run(house.now + hours * HOUR)
    assert (states(), server.call_count) == (["failed"], 1)


def test_a_server_that_stays_down_is_given_up_after_some_attempts(
    house: House, mail: Message
) -> None:
    with server_that_raises(ConnectionRefusedError()) as server:
        for minutes in range(200):
            run(house.now + timedelta(minutes=minutes))
    assert (states(), server.call_count) == (["failed"], outbox.ATTEMPTS_MAX)


def test_an_answer_that_never_came_is_not_asked_for_again(house: House, mail: Message) -> None:
    with server_that_raises(TimeoutError()) as server:
        run(house.now)
        run(house.now + HOUR)
    assert (states(), server.call_count) == (["claimed"], 1)


def test_nothing_is_sent_in_quiet_hours(
    house: House, mail: Message, mailoutbox: list[EmailMessage], settings: Any
) -> None:
    """It is noon in the house's clock of UTC, and eight in the evening in Macau."""
    settings.HOUSE_ZONE, settings.QUIET_HOURS = "Asia/Macau", (20, 9)
    assert run(house.now) == 0
    assert run(house.now + 12 * HOUR) == 0
    assert mailoutbox == []
    assert run(house.now + 13 * HOUR) == 1


@pytest.mark.always
@pytest.mark.parametrize(
    ("hours", "hour", "until"),
    [((22, 8), 23, 8), ((22, 8), 7, 8), ((22, 8), 8, None), ((22, 8), 21, None),
     ((1, 5), 3, 5), ((1, 5), 5, None), ((0, 0), 3, None), ((22, 0), 23, 0)],
)  # fmt: skip
def test_the_end_of_quiet_hours(
    house: House, settings: Any, hours: tuple[int, int], hour: int, until: int | None
) -> None:
    settings.QUIET_HOURS = hours
    now = house.now.replace(hour=hour, minute=30)
    ends = outbox.quiet_until(now)
    assert (ends and ends.hour) == until
    assert ends is None or timedelta() < ends - now < timedelta(days=1)


def _excluded(player: Player, message: Message, house: House) -> None:
    Exclusion.objects.create(player=player, kind="time_out", begins_at=house.now, until=None)


def _left(player: Player, message: Message, house: House) -> None:
    wishes.leave(player.pk, "events")


def _frozen(player: Player, message: Message, house: House) -> None:
    Player.objects.filter(pk=player.pk).update(is_active=False)


def _no_address(player: Player, message: Message, house: House) -> None:
    Player.objects.filter(pk=player.pk).update(email="")


def _no_mail(player: Player, message: Message, house: House) -> None:
    wishes.choose(player, wishes.wanted(player), by_mail=False)


def _stopped(player: Player, message: Message, house: House) -> None:
    boss = Player.objects.get(username="boss")
    publishing.stop(boss, message.pk, reason="x", now=house.now)


@pytest.mark.always
@pytest.mark.parametrize("change", [_excluded, _left, _frozen, _no_address, _no_mail, _stopped])
def test_who_went_away_since_gets_no_mail(
    house: House, mail: Message, alice: Player, mailoutbox: list[EmailMessage], change: Any
) -> None:
    change(alice, mail, house)
    assert run(house.now) == 0
    assert mailoutbox == []
    assert states() in (["dropped"], ["failed"])
    run(house.now + 20 * HOUR)
    assert mailoutbox == []


@pytest.mark.always
def test_a_message_is_a_notification_where_its_player_has_subscribed(
    house: House, boss: Player, alice: Player, service: PushService
) -> None:
    _client, browser = subscribed(house, "alice", service)
    message = sent(boss, house.now, by_push=True)
    assert run(house.now) == 1
    page = reverse("message-read", args=[message.pk])
    assert service.read_by(browser) == [{"words": "Tonight", "page": page}]
    # A browser that is off until the night rings no more.
    assert 9 * 3600 < int(service.received[0][1]["TTL"]) <= 10 * 3600
    assert figures_of(message).channels[0][1][0] == 1


# The way out


@pytest.mark.always
def test_a_mail_has_a_way_out_in_one_press(
    house: House, mail: Message, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    """RFC 8058: the mail program posts to the address of the header, without any cookie."""
    run(house.now)
    (letter,) = mailoutbox
    assert letter.to == ["alice@example.org"]
    heads = letter.message()
    assert heads["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    out = re.fullmatch(r"<https://club.example(/\S+)>", heads["List-Unsubscribe"])
    assert out is not None
    assert out[1] in letter.body
    program = Client(enforce_csrf_checks=True)
    assert program.get(out[1]).status_code == 200
    assert not OptOut.objects.exists()
    for _ in range(2):
        given = {"List-Unsubscribe": "One-Click"}
        assert program.post(out[1], given).status_code == 200
    assert OptOut.objects.get().kind == "events"
    assert not segments.reachable("events", house.now).filter(pk=alice.pk).exists()
    assert segments.reachable("news", house.now).filter(pk=alice.pk).exists()


@pytest.mark.parametrize("code", ["x", "WzEsImV2ZW50cyJd:1abc:x"])
def test_a_link_that_the_house_did_not_write_does_nothing(alice: Player, code: str) -> None:
    assert Client().post(reverse("messages-leave", args=[code])).status_code == 404
    assert not OptOut.objects.exists()


def test_nobody_gets_mail_who_has_not_asked_for_it(
    house: House, boss: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    """An address of an account is there for its owner's own letters."""
    Player.objects.filter(pk=alice.pk).update(email="alice@example.org")
    sent(boss, house.now, by_mail=True)
    assert run(house.now) == 0
    client = client_of(alice)
    assert "alice@example.org" in client.get(INBOX).text
    client.post(f"{INBOX}choose/", {"kind": ["events"], "by_mail": "on"})
    sent(boss, house.now, by_mail=True)
    assert run(house.now) == 1
    assert mailoutbox[0].to == ["alice@example.org"]


def test_a_player_chooses_kinds_and_has_them_in_their_data(
    house: House, boss: Player, alice: Player
) -> None:
    client_of(alice).post(f"{INBOX}choose/", {"kind": ["news"]})
    assert set(OptOut.objects.values_list("kind", flat=True)) == {"events", "promotions"}
    with pytest.raises(Refused, match="matches nobody"):
        sent(boss, house.now)
    client_of(alice).post(f"{INBOX}choose/", {"kind": ["news", "events", "promotions"]})
    sent(boss, house.now)
    reads_mail(alice)
    known = list(wishes.rows(alice))
    assert {"by_mail": True} in known
    assert any(row.get("message") == "Tonight" for row in known)
    wishes.forget(alice)
    assert list(wishes.rows(alice)) == [{"by_mail": False}]


# Refusals


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": ""}, "message_name"),
        ({"kind": "spam"}, "no_such_kind"),
        ({"texts": {"en": TEXTS["en"]}}, "message_language"),
        ({"texts": TEXTS | {"en": {"title": "x" * 81, "text": "x"}}}, "message_length"),
        ({"page": "admin:index"}, "message_page"),
        ({"planned_at": "before"}, "planned_past"),
        ({"segment": Segment(away_min=9, away_max=3)}, "segment_range"),
    ],
)
def test_what_cannot_be_sent_is_refused(
    house: House, boss: Player, changes: dict[str, Any], code: str
) -> None:
    if "planned_at" in changes:
        changes = {"planned_at": house.now - HOUR}
    with pytest.raises(Refused) as refused:
        drafted(boss, house.now, **changes)
    assert refused.value.code == code
    assert not Message.objects.exists()


def test_a_mail_without_a_way_out_is_refused(
    house: House, boss: Player, alice: Player, settings: Any
) -> None:
    settings.MAIL_LINKS_TO = ""
    with pytest.raises(Refused) as refused:
        drafted(boss, house.now, by_mail=True)
    assert refused.value.code == "no_way_out"


def test_a_segment_that_matches_nobody_is_not_sent(house: House, boss: Player) -> None:
    message = drafted(boss, house.now)
    with pytest.raises(Refused) as refused:
        submitted(boss, message, house.now)
    assert refused.value.code == "nobody_there"


@pytest.mark.parametrize("address", ["x", "a@b", "a b@example.org", "a@example.org\nBcc: b@c.de"])
def test_what_is_no_address_is_refused(house: House, alice: Player, address: str) -> None:
    with pytest.raises(Refused) as refused:
        letters.checked(address)
    assert refused.value.code == "mail_address"


def test_a_line_break_in_a_title_begins_no_header(
    house: House, boss: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    reads_mail(alice)
    texts = TEXTS | {"en": {"title": "Tonight\r\nBcc: x@example.org", "text": "At eight."}}
    sent(boss, house.now, by_mail=True, texts=texts)
    run(house.now)
    assert mailoutbox[0].message()["Bcc"] is None
