"""Every address of the back office and every role: nothing that the page of roles does not name.

The addresses are those that Django resolves, the filters those that the lists have, and the verbs
those that the journal knows; the page is read as a reader reads it.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from casino.office.frame import members
from casino.office.frame.navigation import pages
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import Proposal
from wallets.office.lists import ColumnFilter
from wallets.staff import approvals, journal
from wallets.values.errors import Refused

GROUPS = tuple(PERMISSIONS)
PAGES_OF_A_ROW = ("change", "history", "delete")
# The overview; and the journal, which has a permission of its own.
LEADS_BACK = ("/admin/?", "/admin/journal/?")
# What no group does: superusers alone, the clock, or the command that founds the house.
OF_NO_ROLE = (approvals.EXPIRED, "command:found")
OF_SUPERUSERS = {"currency.add", "currency.change", "silence.delete"}


class Address(NamedTuple):
    name: str | None
    path: str


def addresses(resolver: Any, before: str = "") -> Iterator[Address]:
    """Every pattern below `/admin/`."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, path)
        elif isinstance(pattern, URLPattern) and path.startswith("admin/"):
            yield Address(pattern.name, path)


ADDRESSES = sorted(set(addresses(get_resolver())), key=str)
OWN = {"admin/login/", "admin/logout/", "admin/password_change/", "admin/autocomplete/"}
OWN |= {"admin/search/"}
REQUESTED = [
    address
    for address in ADDRESSES
    if address.name is not None and address.path not in OWN and address.name not in members.FOR_ALL
]
# Of the member's open till, and no member has one here.
OF_AN_OPEN_TILL = {"desk-count"}
NAMES_OF_PAGES = {page.name for page in pages()}


@cache
def rows() -> list[members.PermittedAction]:
    """What the page says, which the code alone decides."""
    return [row for section in members.sections() for row in section.rows]


def path_of(address: Address) -> str:
    """An address with odd but readable parts: nothing has the number 999999."""
    path = address.path
    for part in ("<int:number>", "<path:object_id>", "<int:content_type_id>"):
        path = path.replace(part, "999999")
    return "/" + path.replace("<path:object_id>", "999999").replace("(?P<url>.*)$", "nothing")


def somebody(group: str) -> Client:
    player = Player.objects.create_user(f"one-of-{group}")
    appoint(player, group)
    return client_of(Player.objects.get(pk=player.pk))


@pytest.mark.django_db
def test_every_address_is_on_the_page() -> None:
    named = frozenset[str]().union(*(row.addresses for row in rows()))
    unnamed = [
        address
        for address in ADDRESSES
        if address.name is not None and address.name not in named and address.path not in OWN
    ]
    assert not unnamed
    assert len(ADDRESSES) > 80


@pytest.mark.django_db
def test_the_page_names_no_address_that_is_not_there() -> None:
    there = {address.name for address in ADDRESSES}
    for row in rows():
        for name in row.addresses - set(members.FOR_ALL):
            # Some lists never change what they show, and have all addresses nevertheless.
            assert name in there, name


def expected(group: str, name: str) -> bool:
    """What the page says: whether a group may open an address at all."""
    (row,) = [row for row in rows() if name in row.addresses]
    return bool(row.cells[group])


def opened_wrongly(requested: Iterable[tuple[str, Address]]) -> list[tuple[str, str | None, int]]:
    """Where a role is answered otherwise than the page says."""
    clients = {group: somebody(group) for group in GROUPS}
    wrong = []
    for role, address in requested:
        answer = clients[role].get(path_of(address))
        # Where there is no such row, Django leads back before it looks at permissions.
        if answer.status_code == 302 and f"{answer['Location']}?".startswith(LEADS_BACK):
            continue
        if answer.status_code not in may_answer(role, address):
            wrong.append((role, address.name, answer.status_code))
    return wrong


@pytest.mark.always
@pytest.mark.parametrize("group", GROUPS)
def test_every_address_opens_as_the_page_says(house: House, group: str) -> None:
    """The first role asks for the first page, the next for the next, beginning with this one."""
    first = GROUPS.index(group)
    turns = cycle([*GROUPS[first:], *GROUPS[:first]])
    pages = [address for address in REQUESTED if address.name in NAMES_OF_PAGES]
    assert not opened_wrongly(zip(turns, pages, strict=False))


@pytest.mark.always
@pytest.mark.parametrize("share", range(5))
@pytest.mark.parametrize("group", GROUPS)
def test_every_list_opens_as_the_page_says(house: House, group: str, share: int) -> None:
    lists = [address for address in REQUESTED if address.name not in NAMES_OF_PAGES]
    assert not opened_wrongly((group, address) for address in lists[share::5])


def may_answer(group: str, address: Address) -> tuple[int, ...]:
    """How an address may answer a group; an address for posts alone answers no look."""
    if not expected(group, str(address.name)):
        return (403, 405)
    if address.name not in NAMES_OF_PAGES:
        # A list may be open for looking and closed for adding: another test reads the cell. A
        # page that belongs to a form leads to it.
        return (200, 302, 403, 404, 405)
    row_is_there = "<" not in address.path and address.name not in OF_AN_OPEN_TILL
    return (200, 405) if row_is_there else (404, 405)


def _label(model: Any) -> str:
    return model._meta.label


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("model", sorted(admin.site._registry, key=_label))
def test_a_list_does_for_a_role_what_its_cell_says(
    house: House, group: str, model: type[Any]
) -> None:
    """Opened, added to, changed and deleted from by a browser."""
    (row,) = [
        row
        for row in rows()
        if f"{model._meta.app_label}_{model._meta.model_name}_changelist" in row.addresses
    ]
    said = set(row.cells[group].split(", ")) & {"view", "add", "change", "delete"}
    client = somebody(group)
    base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    looks = client.get(base).status_code == 200
    # Some lists have no form of their own, and lead to another's.
    adds = client.get(f"{base}add/", follow=True).status_code == 200
    assert looks == bool(said & {"view", "change"})
    assert adds == ("add" in said)
    if not said:
        for page in PAGES_OF_A_ROW:
            assert client.post(f"{base}999999/{page}/", {"post": "yes"}).status_code in (302, 403)


def column_of(entry: Any) -> str:
    """The column that an entry of a list's filters narrows by."""
    if isinstance(entry, type) and issubclass(entry, ColumnFilter):
        return entry.column
    return entry if isinstance(entry, str) else entry[0]


@pytest.mark.django_db
def test_every_filter_is_on_the_page() -> None:
    named = {name: row.filters for row in rows() for name in row.addresses}
    for model, shown in admin.site._registry.items():
        filters = {column_of(entry) for entry in shown.list_filter}
        filters |= {*shown.search_fields, *filter(None, [shown.date_hierarchy])}
        place = f"{model._meta.app_label}_{model._meta.model_name}_changelist"
        assert set(named[place]) == filters, place
    page = client_of(Player.objects.create_superuser("boss")).get("/admin/roles/").text
    assert (
        "by status, game, version of a profile, ended, seats › player › name, table › name" in page
    )


@pytest.mark.always
@pytest.mark.django_db
def test_every_verb_is_on_the_page_with_who_may_do_it() -> None:
    """A new verb says with which permission it is done; none is closed to all roles by mistake."""
    words = {row.words for row in rows()}
    nobody = set()
    for name, verb in journal.verbs().items():
        assert str(verb.words) in words, name
        if name.startswith("test.") or name in OF_NO_ROLE:
            continue
        if not any(members.does(group, name) for group in GROUPS):
            nobody.add(name)
    assert nobody == OF_SUPERUSERS


@pytest.mark.parametrize("group", GROUPS)
def test_a_role_proposes_what_the_page_says(db: None, group: str) -> None:
    player = Player.objects.create_user("sam")
    appoint(player, group)
    member = Player.objects.get(pk=player.pk)
    for name, verb in approvals.registered().items():
        assert verb.may_propose(member) == members.does(group, name), name
        if not members.does(group, name):
            with pytest.raises(Refused) as refusal:
                approvals.submit(member, name, {}, reason="x", key=uuid4(), now=timezone.now())
            assert refusal.value.code == "not_proposer", name


def waiting(name: str) -> Proposal:
    """What a colleague has proposed, about nothing that there is."""
    now = timezone.now()
    return Proposal.objects.create(
        key=uuid4(),
        verb=name,
        subject="nothing:0",
        arguments={"hand": 0, "version": 0},
        state={"seen": "before"},
        maker="player:0",
        maker_name="colleague",
        reason="x",
        made_at=now,
        expires_at=now + timedelta(hours=1),
    )


@pytest.mark.parametrize("group", GROUPS)
def test_a_role_decides_what_the_page_says(db: None, group: str) -> None:
    player = Player.objects.create_user("sam")
    appoint(player, group)
    wrong = []
    for name in approvals.registered():
        for decide, verb in ((approvals.approve, "approve"), (approvals.reject, "reject")):
            may = members.does(group, name) and members.does(group, f"proposal.{verb}")
            proposal, done = waiting(name), "decided"
            try:
                decide(player, proposal.pk, reason="x", now=timezone.now())
            except Refused as refusal:
                done = refusal.code
            # A role that may approve is refused later, because nothing was proposed.
            let_in = "maker_lost_role" if verb == "approve" else "decided"
            if done != (let_in if may else "not_approver"):
                wrong.append((name, verb, done))
    assert not wrong


@pytest.mark.parametrize("group", GROUPS)
def test_staff_read_who_may_what_and_some_the_health_of_the_house(house: House, group: str) -> None:
    client = somebody(group)
    page = client.get("/admin/roles/")
    assert page.status_code == 200
    for words in ("Floor", "Cashiers", "Managers", "Auditors", "Technicians", "Approved"):
        assert words in page.text
    page = client.get("/admin/health/")
    may = group in ("managers", "auditors", "technicians")
    assert page.status_code == (200 if may else 403)
    assert ("does not work" in page.text) == may


def test_a_player_does_not(db: None) -> None:
    client = client_of(Player.objects.create_user("alice"))
    assert client.get("/admin/roles/").status_code == 302
