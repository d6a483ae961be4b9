"""The verbs of staff about messages and reports by mail, as the boss sends them."""

from collections.abc import Callable
from typing import Any, Final

from django.utils import timezone

from casino.community.messages.models import Message
from tests.casino.message_scene import TEXTS
from tests.games.staff_scene import Scene


def form() -> dict[str, Any]:
    given = {"name": "Evening", "kind": "news"}
    for code, said in TEXTS.items():
        given |= {f"title_{code}": said["title"], f"text_{code}": said["text"]}
    return given


def save_message(scene: Scene) -> None:
    scene.post("messages/new/", **form())


def _draft(scene: Scene) -> Message:
    """As it stands, without an entry of the journal about it."""
    return Message.objects.create(
        name="Evening",
        kind="news",
        texts=TEXTS,
        segment={},
        made_by=scene.other,
        made_at=timezone.now(),
    )


def on_a_draft(button: str) -> Callable[[Scene], object]:
    return lambda scene: scene.post(f"messages/{_draft(scene).pk}/", **{button: "1"})


def stop_message(scene: Scene) -> None:
    message = _draft(scene)
    now = timezone.now()
    Message.objects.filter(pk=message.pk).update(state="sent", sent_at=now)
    scene.post(f"messages/{message.pk}/", stop="1")


def set_report_mail(scene: Scene) -> None:
    given = {"address": "boss@example.org", "language": "en", "kinds": ["alarms"]}
    assert scene.browser.post("/admin/report-mail/", given).status_code == 302


MESSAGE_VERBS: Final[dict[str, Callable[[Scene], object]]] = {
    "message.save": save_message,
    "message.discard": on_a_draft("discard"),
    "message.send": on_a_draft("send"),
    "message.stop": stop_message,
    "report_mail.set": set_report_mail,
}
