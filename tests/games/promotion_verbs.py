"""The verbs of staff about promotions."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from casino.community.promotions.models import ShopOffer
from tests.casino.promotion_scene import published
from tests.games.staff_scene import WHY, Scene
from tests.games.tournament_verbs import template as store_template
from wallets.models.staff_models import Proposal
from wallets.staff import approvals


def terms(scene: Scene, **given: Any) -> dict[str, Any]:
    """A form of a mission."""
    today = scene.house.now.date()
    return {
        "name": "Tuesday",
        "goal": "4",
        "pay": "2.50",
        "what": "hands",
        "window": "day",
        "first_day": f"{today}",
        "last_day": f"{today + timedelta(days=7)}",
        "budget": "1000",
    } | given


def add_promotion(scene: Scene) -> None:
    scene.post("promotions/new/?kind=mission&currency=PLAY", **terms(scene))


def change_promotion(scene: Scene) -> None:
    scene.post(f"promotions/{scene.promotion_draft.pk}/edit/", **terms(scene, revision="1"))


def publish_promotion(scene: Scene) -> None:
    published(scene.boss, scene.other, scene.promotion_draft, WHY)


def offer_ticket(scene: Scene) -> None:
    """Proposed on the page; a colleague approves it."""
    store_template(scene)
    scene.post("promotions/shop/", event="Evening", points="500")
    proposal = Proposal.objects.latest("pk")
    approvals.approve(scene.other, proposal.pk, reason="yes", now=timezone.now())


def withdraw_offer(scene: Scene) -> None:
    offer = ShopOffer.objects.create(
        key=uuid4(), event="Evening", currency=scene.house.currency, worth=1, points=1,
        made_at=scene.house.now,
    )  # fmt: skip
    scene.post("promotions/shop/", withdraw=offer.pk)
