"""The tour of the office: shown to managers, remembered, ended, and begun again."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from casino.office.frame.tour import STEPS

pytestmark = pytest.mark.django_db
SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]
OVERVIEW = "/admin/"


def go(client: Client, step: int) -> str:
    """The address to which a button of the tour leads."""
    answer = client.post("/admin/tour/", {"step": step})
    assert answer.status_code == 302
    return str(answer["Location"])


def test_a_manager_is_led_through_five_pages(appointed: Appointed, signed_in: SignedIn) -> None:
    manager = appointed("managers")
    client = signed_in(manager)
    address = OVERVIEW
    for number, step in enumerate(STEPS, 1):
        assert address == reverse(step.page)
        text = client.get(address).text
        assert f"Tour, step {number} of 5" in text
        # The tour is remembered: in another browser the overview continues it.
        other = signed_in(manager).get(OVERVIEW).text
        assert f"Tour, step {number} of 5" in other
        assert ("Continue the tour" in other) == (number > 1)
        if number < len(STEPS):
            address = go(client, number + 1)
    assert "Tour, step" not in client.get(reverse("floor")).text
    assert go(client, 0) == OVERVIEW
    assert "Tour, step" not in client.get(OVERVIEW).text


@pytest.mark.always
def test_the_accounts_menu_begins_the_tour_again(appointed: Appointed, signed_in: SignedIn) -> None:
    client = signed_in(appointed("managers"))
    go(client, 0)
    assert 'href="/admin/?tour=1"' in client.get(OVERVIEW).text
    assert "Tour, step 1 of 5" in client.get("/admin/?tour=1").text


def test_others_have_no_tour(appointed: Appointed, signed_in: SignedIn) -> None:
    client = signed_in(appointed("cashiers"))
    text = client.get(OVERVIEW).text
    assert "Tour" not in text
    assert 'href="/admin/password_change/"' in text
    assert client.post("/admin/tour/", {"step": 2}).status_code == 403


@pytest.mark.parametrize("step", ["", "6", "-1", "x", "²"])
def test_what_is_no_step_is_refused(step: str, appointed: Appointed, signed_in: SignedIn) -> None:
    answer = signed_in(appointed("managers")).post("/admin/tour/", {"step": step})
    assert answer.status_code == 400
