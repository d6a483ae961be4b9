"""A list without rows says what would be listed, over how much was looked, and when."""

from datetime import UTC, datetime

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from casino.office.frame.navigation import menu_of, pages
from casino.office.integrity.models import Scan
from games.models import Hand
from tests.games.house import House
from tests.people import client_of

pytestmark = pytest.mark.django_db

MARK = "data-nothing-here"
# Pages of the menu that hold something even in an empty house, or list nothing.
ALWAYS_FULL = {
    *("floor", "limits", "roles", "staff", "health", "maintenance", "evidence", "records"),
    "report-mail",
}
LISTS = sorted(admin.site._registry, key=lambda model: model._meta.label)


@pytest.fixture
def boss(db: None) -> Client:
    return client_of(Player.objects.create_superuser("boss"))


@pytest.mark.parametrize("model", LISTS, ids=lambda model: model._meta.label_lower)
def test_each_list_says_what_would_be_in_it(model: type, boss: Client) -> None:
    about = str(menu_of(admin.site.get_model_admin(model)).about)
    assert about.endswith("."), model
    meta = model._meta  # type: ignore[attr-defined]
    page = boss.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist"))
    assert page.status_code == 200
    if page.context["cl"].result_count == 0:
        assert MARK in page.text
        assert about in page.text


@pytest.mark.parametrize("page", [office_page.name for office_page in pages() if office_page.menu])
def test_each_page_explains_its_empty_list(page: str, boss: Client) -> None:
    shown = boss.get(reverse(page))
    assert shown.status_code == 200
    assert (MARK in shown.text) == (page not in ALWAYS_FULL)
    # Only a scan goes over hands.
    assert ("hands since" in shown.text) == (page == "integrity")


def test_it_says_over_how_much_and_when(house: House, boss: Client) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.until(table, lambda table: table.hand_id is None)
    assert Hand.objects.count() == 1
    Scan.objects.update_or_create(pk=1, defaults={"ran_at": datetime(2026, 3, 1, 9, 7, tzinfo=UTC)})
    text = " ".join(boss.get("/admin/integrity/").text.split())
    assert "None found; last checked 09:07, over one hand since" in text


def test_a_search_says_through_how_many_rows(house: House, boss: Client) -> None:
    house.table("baccarat")
    house.table("doudizhu")
    text = " ".join(boss.get("/admin/games/table/", {"q": "no such table"}).text.split())
    assert "through 2 rows." in text
    assert "Reset filters" in text
