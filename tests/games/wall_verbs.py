"""The verbs of the wall screen, as the boss sends them."""

from collections.abc import Callable
from typing import Final

from django.utils import timezone

from casino.office.models import WallLink
from tests.games.staff_scene import Scene


def make_wall(scene: Scene) -> None:
    scene.post("wall/", name="Bar", language="en")


def end_wall(scene: Scene) -> None:
    link = WallLink(name="Bar", language="en", made_at=timezone.now())
    link.code = "code"
    link.save()
    scene.post("wall/", end=str(link.pk))


WALL_VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "wall.make": make_wall,
    "wall.end": end_wall,
}
