"""Webhooks: what happens is told once it is committed, signed, until it has arrived."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.care import exclusions
from casino.office.alarms.conditions import CONDITIONS, Moment
from casino.office.alarms.models import Alarm
from casino.office.hooks import sending, verbs
from casino.office.hooks.models import Endpoint, Happening, Sending
from casino.office.hooks.sending import KINDS
from games.models import Hand
from tests.casino.push_service import PushService, push_service
from tests.games.house import House
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry
from wallets.money import cashier
from wallets.staff import approvals
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db

# The example of the standard, whose signature its own libraries give.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Receiver:
    """A program that listens, and the house that tells it."""

    def __init__(self, server: PushService) -> None:
        self.server, self.now = server, timezone.now()
        self.boss, self.other = (Player.objects.create_user(name) for name in ("boss", "other"))
        for member in (self.boss, self.other):
            appoint(member, "managers")
        self.boss, self.other = (
            Player.objects.get(pk=self.boss.pk),
            Player.objects.get(pk=self.other.pk),
        )

    def subscribe(self, *kinds: str, name: str = "crm", address: str = "") -> Endpoint:
        address = address or f"{self.server.address}/{name}"
        arguments = {"name": name, "kinds": list(kinds), "address": address}
        submitted = approvals.submit(
            self.boss, "hook.subscribe", arguments, reason="x", key=uuid4(), now=self.now
        )
        if submitted.proposal is not None:
            approvals.approve(self.other, submitted.proposal.pk, reason="yes", now=self.now)
        return Endpoint.objects.get(name=name)

    def tell(self, **later: float) -> int:
        """The periodic task, some time later."""
        self.now += timedelta(**(later or {"seconds": 1}))
        sending.look(self.now)
        return sending.send_due(self.now)

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _path, _headers, body in self.server.received]

    def kinds(self) -> list[str]:
        return [str(message["type"]) for message in self.told()]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PushService, str]]:
    folder = tmp_path_factory.mktemp("hooks")
    with push_service(folder) as running:
        yield running, str(folder / "push_service.pem")


@pytest.fixture
def receiver(db: None, server: tuple[PushService, str], settings: Any) -> Iterator[Receiver]:
    running, settings.HOOKS_TEST_CERTIFICATE = server
    running.status, running.drip = 204, b""
    running.received.clear()
    yield Receiver(running)
    running.released.set()
    running.released.clear()


def pay(kind: str = "deposit", amount: int = 500) -> None:
    """Bob pays in at the desk, or is paid out."""
    euro, _made = Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
    bob, _made = Player.objects.get_or_create(username="bob", username_key="bob")
    verb = cashier.deposit if kind == "deposit" else cashier.withdraw
    verb(f"player:{bob.pk}", euro, amount, key=uuid4(), actor="test", reason="test")


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.code == code


# Each case returns how many messages have arrived in the end, and how many were made.


def once(receiver: Receiver) -> tuple[int, int]:
    pay()
    receiver.tell()
    receiver.tell()
    return 1, 1


def rolled_back(receiver: Receiver) -> tuple[int, int]:
    """What did not happen is not told."""
    with transaction.atomic():
        pay()
        transaction.set_rollback(True)
    receiver.tell()
    return 0, 0


def committed_late(receiver: Receiver) -> tuple[int, int]:
    """A row that is committed after the look that should have found it is found by the next."""
    receiver.tell(minutes=1)
    pay()
    receiver.tell()
    return 1, 1


def away_for_an_hour(receiver: Receiver) -> tuple[int, int]:
    receiver.server.status = 503
    pay()
    for _time in range(4):
        receiver.tell(minutes=15)
    receiver.server.received.clear()
    receiver.server.status = 204
    receiver.tell(hours=2)
    return 1, 1


def answered_by_a_redirect(receiver: Receiver) -> tuple[int, int]:
    """It is not followed, and counts as no arrival."""
    receiver.server.status = 302
    pay()
    receiver.tell()
    assert Sending.objects.get().delivered_at is None
    receiver.server.received.clear()
    return 0, 1


def gone(receiver: Receiver) -> tuple[int, int]:
    receiver.server.status = 410
    pay()
    receiver.tell()
    assert Sending.objects.get().is_given_up
    receiver.tell(days=2)
    receiver.server.received.clear()
    return 0, 1


def given_up_and_replayed(receiver: Receiver) -> tuple[int, int]:
    receiver.server.status = 500
    pay()
    for _time in range(12):
        receiver.tell(days=2)
    assert Sending.objects.get().is_given_up
    assert len(receiver.server.received) == len(sending.WAITS) + 1
    assert [*CONDITIONS["hook_given_up"].find(Moment(receiver.now, receiver.now))]
    receiver.server.received.clear()
    receiver.server.status = 204
    verbs.replay(receiver.boss, Sending.objects.get().pk, receiver.now)
    receiver.tell()
    return 1, 1


def two_processes_at_once(receiver: Receiver) -> tuple[int, int]:
    pay()
    sending.look(receiver.now)
    first, second = (Sending.objects.select_related("endpoint", "happening").get() for _ in "12")
    assert sending.attempt(first, receiver.now)
    assert not sending.attempt(second, receiver.now)
    return 1, 1


def looked_for_twice(receiver: Receiver) -> tuple[int, int]:
    pay()
    assert sending.look(receiver.now) == 1
    assert sending.look(receiver.now) == 0
    receiver.tell()
    return 1, 1


def ended(receiver: Receiver) -> tuple[int, int]:
    """What was on its way is not sent any more."""
    pay()
    sending.look(receiver.now)
    verbs.end(receiver.boss, Endpoint.objects.get().pk, "no longer used", receiver.now)
    receiver.tell()
    return 0, 1


def leads_inside(receiver: Receiver) -> tuple[int, int]:
    """A name that leads into the house by now is not called."""
    pay()
    with override_settings(HOOKS_TEST_CERTIFICATE=""):
        receiver.tell()
    assert Sending.objects.get().status == 0
    return 0, 1


def hangs(receiver: Receiver) -> tuple[int, int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "SECONDS_MAX", 0.2)
        receiver.server.status = None
        pay()
        receiver.tell()
    receiver.server.received.clear()
    return 0, 1


CASES: tuple[Callable[[Receiver], tuple[int, int]], ...] = (
    once,
    rolled_back,
    committed_late,
    away_for_an_hour,
    answered_by_a_redirect,
    gone,
    given_up_and_replayed,
    two_processes_at_once,
    looked_for_twice,
    ended,
    leads_inside,
    hangs,
)


@pytest.mark.postgresql
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_none_is_lost_and_none_is_invented(
    receiver: Receiver, case: Callable[[Receiver], tuple[int, int]]
) -> None:
    receiver.subscribe("deposit")
    arrived, made = case(receiver)
    assert len(receiver.server.received) == arrived
    assert Happening.objects.count() == made
    assert len({headers["webhook-id"] for _p, headers, _b in receiver.server.received}) == arrived


def test_a_receiver_that_is_away_keeps_no_other_waiting(receiver: Receiver) -> None:
    """One attempt a run is made with it, however many messages wait."""
    receiver.subscribe("deposit", name="away", address="https://127.0.0.1:9/away")
    receiver.subscribe("deposit")
    for _number in range(60):
        pay()
    assert receiver.tell() == 50
    assert receiver.tell() == 10
    tried = Sending.objects.filter(endpoint__name="away", attempts__gt=0)
    assert tried.count() == 2
    verbs.end(receiver.boss, Endpoint.objects.get(name="away").pk, "gone", receiver.now)
    assert not Sending.objects.filter(endpoint__name="away", next_at__isnull=False).exists()


def test_the_signature_is_that_of_the_standard() -> None:
    body = b'{"test": 2432232314}'
    signed = sending.signature_of(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_each_message_is_signed_with_the_secret_of_its_endpoint(receiver: Receiver) -> None:
    endpoint = receiver.subscribe("deposit")
    pay(amount=700)
    receiver.tell()
    ((path, headers, body),) = receiver.server.received
    assert path == "/crm"
    signed = sending.signature_of(
        endpoint.secret, headers["webhook-id"], headers["webhook-timestamp"], body
    )
    assert headers["webhook-signature"] == signed
    (message,) = receiver.told()
    assert (message["type"], message["data"]["amount"]) == ("deposit", 700)


def test_every_kind_is_found(receiver: Receiver, house: House) -> None:
    receiver.now = house.now
    receiver.subscribe(*KINDS)
    table = house.dealt_in("chinese_poker", "alice", "carol", "dave")
    ended = Hand.objects.filter(table=table.pk, status=Hand.Status.FINISHED)
    house.until(table, lambda _table: ended.exists())
    pay()
    pay("withdrawal", 100)
    bob = Player.objects.get(username="bob")
    freezing.freeze(receiver.boss, bob.pk, "a test")
    exclusions.begin(house.person("alice"), "time_out", 1, timezone.now())
    Alarm.objects.create(kind="stuck", subject="table:1", raised_at=timezone.now())
    receiver.now = max(house.now, timezone.now())
    receiver.tell()
    # A tournament is found as a hand is, by its end: the scene of events is another file's.
    assert set(receiver.kinds()) == set(KINDS) - {"event.finished"}
    assert "card" not in json.dumps([message["data"] for message in receiver.told()])


def test_only_what_happened_since_is_told(receiver: Receiver) -> None:
    pay()
    receiver.now = timezone.now() + timedelta(minutes=5)
    receiver.subscribe("deposit")
    receiver.tell()
    assert receiver.told() == []


@pytest.mark.always
def test_what_says_something_about_players_takes_two(receiver: Receiver) -> None:
    arguments = {"name": "x", "address": f"{receiver.server.address}/x"}
    for kinds, waits in ((["alarm.raised", "hand.finished"], False), (["deposit"], True)):
        submitted = approvals.submit(
            receiver.boss, "hook.subscribe", {**arguments, "name": kinds[0], "kinds": kinds},
            reason="x", key=uuid4(), now=receiver.now,
        )  # fmt: skip
        assert bool(submitted.proposal) is waits


@pytest.mark.always
@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://10.0.0.7/x",
        "https://localhost/x",
        "https://user:word@hooks.example/x",
        "https://hooks.example/x?token=secret",
        "https://hooks.example:8443/x",
        "https://hooks.example/x#part",
        "ftp://hooks.example",
        "",
    ],
)
def test_an_address_leads_outside_and_holds_no_secret(
    receiver: Receiver, settings: Any, address: str
) -> None:
    settings.HOOKS_TEST_CERTIFICATE = ""
    arguments = {"name": "x", "address": address, "kinds": ["hand.finished"]}
    verb = verbs.Subscribe()
    refused("hook_address", lambda: verb.check(arguments))
    assert verb.check({**arguments, "address": "https://hooks.example/x"})


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


@pytest.mark.always
def test_the_office_adds_sees_and_ends(receiver: Receiver) -> None:
    boss = client_of(receiver.boss)
    given = {
        "name": "lobby", "address": f"{receiver.server.address}/lobby", "kinds": ["alarm.raised"],
        "reason": "a display",
    }  # fmt: skip
    assert boss.post("/admin/hooks/new/", given).status_code == 302
    endpoint = Endpoint.objects.get()
    Alarm.objects.create(kind="stuck", subject="table:1", raised_at=timezone.now())
    receiver.now = timezone.now()
    receiver.tell()
    address = f"/admin/hooks/{endpoint.pk}/"
    page = boss.get(address).text
    assert "alarm.raised" in page
    assert endpoint.secret not in page
    assert endpoint.secret in boss.post(address, {"show": "1"}).text
    number = Sending.objects.get().pk
    assert boss.post(address, {"again": str(number)}).status_code == 302
    receiver.now = timezone.now()
    receiver.tell()
    assert len(receiver.server.received) == 2
    boss.post(address, {"end": "1", "reason": "the display is gone"})
    assert Endpoint.objects.get().ended_at
    written = JournalEntry.objects.filter(verb__startswith="hook.").order_by("position")
    assert list(written.values_list("verb", flat=True)) == [
        *("hook.subscribe", "hook.show_secret", "hook.replay", "hook.end"),
    ]


def test_who_sees_webhooks(receiver: Receiver) -> None:
    endpoint = receiver.subscribe("alarm.raised")
    for group, status in (("auditors", 200), ("cashiers", 403), ("technicians", 403)):
        member = Player.objects.create_user(f"of-{group}")
        appoint(member, group)
        client = client_of(Player.objects.get(pk=member.pk))
        assert client.get(f"/admin/hooks/{endpoint.pk}/").status_code == status
        if status == 200:
            answer = client.post(f"/admin/hooks/{endpoint.pk}/", {"show": "1"})
            assert endpoint.secret not in answer.content.decode()


def test_old_messages_are_forgotten(receiver: Receiver) -> None:
    receiver.subscribe("deposit")
    pay()
    receiver.tell()
    sending.forget_old(receiver.now + timedelta(days=29))
    assert Sending.objects.exists()
    sending.forget_old(receiver.now + timedelta(days=31))
    assert not Sending.objects.exists()
