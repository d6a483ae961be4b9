"""The first page of the back office: what waits for the reader, and a menu without dead ends."""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, grants
from casino.office.alarms.models import Alarm
from casino.office.floor import halting
from casino.office.frame.navigation import menu_of, pages
from wallets.office.staff_pages import Menu

SignedIn = Callable[[Player], Client]
Appointed = Callable[[str], Player]
# With the overview.
ENTRIES_MAX = 18


def sections_of(client: Client) -> list[dict[str, Any]]:
    """The headings of the menu with their entries; the overview stands above them."""
    _start, *sections = client.get("/admin/").context["sidebar_navigation"]
    return sections


def test_no_two_things_of_a_heading_have_the_same_place() -> None:
    menus = [page.menu for page in pages() if page.menu]
    menus += [menu_of(shown) for shown in admin.site._registry.values()]
    placed = Counter((menu.under, menu.place) for menu in menus if menu != Menu())
    assert [place for place, number in placed.items() if number > 1] == []


@pytest.mark.parametrize("role", [*PERMISSIONS, "superusers"])
def test_the_menu_is_short_and_nothing_is_lost(
    role: str, appointed: Appointed, signed_in: SignedIn
) -> None:
    """With the overview a menu has at most 18 entries, and they lead to all that a role opens."""
    if role == "superusers":
        client = signed_in(Player.objects.create_superuser("boss"))
    else:
        client = signed_in(appointed(role))
    page = client.get("/admin/")
    _start, *sections = page.context["sidebar_navigation"]
    entries = [entry for section in sections for entry in section["items"]]
    assert 0 < len(entries) <= ENTRIES_MAX - 1
    assert [entry["title"] for entry in entries if entry["link"] == "/admin/records/"] in (
        [], ["Records"],
    )  # fmt: skip
    below = {link.address for entry in entries for link in entry["links"]}
    lists = {
        model["admin_url"]
        for app in page.context["available_apps"]
        for model in app["models"]
        if model["admin_url"]
    }
    assert lists <= below


def test_pages_of_one_entry_are_tabs(appointed: Appointed, signed_in: SignedIn) -> None:
    client = signed_in(appointed("auditors"))
    for address in ("/admin/journal/", "/admin/events/"):
        (entry,) = [
            item
            for group in client.get(address).context["sidebar_navigation"]
            for item in group["items"]
            if item.get("has_tabs")
        ]
        assert [tab.address for tab in entry["links"]] == ["/admin/journal/", "/admin/events/"]
        assert entry["here"].address == address


@pytest.mark.always
@pytest.mark.django_db
def test_every_permission_of_a_page_is_one_that_a_role_has() -> None:
    of_models = Permission.objects.values_list("content_type__app_label", "codename")
    names = {f"{app}.{name}" for app, name in of_models}
    for page in pages():
        for permission in page.permissions:
            assert permission in names, page.name
            assert any(grants(group, permission) for group in PERMISSIONS), page.name


@pytest.mark.always
def test_sections_are_in_the_order_of_the_work(appointed: Appointed, signed_in: SignedIn) -> None:
    sections = sections_of(signed_in(appointed("managers")))
    assert [str(section["title"]) for section in sections] == [
        "Now", "Players", "Money", "Games", "Events", "Reports", "Proofs", "House",
    ]  # fmt: skip
    words = [entry["title"] for section in sections for entry in section["items"]]
    assert len(words) == len(set(words)) > 12


@pytest.mark.release
def test_every_link_leads_somewhere(appointed: Appointed, signed_in: SignedIn) -> None:
    """That a role opens what it is shown is tested for every address (`test_roles.py`)."""
    client = signed_in(appointed("managers"))
    entries = [entry for section in sections_of(client) for entry in section["items"]]
    links = [link for entry in entries for link in entry["links"]]
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
    assert "not taken yet" in text
    # Those who may not see the floor see no figures.
    text = signed_in(appointed("cashiers")).get("/admin/").text
    assert "Players seated" not in text
    assert "Cash desk" in text
