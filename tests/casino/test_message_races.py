"""Messages that several workers, or a player and a worker, take up at the same moment."""

from typing import Any

import pytest
from django.core.mail import EmailMessage

from casino.accounts.models import Player
from casino.community.messages import letters, outbox, wishes
from casino.community.messages.models import Recipient, ReportMail, Sending
from casino.community.messages.office import publishing
from tests.casino.message_scene import drafted, reads_mail, run, states, submitted
from tests.games.house import House
from tests.games.simultaneous import at_once
from wallets.values.errors import Refused

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def boss(transactional_db: None, settings: Any) -> Player:
    settings.MAIL_LINKS_TO = "https://club.example"
    return Player.objects.create_superuser("boss")


@pytest.fixture
def alice(house: House, boss: Player) -> Player:
    player = house.player("alice", 0)
    reads_mail(player)
    return player


def test_two_workers_take_a_message_down_once_and_send_it_once(
    house: House, boss: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    message = drafted(boss, house.now, by_mail=True)
    submitted(boss, message, house.now)
    at_once(*[lambda: outbox.gather(house.now)] * 3)
    assert Recipient.objects.filter(player=alice).count() == Sending.objects.count() == 1
    at_once(*[lambda: run(house.now)] * 3)
    assert (len(mailoutbox), states()) == (1, ["sent"])


def test_two_messages_at_once_keep_to_the_share_of_a_week(
    house: House, boss: Player, alice: Player, settings: Any
) -> None:
    settings.MESSAGES_A_WEEK = 1
    for name in ("One", "Two"):
        submitted(boss, drafted(boss, house.now, name=name), house.now)
    at_once(*[lambda: outbox.gather(house.now)] * 2)
    assert Recipient.objects.filter(player=alice).count() == 1


def test_a_way_out_pressed_beside_a_worker_is_kept(
    house: House, boss: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    submitted(boss, drafted(boss, house.now, by_mail=True), house.now)
    leave = lambda: wishes.leave(alice.pk, "events")  # noqa: E731
    at_once(leave, leave, lambda: outbox.gather(house.now), lambda: run(house.now))
    assert wishes.wanted(alice) == {"news", "promotions"}
    assert wishes.wants_mail(alice)
    sent_before = len(mailoutbox)
    run(house.now)
    assert len(mailoutbox) == sent_before <= 1


def test_a_message_is_stopped_or_sent(
    house: House, boss: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    message = drafted(boss, house.now, by_mail=True)
    submitted(boss, message, house.now)
    outbox.gather(house.now)

    def stop() -> None:
        publishing.stop(boss, message.pk, reason="a test", now=house.now)

    codes = at_once(stop, stop, lambda: run(house.now))
    assert codes[:2].count("not_sent") == 1
    with pytest.raises(Refused):
        stop()
    assert len(mailoutbox) == states().count("sent") <= 1
    assert run(house.now) == 0


def test_yesterday_is_enqueued_once(house: House, boss: Player) -> None:
    letters.choose(boss, "boss@example.org", "en", {"yesterday"}, house.now)
    at_once(*[lambda: letters.enqueue_yesterday(house.now)] * 3)
    assert ReportMail.objects.count() == Sending.objects.count() == 1
