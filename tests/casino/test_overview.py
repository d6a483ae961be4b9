"""The first page of the back office: what waits for the reader, and a menu without dead ends."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.contrib import admin
from django.test import Client
from django.utils import timezone

from casino.alarms.models import Alarm
from casino.backoffice.floor import halting
from casino.backoffice.navigation import SECTIONS, Section
from casino.backoffice.pages import PAGES
from casino.players.models import Player

SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]


def sections_of(client: Client) -> list[Section]:
    found: list[Section] = client.get("/admin/").context["sections"]
    return found


def test_sections_name_pages_and_lists_that_exist_each_once() -> None:
    named = [name for _words, names in SECTIONS for name in names]
    pages = {page.name for page in PAGES if page.symbol}
    lists = {model._meta.label_lower for model in admin.site._registry}
    assert set(named) <= pages | lists
    assert len(named) == len(set(named))


def test_sections_are_in_the_order_of_the_work(appointed: Appointed, signed_in: SignedIn) -> None:
    sections = sections_of(signed_in(appointed("managers")))
    assert [str(section.words) for section in sections] == [
        "Now", "Players", "Money", "Games", "Tournaments", "Reports", "Proofs", "House",
    ]  # fmt: skip
    links = [(section.words, link.words) for section in sections for link in section.links]
    assert len(links) == len(set(links)) > 20


@pytest.mark.release
def test_every_link_leads_somewhere(appointed: Appointed, signed_in: SignedIn) -> None:
    """That a role opens what it is shown is tested for every address (`test_roles.py`)."""
    client = signed_in(appointed("managers"))
    links = [link for section in sections_of(client) for link in section.links]
    assert [link.address for link in links if client.head(link.address).status_code != 200] == []


def test_what_waits_stands_on_the_first_page(appointed: Appointed, signed_in: SignedIn) -> None:
    now = timezone.now()
    figures = {"table": "Pagoda", "seconds": 40}
    Alarm.objects.create(kind="stuck", subject="table:1", figures=figures, raised_at=now)
    halting.halt(appointed("managers"), "a strange shoe", uuid4(), now)
    page = signed_in(appointed("floor"))
    text = page.get("/admin/").text
    assert "New hands are stopped" in text
    assert "Players seated" in text
    assert "nobody has it" in text
    # Those who may not see the floor see no figures.
    text = signed_in(appointed("cashiers")).get("/admin/").text
    assert "Players seated" not in text
    assert "Cash desk" in text
