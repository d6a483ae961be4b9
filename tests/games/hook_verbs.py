"""The verbs of webhooks, as the boss sends them."""

from collections.abc import Callable
from typing import Final
from uuid import uuid4

from django.utils import timezone

from casino.office.hooks.models import Endpoint, Happening, Sending
from tests.games.staff_scene import WHY, Scene


def add_hook(scene: Scene) -> None:
    given = {"name": "lobby", "address": "https://HOOKS.EXAMPLE/x", "kinds": ["alarm.raised"]}
    answer = scene.browser.post("/admin/hooks/new/", {**given, "reason": WHY})
    assert answer.status_code == 302


def _sent() -> Sending:
    now = timezone.now()
    endpoint = Endpoint(
        name="lobby", address="https://HOOKS.EXAMPLE/x", kinds=["deposit"], made_at=now
    )
    endpoint.secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    endpoint.save()
    happening = Happening.objects.create(code=uuid4(), kind="deposit", key="1", data={}, at=now)
    return Sending.objects.create(endpoint=endpoint, happening=happening)


def on_a_hook(fields: Callable[[Sending], dict[str, str]]) -> Callable[[Scene], object]:
    """What is done on the page of a webhook that has sent something."""

    def work(scene: Scene) -> None:
        sending = _sent()
        scene.post(f"hooks/{sending.endpoint_id}/", **fields(sending))

    return work


def show_secret(scene: Scene) -> None:
    """The page itself is the answer."""
    endpoint = _sent().endpoint
    answer = scene.browser.post(f"/admin/hooks/{endpoint.pk}/", {"show": "1"})
    assert endpoint.secret in answer.text


HOOK_VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "hook.subscribe": add_hook,
    "hook.end": on_a_hook(lambda sending: {"end": "1"}),
    "hook.replay": on_a_hook(lambda sending: {"again": str(sending.pk)}),
    "hook.show_secret": show_secret,
}
