"""A house in which everything can be done that staff do, and the people who do it."""

from datetime import timedelta
from io import StringIO
from typing import Any, Final
from uuid import uuid4

from django.core.management import call_command
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.community.promotions.office import drafts as promotion_drafts
from casino.office.desk import requests, verbs
from casino.office.desk.models import Till
from casino.office.payments.models import Difference
from games.models import Hand
from games.profiles import drafts
from tests.casino.promotion_scene import drafted
from tests.casino.promotion_scene import published as promotion_published
from tests.games import payment_rows, profiles
from tests.games.house import House
from tests.games.payment_rows import payment_of
from tests.people import client_of, journal_staff
from tests.tournaments.events import Event, structure
from wallets.models import Currency
from wallets.models.staff_models import Proposal
from wallets.money import jackpots
from wallets.staff import approvals

WHY = "because of a test"
# Entries of the tests themselves, and of no verb of the house.
OF_TESTS: Final = "test."


class Scene:
    """A house in which everything can be done, and who does it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.dealt_in("chinese_poker", "alice", "bob", "carol")
        paid = Hand.objects.filter(status=Hand.Status.FINISHED, posting__isnull=False)
        house.until(self.table, lambda table: paid.exists() and table.hand_id is None)
        self.hand = paid.get()
        self.alice = house.person("alice")
        self.dora = Player.objects.create_user("dora")
        self.boss = Player.objects.create_superuser("boss")
        self.other = Player.objects.create_superuser("another-boss")
        self.auditor = house.player("ada", 0)
        appoint(self.auditor, "auditors")
        self.flo = house.player("flo", 0)
        appoint(self.flo, "floor")
        self.browser = client_of(self.boss, REMOTE_ADDR="192.0.2.7")
        self.euro = Currency.objects.create(code="EUR", name="Euro")
        self.pot = jackpots.create("Dragon", "progressive", self.euro, actor="o", seed=500)

    def make_desk(self) -> None:
        """A till with money in it, and a player who wants some of theirs."""
        self.till = Till.objects.create(name="Till 1")
        ends = {"source": verbs.OUTSIDE, "target": self.till.pk}
        brought = self.submit("desk.transfer", **ends, currency="PLAY", amount=50_000)
        now, key = timezone.now(), uuid4()
        approvals.approve(self.other, brought.pk, reason="x", now=now)
        self.request = requests.ask(self.alice, self.house.currency, 100, key=key, now=now)

    def make_payments(self) -> None:
        """Payments from outside in each state that staff decide, by state."""
        self.payments = {
            state: payment_of(self.alice, self.euro, *state) for state in payment_rows.STATES
        }
        self.difference = Difference.objects.create(
            provider="stripe", provider_reference="cs_9", what="not_here", there="500 EUR",
            found_at=timezone.now(),
        )  # fmt: skip

    def make_event(self) -> None:
        """An event of two players that runs, and that others may still enter."""
        self.event = Event(self.house)
        soon = self.house.now + timedelta(minutes=2)
        self.event.open(structure(late_registration_level=2), 2, starts_at=soon)
        self.event.until(self.event.is_running)

    def make_promotions(self) -> None:
        """A draft whose cost is known, a promotion that runs, and a second version in draft."""
        self.promotion_draft = drafted(self.other, "Draft")
        self.promotion, second = (
            promotion_published(self.other, self.boss, drafted(self.other, name))
            for name in ("Running", "Second")
        )
        self.promotion_second = promotion_drafts.begin_draft(
            self.other, second.pk, reason="x", now=timezone.now()
        )

    def make_live_hand(self) -> None:
        """A hand that runs at another table: the players of the first left while the event ran."""
        self.playing = self.house.dealt_in("chinese_poker", "rosa", "emil", "fred")

    def make_staff_known(self) -> None:
        """The journal says who is staff, as the audit asks."""
        journal_staff()

    def make_profiles(self) -> None:
        """A draft that is reckoned, a published version, and a second one in draft."""
        self.draft = profiles.draft(self.other, name="Draft")
        profiles.reckoned(self.draft)
        self.published, first = (
            profiles.published(self.other, self.boss, profiles.draft(self.other, name=name))
            for name in ("Published", "Second")
        )
        self.second = drafts.begin_draft(self.other, first.pk, reason="x", now=timezone.now())

    def post(self, address: str, **fields: Any) -> None:
        answer = self.browser.post(f"/admin/{address}", {"reason": WHY} | fields)
        assert answer.status_code == 302, answer.content.decode()[-3_000:]

    def submit(self, verb: str, **arguments: Any) -> Proposal:
        proposal = approvals.submit(
            self.boss, verb, arguments, reason=WHY, key=uuid4(), now=timezone.now()
        ).proposal
        assert proposal is not None
        return proposal

    def command(self, name: str, *options: str) -> None:
        by = ("--by", self.boss.username, "--why", WHY)
        call_command(name, *options, *by, stdout=StringIO())


# What a verb is about beside the scene, by the beginning of its name.
ABOUT: Final = {
    Scene.make_profiles: ("profile.", "table.add", "table.rules"),
    Scene.make_desk: ("desk.", "receipt.", "shift.", "till.", "withdrawal."),
    Scene.make_payments: ("payment.",),
    Scene.make_promotions: ("promotion.",),
    Scene.make_event: ("tournament.", "template.", "schedule.", "series.", "ticket."),
    Scene.make_live_hand: ("hand.void", "table.retry"),
    Scene.make_staff_known: ("command:audit",),
}
