"""A player with a file, and staff who read it and write there."""

from typing import Any, Final
from uuid import uuid4

from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.players import verbs
from casino.office.players.models import Check, Flag, Note
from games.tables import seating
from tests.games.house import House
from tests.people import client_of
from wallets.models import Currency
from wallets.models.staff_models import Proposal
from wallets.money import cashier
from wallets.staff import approvals

WHY: Final = "because of a test"


class Staff(dict[str, Player]):
    """One of each role, appointed when a test first speaks of them."""

    def __missing__(self, name: str) -> Player:
        group = "managers" if name == "second" else name
        appoint(Player.objects.create_user(f"one-{name}"), group)
        self[name] = Player.objects.get(username=f"one-{name}")
        return self[name]


class Scene:
    """Alice, whose file it is, and staff of every role."""

    def __init__(self) -> None:
        self.house = House()
        self.alice = self.make_alice()
        self.staff = Staff()
        self.euro = Currency.objects.create(code="EUR", name="Euro")
        self.now = timezone.now()

    def make_alice(self) -> Player:
        return Player.objects.create_user("alice")

    @property
    def second(self) -> Player:
        """Another manager, who approves."""
        return self.staff["second"]

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

    def propose(self, verb: str) -> Proposal:
        proposal = approvals.submit(
            self.staff["managers"],
            verb,
            {"player": self.alice.pk},
            reason=WHY,
            key=uuid4(),
            now=self.now,
        ).proposal
        assert proposal is not None
        return proposal

    def carry_out(self, verb: str) -> None:
        proposal = self.propose(verb)
        approvals.approve(self.second, proposal.pk, reason="yes", now=self.now)
        self.fresh()


class PlayedScene(Scene):
    """The same, after three people have played a hand at a table where they still sit."""

    def make_alice(self) -> Player:
        self.table = self.house.dealt_in("doudizhu", "alice", "bob", "carol")
        self.house.until(self.table, lambda table: table.hand_id is None)
        return self.house.person("alice")

    def leave(self) -> None:
        seating.leave(self.alice, self.table.pk, self.house.now)


def check(scene: Scene, **given: Any) -> Check:
    usual: dict[str, Any] = {
        "what": "age",
        "document": "passport",
        "reason": WHY,
        "now": scene.now,
    }
    return verbs.check(scene.staff["cashiers"], scene.alice.pk, **usual | given)


def flag(scene: Scene, group: str = "floor", kind: str = "watch", of: int = 0) -> Flag:
    return verbs.flag(scene.staff[group], of or scene.alice.pk, kind, WHY, scene.now)


def note(scene: Scene, text: str = "Prefers receipts.", group: str = "floor", of: int = 0) -> Note:
    return verbs.note(scene.staff[group], of or scene.alice.pk, text, scene.now)


def freeze(scene: Scene, days: int = 3, of: int = 0, **given: Any) -> Player:
    given = {"now": scene.now} | given
    return verbs.freeze(scene.staff["managers"], of or scene.alice.pk, WHY, days=days, **given)
