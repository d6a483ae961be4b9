"""The verbs of payments from outside, as the boss sends them."""

from collections.abc import Callable

from django.test import override_settings
from django.utils import timezone

from tests.games.staff_scene import Scene
from wallets.staff import approvals


def decide_payment(verb: str, way: str, status: str) -> Callable[[Scene], object]:
    """What is decided about a payment of Alice, on its page."""

    def work(scene: Scene) -> None:
        payment = scene.payments[way, status]
        with override_settings(PAYMENTS=["transfer"], PAYMENTS_NEED_IDENTITY=False):
            scene.post(f"payments/{payment.pk}/", **{f"payment.{verb}": "1"})
        waiting = approvals.waiting(timezone.now()).filter(subject=payment.reference)
        for proposal in waiting:
            approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())

    return work


def explain_difference(scene: Scene) -> None:
    scene.post(f"payments/differences/{scene.difference.pk}/")
