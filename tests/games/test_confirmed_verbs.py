"""Which verbs of staff are confirmed after a while away: all that move money, rights or cards.

The verbs are those that are registered, each played as the tests of the journal play it.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.players.models import Player
from casino.players.tokens import issue
from tests.games.staff_scene import Scene
from tests.games.staff_verbs import VERBS
from tests.games.test_journal_of_staff import evening, scene, whole
from tests.people import client_of
from wallets import confirming, journal
from wallets.confirming import ConfirmationNeeded
from wallets.models import HouseLimit, JournalEntry, Proposal, Transaction

__all__ = ["evening", "scene", "whole"]
# At the command line one has an account on the machine; what expires is the clock's.
IN_BROWSERS = [
    verb for verb in VERBS if not verb.startswith("command:") and verb != "proposal.expire"
]


def money_and_rights() -> dict[str, Any]:
    """All that a verb must not change unless it is confirmed."""
    return {
        "money": Transaction.objects.count(),
        "limits": list(HouseLimit.objects.values_list()),
        "decided": list(Proposal.objects.order_by("pk").values_list("pk", "status", "checker")),
        "rights": sorted(
            Player.objects.values_list("pk", "is_staff", "is_superuser", "groups__name"), key=str
        ),
        "cards": JournalEntry.objects.filter(verb="hand.open_cards").count(),
    }


@pytest.mark.parametrize("verb", IN_BROWSERS)
def test_what_moves_money_rights_or_cards_is_confirmed(whole: Scene, verb: str) -> None:
    before = money_and_rights()
    VERBS[verb](whole)
    if money_and_rights() != before:
        assert journal.verbs()[verb].confirmed, verb


# Cards are opened in a session of their own, below.
@pytest.mark.parametrize("verb", [verb for verb in IN_BROWSERS if verb != "hand.open_cards"])
def test_no_such_verb_is_carried_out_for_whoever_was_away(
    whole: Scene, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed = journal.verbs()[verb].confirmed
    whole.browser.get("/admin/")
    later = timezone.now() + timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    before, entries = money_and_rights(), JournalEntry.objects.count()
    with confirming.request_of(due=True), suppress(ConfirmationNeeded, AssertionError):
        VERBS[verb](whole)
    since = JournalEntry.objects.filter(verb=verb, position__gt=entries)
    assert since.exists() != confirmed
    if confirmed:
        assert money_and_rights()["money"] == before["money"]
        assert money_and_rights()["rights"] == before["rights"]


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
    client.post(opening)
    assert client.get(page).context["audits"]
    later_by(monkeypatch, 11)
    assert not client.get(page).context["audits"]
    assert client.post(opening).status_code == 403
    assert not client.get(page).context["audits"]
    assert client.post(opening, {"confirm_code": "seen it all before"}).status_code == 302
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
    # It still reads what anybody may.
    assert Client().get("/api/v1/hands/", headers=headers).status_code == 200
    again, _row = issue(scene.auditor, timezone.now())
    headers = {"Authorization": f"Bearer {again}"}
    assert Client().get(record, headers=headers).status_code == 200
