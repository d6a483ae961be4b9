"""The verbs of the cash desk, as the boss sends them who works at a till."""

from collections.abc import Callable
from uuid import uuid4

from django.utils import timezone

from casino.office.desk import cash as tills
from casino.office.desk.models import Receipt, Shift, Till
from tests.games.staff_scene import WHY, Scene
from wallets.staff import approvals
from wallets.values.days import day_of


def at_the_desk(scene: Scene) -> Till:
    """The boss works at the till; no verb of the desk brought that about."""
    Shift.objects.create(
        till=scene.till, cashier=scene.boss, cashier_name="boss", opened_at=timezone.now(),
        key=uuid4(),
    )  # fmt: skip
    return scene.till


def pay(kind: str) -> Callable[[Scene], Receipt]:
    def work(scene: Scene) -> Receipt:
        till, key = at_the_desk(scene), uuid4()
        arguments = {"player": f"player:{scene.alice.pk}", "currency": "PLAY", "amount": 100}
        approvals.submit(
            scene.boss, f"desk.{kind}", arguments | {"till": till.pk},
            reason=WHY, key=key, now=timezone.now(),
        )  # fmt: skip
        return Receipt.objects.get(key=key)

    return work


def with_receipt(then: Callable[[Scene, Receipt], object]) -> Callable[[Scene], object]:
    """What is done to a receipt; the entry of the payment before it is another verb's."""

    def work(scene: Scene) -> object:
        till = at_the_desk(scene)
        now = timezone.now()
        receipt = Receipt.objects.create(
            number="R-9", day=day_of(now), serial=9, kind="deposit", till=till,
            shift=Shift.objects.get(), player=scene.alice, currency_id="PLAY", amount=500,
            cashier=scene.boss, cashier_name="boss", reason="x", key=uuid4(), posting=1, at=now,
        )  # fmt: skip
        return then(scene, receipt)

    return work


def correct(scene: Scene, receipt: Receipt) -> None:
    proposal = scene.submit("desk.correct", receipt=receipt.pk, right=400)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def move_cash(scene: Scene) -> None:
    till = at_the_desk(scene)
    ends = {"source": till.pk, "target": tills.vault().pk, "currency": "PLAY", "amount": 100}
    proposal = scene.submit("desk.transfer", **ends)
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def pay_request(scene: Scene) -> object:
    till = at_the_desk(scene)
    arguments = {"request": scene.request.pk, "till": till.pk}
    return approvals.submit(
        scene.boss, "desk.pay", arguments, reason=WHY, key=uuid4(), now=timezone.now()
    )


def open_shift(scene: Scene) -> None:
    till = Till.objects.create(name="Till 2")
    scene.post(f"desk/tills/{till.pk}/open/", **{"sum-EUR": "0"})


def in_a_shift(address: str) -> Callable[[Scene], object]:
    def work(scene: Scene) -> object:
        till = at_the_desk(scene)
        return scene.post(address.format(till=till.pk), **{"sum-PLAY": "500", "sum-EUR": "0"})

    return work
