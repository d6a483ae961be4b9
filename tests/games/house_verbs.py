"""The verbs of the house's name, look and texts, as the boss sends them."""

from collections.abc import Callable
from typing import Any, Final

from django.utils import timezone

from casino.office.house import versions
from tests.games.staff_scene import WHY, Scene
from wallets.values.house import HouseContent


def save_draft(scene: Scene) -> None:
    """As the form is shown; whose role has none sends one all the same."""
    form: Any = (scene.browser.get("/admin/house/edit/").context or {}).get("form")
    names = form.fields if form else ()
    shown = {name: form[name].value() for name in names if form[name].value() is not None}
    scene.post("house/edit/", **shown | {"felt": "night"})


def with_a_draft(button: str) -> Callable[[Scene], object]:
    """What is done on the page of the house with a draft of its look."""

    def work(scene: Scene) -> None:
        content = HouseContent(felt="night")
        draft = versions.save_draft(scene.boss, content, 0, reason=WHY, now=timezone.now())
        scene.post("house/", **{button: "1", "revision": str(draft.revision)})

    return work


HOUSE_VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "house.draft": save_draft,
    "house.discard": with_a_draft("discard"),
    "house.publish": with_a_draft("publish"),
}
