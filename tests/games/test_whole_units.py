"""Staff neither read nor type minor units in the back office."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import BigIntegerField, Model
from django.test import RequestFactory
from django.urls import reverse

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Table
from tests.games.house import House
from tests.people import client_of
from wallets.models import Currency, Jackpot
from wallets.money import jackpots
from wallets.office.whole_units import AmountField

# Columns of this size that are no amounts of money.
COUNTS = {
    "wallets.Book": {"position"},
    "wallets.Closing": {"books"},
    "wallets.Transaction": {"position"},
}
LISTS = list(admin.site._registry.values())


def money_of(model: type[Model]) -> set[str]:
    """The columns of money: all that can hold so large an amount, and no number of rows."""
    large = {field.name for field in model._meta.fields if type(field) is BigIntegerField}
    return large - COUNTS.get(model._meta.label, set())


def shown_by(of_list: Any, request: Any) -> Iterator[tuple[Any, set[str]]]:
    """Each part of a list's pages, with the names of what it shows."""
    yield of_list, set(of_list.get_list_display(request))
    yield of_list, set(flatten_fieldsets(of_list.get_fieldsets(request, of_list.model())))
    for inline in of_list.inlines:
        made = inline(of_list.model, admin.site)
        yield made, set(flatten_fieldsets(made.get_fieldsets(request, of_list.model())))


@pytest.mark.always
def test_no_list_shows_or_asks_for_minor_units(house: House) -> None:
    request: Any = RequestFactory().get("/admin/")
    member = house.player("sam", 0)
    for group in ("managers", "auditors"):
        appoint(member, group)
        request.user = Player.objects.get(pk=member.pk)
        for part, names in chain(*(shown_by(model_admin, request) for model_admin in LISTS)):
            raw = names & money_of(part.model)
            assert not raw or part.has_change_permission(request), (part, raw)
            fields = part.get_form(request).base_fields if raw else {}
            assert all(isinstance(fields[name], AmountField) for name in raw), raw


def test_the_columns_of_money_are_found() -> None:
    assert money_of(Jackpot) == {"seed", "reserve", "lowest", "highest"}
    assert money_of(Table) == {"buy_in_min", "buy_in_max", "stack_min"}


@pytest.mark.parametrize(("exponent", "typed", "stored"), [(2, "1,234.5", 123_450), (0, "12", 12)])
def test_an_amount_is_typed_and_shown_in_whole_units(
    house: House, exponent: int, typed: str, stored: int
) -> None:
    Currency.objects.create(code="XYZ", name="X", exponent=exponent, kind=Currency.Kind.PLAY)
    boss = client_of(Player.objects.create_superuser("boss"))
    form = {
        "name": "Dragon", "kind": "progressive", "currency": "XYZ", "seed": typed, "reserve": "0",
        "share_bp": "5", "lowest": "1", "highest": typed, "active": "on", "reason": "spring",
    }  # fmt: skip
    assert boss.post(reverse("admin:wallets_jackpot_add"), form).status_code == 302
    pot = Jackpot.objects.get()
    assert (pot.seed, pot.highest, jackpots.amount(pot)) == (stored, stored, stored)
    address = reverse("admin:wallets_jackpot_change", args=[pot.pk])
    shown = typed.replace(",", "") + "0" * (exponent // 2)
    assert f'value="{shown}"' in boss.get(address).text
    for wrong in ("x", "-1", "0.001", "9" * 20) if exponent else ("0.1",):
        answer = boss.post(address, form | {"seed": wrong})
        assert answer.status_code == 200
    ada = house.player("ada", 0)
    appoint(ada, "auditors")
    assert "XYZ" in client_of(ada).get(address).text


def test_a_hand_and_a_day_are_read_in_whole_units(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.void(table, "a test")
    ada = house.player("ada", 0)
    appoint(ada, "auditors")
    hand = Hand.objects.latest("pk")
    page = client_of(ada).get(reverse("admin:games_hand_change", args=[hand.pk])).text
    assert "500.00 PLAY" in page
    seen = client_of(ada).get(reverse("admin:games_table_change", args=[table.pk])).text
    assert "Smallest buy-in: <b>100</b>" in seen
