"""The verbs of staff about promotions."""

from datetime import timedelta
from typing import Any

from tests.casino.promotion_scene import published
from tests.games.staff_scene import WHY, Scene


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
