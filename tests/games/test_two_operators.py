"""Two operators at once, in every list of the back office that is written to.

The second has opened a form before the first stores another value; it must not be set back.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client

from casino.accounts.models import Player
from games.chat.models import ChatLine, Silence
from games.models import Hand, Table
from games.records import sharing
from tests.games.house import House
from tests.games.markup import Page
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.money import jackpots
from wallets.office.journalled_admin import Journalled
from wallets.office.stale_forms import AS_OPENED

WHY: Final = "because of a test"


def a_line(house: House) -> ChatLine:
    alice = house.player("alice")
    return ChatLine.objects.create(
        table=house.table("baccarat"), player=alice, text="hello", said_at=house.now
    )


def a_silence(house: House) -> Silence:
    until = house.now + timedelta(days=1)
    return Silence.objects.create(player=house.player("alice"), until=until, reason="shouts")


def a_jackpot(house: House) -> Model:
    return jackpots.create("Dragon", "progressive", house.currency, actor="test", seed=500)


class Case:
    """A row, what the first changes in it, how the second is told, and what the second wanted."""

    def __init__(
        self,
        make: Callable[[House], Model],
        first: dict[str, list[str]],
        said: str,
        second: dict[str, list[str]],
    ) -> None:
        self.make, self.first, self.said, self.second = make, first, said, second


CASES: Final = {
    "table": Case(
        lambda house: house.table("doudizhu"),
        {"overflow_max": ["19"]},
        "anna changed Maximum number of overflow tables from 0 to 19 at 12:00.",
        {"name": ["Renamed"]},
    ),
    "currency": Case(
        lambda house: house.currency,
        {"name": ["Chips"]},
        "anna changed Name from play money to Chips at 12:00.",
        {"name": ["Gold"]},
    ),
    "jackpot": Case(
        a_jackpot,
        {"seed": ["7"]},
        "anna changed Seed from 5 to 7 at 12:00.",
        {"share_bp": ["3"]},
    ),
    "chatline": Case(
        a_line,
        {"hidden": ["on"]},
        "anna changed Hidden from no to yes at 12:00.",
        {},
    ),
    "silence": Case(
        a_silence,
        {"reason": ["swears"]},
        "anna changed Reason from shouts to swears at 12:00.",
        {"until_0": ["2030-01-01"]},
    ),
}  # fmt: skip
# Failed sign-ins are deleted alone, a link is revoked once, and an account has pages of its own.
WITHOUT_FORM: Final = {"accessattempt", "player", "sharedhand"}
# Their forms stand on pages of their own.
PAGES_WITH_FORM: Final = {"jackpot"}


def boss(name: str) -> Client:
    return client_of(Player.objects.create_superuser(name))


def opened(client: Client, address: str) -> dict[str, list[str]]:
    """What a browser would send of the form as it is."""
    page = Page(client.get(address).text)
    (form,) = [
        form for form in page.forms.values() if any(name == AS_OPENED for name, _ in form.fields)
    ]
    return form.sent()


@pytest.mark.always
@pytest.mark.parametrize("kind", CASES)
def test_the_second_is_said_what_the_first_has_changed(house: House, kind: str) -> None:
    case = CASES[kind]
    row = case.make(house)
    address = f"/admin/{row._meta.app_label}/{kind}/{row.pk}/change/"
    anna, ben = boss("anna"), boss("ben")
    stale = opened(ben, address)
    first = opened(anna, address) | case.first | {"reason": [WHY]}
    if "reason" in case.first:
        first |= {"reason": case.first["reason"]}
    assert anna.post(address, first).status_code == 302
    entries = JournalEntry.objects.count()

    def wanted(form: dict[str, list[str]]) -> dict[str, Any]:
        given = {} if "reason" in case.first else {"reason": [WHY]}
        return form | given | case.second

    refused = ben.post(address, wanted(stale))
    assert refused.status_code == 200
    assert case.said in refused.text
    assert "Nothing has been stored." in refused.text
    assert JournalEntry.objects.count() == entries
    # A manager who has read it and opens the form again continues from there.
    if kind == "table":
        assert ben.post(address, wanted(opened(ben, address))).status_code == 302
        assert JournalEntry.objects.count() == entries + 1


def test_every_list_with_a_form_has_a_case() -> None:
    written = {
        model._meta.model_name
        for model, shown in admin.site._registry.items()
        if isinstance(shown, Journalled)
    }
    assert written | PAGES_WITH_FORM == CASES.keys() | WITHOUT_FORM


def test_both_wanting_the_same_is_no_conflict(house: House) -> None:
    table = house.table("doudizhu")
    address = f"/admin/games/table/{table.pk}/change/"
    anna, ben = boss("anna"), boss("ben")
    wanted = opened(ben, address) | {"overflow_max": ["19"], "reason": [WHY]}
    for client in (anna, ben):
        assert client.post(address, wanted).status_code == 302
    table.refresh_from_db()
    assert table.overflow_max == 19


@pytest.mark.always
def test_what_the_house_has_changed_is_said_too(house: House) -> None:
    """The clock has closed a table, which no entry tells of."""
    table = house.table("doudizhu", status="closing")
    address = f"/admin/games/table/{table.pk}/change/"
    ben = boss("ben")
    stale = opened(ben, address) | {"reason": [WHY]}
    table.status = table.Status.CLOSED
    table.save()
    refused = ben.post(address, stale)
    assert "Status has changed from closing to closed since you opened this form." in refused.text


def test_a_form_that_cannot_be_read_changes_nothing(house: House) -> None:
    table = house.table("doudizhu")
    address = f"/admin/games/table/{table.pk}/change/"
    ben = boss("ben")
    form = opened(ben, address) | {"name": ["Renamed"], "reason": [WHY]}
    for typed in ("nonsense", "e30:1vnR9a:forged"):
        answer = ben.post(address, form | {AS_OPENED: [typed]})
        assert "This form cannot be read." in answer.text
        table.refresh_from_db()
        assert table.name != "Renamed"


def test_a_link_that_a_colleague_has_revoked_has_no_form(house: House) -> None:
    house.dealt_in("baccarat", "alice")
    house.act(Table.objects.get(), "alice", {"do": "bet", "on": "player", "amount": 500})
    house.act(Table.objects.get(), "alice", {"do": "done"})
    shared = sharing.share(house.person("alice"), Hand.objects.get().pk, house.now, named=False)
    address = f"/admin/games/sharedhand/{shared.pk}/change/"
    form = {"revoked_why": WHY}
    assert boss("anna").post(address, form).status_code == 302
    assert boss("ben").post(address, form).status_code == 403
