"""Twenty tasks of a day in the office: what each takes, from the overview to done.

A click opens a link or presses a button; the search by Ctrl-K and Enter is one. What is typed is
not counted. Two people's clicks are added.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from django.db import transaction
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.desk.models import Receipt, Shift
from casino.office.players import verbs
from games.models import Hand, ProfileVersion
from tests.casino.desk_scene import Desk
from tests.casino.office_walk import Walk
from tests.games import profiles
from tests.games.house import House
from tests.games.staff_scene import Scene
from tests.people import client_of
from tests.tournaments.events import structure
from tournaments.models import Tournament
from tournaments.running import announcing
from wallets.models.staff_models import HouseLimit, Proposal
from wallets.values.days import ONE_DAY, day_of

pytestmark = pytest.mark.django_db
WHY: Final = "as asked"
CLICKS_MAX: Final = 5


class Office:
    """A house with something to do for each role, and a walk for each of its staff."""

    def __init__(self, scene: Scene, people: dict[str, Player]) -> None:
        self.scene, self.house, self.people = scene, scene.house, dict(people)
        self.walks = list[Walk]()

    def walk(self, role: str) -> Walk:
        self.walks.append(Walk(client_of(self.people[role])))
        return self.walks[-1]

    def approve(self, role: str = "colleague") -> None:
        number = Proposal.objects.latest("pk").pk
        self.walk(role).open(f"/approvals/{number}/").send("approve", reason=WHY)
        assert Proposal.objects.get(pk=number).status != Proposal.Status.PROPOSED

    @property
    def clicks(self) -> int:
        return sum(walk.clicks for walk in self.walks)

    @property
    def pages(self) -> int:
        return sum(walk.pages for walk in self.walks)


def member(name: str, group: str) -> Player:
    appoint(Player.objects.create_user(name), group)
    return Player.objects.get(username=name)


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[Scene, Any]]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield (
            Scene(House()),
            {
                "manager": member("mia", "managers"),
                "colleague": member("ned", "managers"),
                "auditor": member("ana", "auditors"),
                "floor": member("fay", "floor"),
            },
        )
        transaction.set_rollback(True)


@pytest.fixture
def office(built: tuple[Scene, Any], db: None) -> Office:
    return Office(*built)


def with_till(office: Office) -> Desk:
    """The cash desk, with a float in the first till and money in the wallet of Mei."""
    desk = Desk()
    office.people |= {"cashier": desk.tom}
    return desk


# The tasks.


def open_a_shift(office: Office) -> None:
    with_till(office)
    office.walk("cashier").open("/desk/tills/$").open("/desk/tills/.*/open/").send(sum__EUR="0")
    assert Shift.objects.filter(closed_at=None).exists()


def pay_with_a_second_person(office: Office) -> None:
    desk = with_till(office)
    desk.with_float()
    desk.give(200_000)
    HouseLimit.objects.create(name="withdrawal", value=1_000)
    walk = office.walk("cashier").open("/desk/withdrawal/$").send(q="mei")
    walk.send(currency="EUR", amount="1,500", reason=WHY)
    office.approve()
    assert Receipt.objects.get(kind="withdrawal").amount == -150_000


def freeze_a_player(office: Office) -> None:
    office.walk("manager").find("alice", "/file/").open("/freeze/").send(days="7", reason=WHY)
    assert not Player.objects.get(username="alice").is_active


def who_sat_with_whom(office: Office) -> None:
    walk = office.walk("manager").find("alice", "/file/").open("/admin/hands/T")
    walk.reads("alice", "bob", "carol")


def read_revenue_by_game(office: Office) -> None:
    yesterday = day_of(timezone.now()) - ONE_DAY
    walk = office.walk("manager").open(r"/reports/revenue/\?from").open("by=game")
    walk.open(f"from={yesterday}&to={yesterday}.*by=game")


def prove_a_hand(office: Office) -> None:
    code = office.scene.hand.code
    walk = office.walk("auditor").find(code, "/admin/hands/").open("/admin/evidence/.*" + code)
    walk.send(name=code, reason=WHY)


def find_a_receipt(office: Office) -> None:
    desk = with_till(office)
    desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    office.walk("manager").find(receipt.number).reads("mei", "10")


def void_a_hand(office: Office) -> None:
    office.scene.make_live_hand()
    table = office.scene.playing
    walk = office.walk("floor").find(f"T{table.pk}").open("/take-back/")
    walk.send(typed="VOID", reason=WHY)
    assert Hand.objects.get(pk=table.hand_id).status == Hand.Status.VOID


def reverse_a_paid_hand(office: Office) -> None:
    hand = office.scene.hand
    office.walk("manager").find(hand.code, "/admin/hands/").send(
        "reverse", typed="VOID", house_pays="on", reason=WHY
    )
    assert Hand.objects.get(pk=hand.pk).status == Hand.Status.VOID


def change_a_limit(office: Office) -> None:
    office.walk("manager").find("Deposits need").send(limit="deposit", value="77", reason=WHY)
    office.approve()
    assert HouseLimit.objects.get(pk="deposit").value == 77


def answer_a_complaint(office: Office) -> None:
    now = office.house.now
    verbs.take_complaint(
        office.people["manager"], office.scene.alice.pk, "too slow",
        due_on=verbs.usual_deadline(), now=now,
    )  # fmt: skip
    walk = office.walk("manager").find("Complaints", "/complaints/$").open(r"/complaints/\d+/")
    walk.send(outcome="upheld", text="sorry")


def lock_a_table(office: Office) -> None:
    table = office.scene.table
    office.walk("floor").find(table.name).open("/close/").send(reason=WHY)
    table.refresh_from_db()
    assert table.status != "open"


def see_a_jackpot(office: Office) -> None:
    office.walk("manager").find("Dragon", "/jackpot/").reads("Dragon")


def cancel_an_event(office: Office) -> None:
    office.scene.make_event()
    number = office.scene.event.number
    walk = office.walk("manager").open(f"/tournament/{number}/").open("cancel/$")
    walk.send(typed="CANCEL", reason=WHY)
    assert office.scene.event.row.state.startswith("cancel")


def change_a_rake(office: Office) -> None:
    office.scene.make_profiles()
    walk = office.walk("manager").find("Published").send("draft", reason=WHY)
    walk.send("reckon", options__rake_bp="2", reason=WHY)
    profiles.reckoned(ProfileVersion.objects.latest("pk"))
    walk.again().send("propose", reason=WHY)
    office.approve()


def announce_an_event(office: Office) -> None:
    template = announcing.store_template(structure(), "player:1", office.house.now)
    walk = office.walk("manager").find("Templates", "/template/$").open(f"/{template.pk}/change/")
    walk.open("/announce/").send(starts_at="2036-03-02T19:30", reason=WHY)
    assert Tournament.objects.exists()


def export_a_report(office: Office) -> None:
    office.walk("manager").open("/reports/revenue/").open("format=csv")


def look_up_a_sign_in(office: Office) -> None:
    office.walk("manager").find("alice", "/file/").reads("Sign-ins")


def approve_a_proposal(office: Office) -> None:
    office.walk("manager").find("Deposits need").send(limit="deposit", value="77", reason=WHY)
    office.walks.clear()
    office.approve()


def see_the_state_of_the_audit(office: Office) -> None:
    office.walk("auditor").reads("Audit of the day before")


TASKS: Final[dict[str, tuple[Callable[[Office], None], int]]] = {
    "open a shift": (open_a_shift, 3),
    "pay 1,500 with a second person": (pay_with_a_second_person, 5),
    "freeze a player": (freeze_a_player, 3),
    "find who sat with whom": (who_sat_with_whom, 2),
    "cancel an event with refunds": (cancel_an_event, 3),
    "read yesterday's revenue by game": (read_revenue_by_game, 3),
    "prove a hand to a regulator": (prove_a_hand, 3),
    "find a receipt": (find_a_receipt, 1),
    "void a hand": (void_a_hand, 3),
    "reverse a paid hand": (reverse_a_paid_hand, 2),
    "change a limit": (change_a_limit, 4),
    "change a rake by proposal": (change_a_rake, 6),
    "announce an event": (announce_an_event, 4),
    "answer a complaint": (answer_a_complaint, 3),
    "lock a table": (lock_a_table, 3),
    "see a jackpot": (see_a_jackpot, 1),
    "export a report": (export_a_report, 2),
    "look up a sign-in": (look_up_a_sign_in, 1),
    "approve a proposal": (approve_a_proposal, 2),
    "see the audit's state": (see_the_state_of_the_audit, 0),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_takes_no_more_clicks_than_this(office: Office, task: str) -> None:
    do, clicks = TASKS[task]
    do(office)
    print(f"{task} | {office.clicks} clicks | {office.pages} pages")
    assert office.clicks <= clicks
    assert max(walk.clicks for walk in office.walks) <= CLICKS_MAX
