"""Who opens cards confirms it after a while away, in a browser and with a program."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.tokens import issue
from tests.games.staff_scene import Scene
from tests.games.test_journal_of_staff import evening, scene
from tests.people import client_of
from wallets.models.staff_models import JournalEntry

__all__ = ["evening", "scene"]


def later_by(monkeypatch: pytest.MonkeyPatch, minutes: int) -> None:
    later = timezone.now() + timedelta(minutes=minutes)
    monkeypatch.setattr(timezone, "now", lambda: later)


def test_cards_are_opened_anew_after_a_while_away(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page that stood open shows what a spectator saw, and opening asks first."""
    scene.auditor.set_password("seen it all before")
    scene.auditor.save()
    client = client_of(scene.auditor)
    page, opening = reverse("hand", args=[scene.hand.pk]), f"/history/{scene.hand.pk}/open/"
    why = {"reason": "a complaint"}
    client.post(opening, why)
    assert client.get(page).context["audits"]
    later_by(monkeypatch, 11)
    assert not client.get(page).context["audits"]
    assert client.post(opening, why).status_code == 403
    assert not client.get(page).context["audits"]
    assert client.post(opening, why | {"confirm_code": "seen it all before"}).status_code == 302
    assert client.get(page).context["audits"]
    assert JournalEntry.objects.filter(verb="hand.open_cards").count() == 2


def test_a_program_that_was_idle_opens_no_cards(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = reverse("api-record", args=[scene.hand.pk])
    token, _row = issue(scene.auditor, timezone.now())
    headers = {"Authorization": f"Bearer {token}"}
    assert Client().get(record, headers=headers).status_code == 200
    for _time in range(3):
        later_by(monkeypatch, 9)
        assert Client().get(record, headers=headers).status_code == 200
    later_by(monkeypatch, 11)
    for _time in range(2):
        refused = Client().get(record, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "confirmation_needed")
    # It still reads what all may read.
    assert Client().get("/api/v1/hands/", headers=headers).status_code == 200
    again, _row = issue(scene.auditor, timezone.now())
    headers = {"Authorization": f"Bearer {again}"}
    assert Client().get(record, headers=headers).status_code == 200
