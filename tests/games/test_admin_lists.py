"""A list of the back office answers what it offers, for every role and by every way to a column."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from html import unescape
from io import StringIO
from re import findall
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup, DisallowedModelAdminToField
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db.models import Model
from django.db.models.expressions import BaseExpression, Col
from django.db.models.lookups import Lookup
from django.db.models.sql import Query
from django.db.models.sql.where import WhereNode
from django.http import Http404
from django.test import Client, RequestFactory

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, appoint
from casino.office.frame.office_search import suggestions
from casino.ops.log_lines import Lines
from games.models import Move, Shoe
from games.tables.hand_state import cards_of
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.office.lists import OfferedLookups

ROLES = (*PERMISSIONS, "superuser")
LISTS = sorted(admin.site._registry, key=lambda model: model._meta.label)
JOINS = 3
# One in so many lookups is asked for by an address.
LOOKUPS = 5
# What is queries of a column in order to guess it.
GUESSES = ("", "__startswith")


def label(model: type[Model]) -> str:
    return model._meta.label_lower


def list_of(model: type[Model]) -> Any:
    return admin.site._registry[model]


def address_of(model: type[Model]) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


@cache
def paths(model: type[Model], joins: int) -> frozenset[str]:
    """Every column that a lookup can name from here, relations without a name ("+") included."""
    lookups = set()
    for field in model._meta.get_fields(include_hidden=True):
        lookups.add(field.name)
        if field.is_relation and joins and isinstance(field.related_model, type):
            lookups |= {f"{field.name}__{rest}" for rest in paths(field.related_model, joins - 1)}
    return frozenset(lookups)


def play(house: House) -> Move:
    """Something for most lists to show, and a hand in which one has laid down their cards."""
    for role in PERMISSIONS:
        appoint(Player.objects.create_user(role), role)
    Player.objects.create_superuser("superuser")
    house.bots(2)
    # Its moves name no card: those of the hand that runs would be found among them.
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.hands_dealt > 1)
    running = house.dealt_in("thirteen_taiwan", "bob", "carol", "dave", "erin")
    house.act(running, "bob", house.best_action(running, "bob"))
    return Move.objects.get(hand=running.hand)


evening = played_once(play)
pytestmark = pytest.mark.usefixtures("tonight", "house")


def member(role: str) -> Client:
    return client_of(Player.objects.get(username=role))


def requests_of(role: str) -> Any:
    """Makes requests of a member of staff in a role, without the way through the middleware."""
    player, factory = Player.objects.get(username=role), RequestFactory()

    def get(address: str, query: dict[str, str]) -> Any:
        request = factory.get(address, query)
        request.user = player
        return request

    return get


def lists_open_to(client: Client) -> Iterator[tuple[type[Model], Any]]:
    for model in LISTS:
        answer = client.get(address_of(model))
        if answer.status_code == 200:
            yield model, answer


@pytest.mark.always
def test_every_list_keeps_to_what_it_offers() -> None:
    for model in LISTS:
        assert isinstance(list_of(model), OfferedLookups), label(model)


@pytest.mark.always
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("model", LISTS, ids=label)
def test_a_list_filters_orders_and_names_rows_by_what_it_offers(
    model: type[Model], role: str
) -> None:
    """All columns up to three joins away and the ways to guess at them; one join in addresses."""
    get, shown, address = requests_of(role), list_of(model), address_of(model)
    offered = offered_by(model, get)
    # One request for all: a list goes through its filters once a request.
    request = get(address, {})
    for path in paths(model, JOINS):
        for guess in GUESSES:
            lookup = path + guess
            assert shown.lookup_allowed(lookup, "1", request) == (lookup in offered), lookup
    # The list asks for each lookup alike.
    for lookup in sorted(paths(model, 1) - offered)[::LOOKUPS]:
        with pytest.raises(DisallowedModelAdminLookup):
            shown.get_changelist_instance(get(address, {lookup: "1"}))
    for path in sorted(paths(model, 1) - {model._meta.pk.name}):
        with pytest.raises(DisallowedModelAdminToField):
            shown.get_changelist_instance(get(address, {"_to_field": path}))

    def ordered(query: dict[str, str]) -> set[str]:
        listed = shown.get_changelist_instance(get(address, query))
        return {name.lstrip("-") for name in listed.queryset.query.order_by}

    columns = shown.get_list_display(request)
    orders = {"pk", "id", *columns} | ordered({})
    for column in columns:
        shows = column if callable(column) else getattr(shown, column, None)
        orders.add(getattr(shows, "admin_order_field", column))
    every = range(len(columns) + 2)
    numbers = [".".join(f"{sign}{number}" for number in every) for sign in ("", "-")]
    wild = ["-99", "1.1.1", "password", "-password", "1__password", "x", "..", "9" * 30]
    for order in (*numbers, *wild):
        assert ordered({"o": order}) <= orders, order


def offered_by(model: type[Model], get: Any) -> set[str]:
    """The lookups in the links of the filters that a list shows."""
    shown, request = list_of(model), get(address_of(model), {})
    listed = shown.get_changelist_instance(request)
    offered = {name for spec in listed.filter_specs for name in spec.expected_parameters()}
    for spec in shown.list_filter:
        if isinstance(spec, type):
            # One by a column of its own has its name, and is shown with all its choices.
            continue
        # A filter with one choice is not shown, and may be queries for.
        name = spec if isinstance(spec, str) else spec[0]
        offered |= {f"{name}__exact", f"{name}__isnull"} & allowed_by(shown, request, name)
        key: Any = shown.model._meta.get_field(name).related_model
        if key:
            offered.add(f"{name}__{key._meta.pk.name}__exact")
    if shown.date_hierarchy:
        offered |= {f"{shown.date_hierarchy}__{part}" for part in ("year", "month", "day")}
    return offered


def allowed_by(shown: Any, request: Any, name: str) -> set[str]:
    return {
        lookup
        for lookup in (f"{name}__exact", f"{name}__isnull")
        if shown.lookup_allowed(lookup, "1", request)
    }


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("page", "lookup"),
    [
        ("games/seat", "table__hands__moves__action__front__icontains=Ad"),
        ("games/seat", "table__hands__context__bonus_card__icontains=9h"),
        ("games/seat", "table__name__startswith=d"),
        ("games/hand", "ended_at__gte=2020-01-01"),
        ("games/hand", "status__in=live"),
        ("players/player", "groups__user__password__regex=^scrypt"),
        ("players/player", "groups__name=managers"),
        ("wallets/account", "currency__+__player__password__startswith=scrypt"),
        ("wallets/account", "currency__kind=play"),
        ("admin/logentry", "content_type__logentry__user__password__startswith=s"),
        ("games_chat/chatline", "table__shoe__secret__startswith=g"),
    ],
)
def test_the_address_of_a_list_guesses_at_nothing(role: str, page: str, lookup: str) -> None:
    client = member(role)
    may_look = client.get(f"/admin/{page}/").status_code == 200
    answer = client.get(f"/admin/{page}/?{lookup}")
    assert answer.status_code == (400 if may_look else 403)
    answer = client.post(f"/admin/{page}/?{lookup}", {"action": "", "index": 0})
    assert answer.status_code == (400 if may_look else 403)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """The lines that the house writes to its log with the project's settings."""
    (handler,) = [
        handler for handler in logging.root.handlers if isinstance(handler.formatter, Lines)
    ]
    written = StringIO()
    monkeypatch.setattr(handler, "stream", written)
    return written


def test_refused_request_is_one_line_of_the_log(log: StringIO) -> None:
    """A thousand guessed lookups leave a thousand lines in the log, and no traceback."""
    client = member("auditors")
    for address, status in (
        ("games/seat/?table__name__startswith=d", 400),
        ("games/seat/?_to_field=table", 400),
        ("games/seat/?status__exact=1&e=1", 400),
        ("wallets/jackpot/add/", 403),
        ("autocomplete/", 404),
    ):
        log.truncate(0)
        log.seek(0)
        assert client.get(f"/admin/{address}").status_code == status
        (line,) = log.getvalue().splitlines()
        assert " WARNING django." in line


@pytest.mark.parametrize("role", ROLES)
def test_links_shown_in_lists_work(role: str) -> None:
    """Filters, dates, orders, pages and counts, as the pages have them."""
    get = requests_of(role)
    client = member(role)
    followed = 0
    for model, answer in lists_open_to(client):
        links = {unescape(link) for link in findall(r'href="(\?[^"]+)"', answer.text)}
        for spec in answer.context["cl"].filter_specs:
            links |= {choice["query_string"] for choice in spec.choices(answer.context["cl"])}
        for link in sorted(links):
            query = dict(parse_qsl(link.removeprefix("?")))
            list(list_of(model).get_changelist_instance(get(address_of(model), query)).result_list)
            followed += 1
        assert client.get(address_of(model) + max(links, default="")).status_code == 200
    assert followed > (10 if role == "technicians" else 20)


# What is typed into a search: a name, codes, a key, a number, and the end of a link.
TYPED = ("alice", "T1-H1", "5f0c9d3e-6b1f-4b52-9b6c-3d0a4f3b2a11", "player:7", "7", "x" * 43)
# The words in which lists show columns that are not shown as they are.
SHOWN_AS = {
    "username_key": ("username",),
    "is_bot": ("kind",),
    "is_guest": ("kind",),
    "number": ("code", "named"),
    "reference": ("about",),
    "owner": ("whose",),
    "amount": ("moved",),
    "kind": ("what", "kind_in_words"),
}


def compared_in(node: Any) -> Iterator[tuple[type[Model], str]]:
    """The columns, with their tables, by which the conditions of a query choose rows."""
    if isinstance(node, Query):
        yield from compared_in(node.where)
    elif isinstance(node, WhereNode):
        for child in node.children:
            yield from compared_in(child)
    elif isinstance(node, Col):
        yield node.target.model, node.target.name
    elif isinstance(node, BaseExpression | Lookup):
        for part in node.get_source_expressions():
            yield from compared_in(part)
        yield from compared_in(getattr(node, "rhs", None))


@pytest.mark.always
@pytest.mark.parametrize("role", ROLES)
def test_search_and_filters_choose_by_what_the_reader_may_see(role: str) -> None:
    """Each column by which a search or a filter chooses rows is shown to that role, in its list."""
    get = requests_of(role)
    opened = {model: get(address_of(model), {}) for model in LISTS}
    words = {
        model: {
            *list_of(model).get_list_display(request),
            *flatten_fieldsets(list_of(model).get_fieldsets(request)),
        }
        for model, request in opened.items()
        if list_of(model).has_view_permission(request)
    }
    hidden = set()
    for model in words:
        shown, request = list_of(model), opened[model]
        rows = shown.get_queryset(request)
        queries = [rows.filter(**{lookup: None}) for lookup in filtered(shown)]
        for typed in TYPED if shown.get_search_fields(request) else ():
            searched = get(address_of(model), {"q": typed})
            queries.append(shown.get_changelist_instance(searched).queryset)
        chosen = {column for query in queries for column in compared_in(query.query)}
        chosen -= {*compared_in(rows.query)}
        hidden |= {(label(model), *column) for column in chosen if not is_shown(*column, words)}
    assert hidden == set()


def filtered(shown: Any) -> Iterator[str]:
    """The columns of the filters of a list."""
    for spec in shown.list_filter:
        name = spec if isinstance(spec, str) else getattr(spec, "column", None)
        yield name or spec[0]


def is_shown(owner: Any, column: str, words: dict[type[Model], set[Any]]) -> bool:
    """Whether a column is shown in the list or the form of its table; keys only join tables."""
    owner = owner._meta.auto_created or owner
    field = next((field for field in owner._meta.fields if field.name == column), None)
    if owner not in words or field is None or field.primary_key or field.is_relation:
        return owner in words
    return not words[owner].isdisjoint({column, *SHOWN_AS.get(column, ())})


@pytest.mark.always
@pytest.mark.parametrize("role", ROLES)
def test_a_field_suggests_to_those_who_fill_it_in(role: str) -> None:
    """Every field of every table of the database, and one that a form of the back office has."""
    get = requests_of(role)
    silence = ("games_chat", "silence", "player")
    for model in apps.get_models():
        for field in model._meta.get_fields(include_hidden=True):
            names = (model._meta.app_label, model._meta.model_name, field.name)
            query = dict(zip(("app_label", "model_name", "field_name"), names, strict=True))
            request = get("/admin/autocomplete/", query)
            if names != silence:
                refusal: type[Exception] = Http404
            elif role in ("floor", "managers", "superuser"):
                assert suggestions(request).status_code == 200
                continue
            else:
                refusal = PermissionDenied
            with pytest.raises(refusal):
                suggestions(request)


ODD = ("", "x", "0", "-1", "9" * 30, "a b", "games.hand", "é", "%00", "[]", "player__groups")


def test_odd_questions_are_answered_quietly(caplog: pytest.LogCaptureFixture) -> None:
    good = {"app_label": "games_chat", "model_name": "silence", "field_name": "player"}
    floor, boss = member("floor"), member("superuser")
    questions = [{}, {"app_label": "games_chat", "model_name": "silence"}]
    for odd in ODD:
        questions += [good | {name: odd} for name in ("model_name", "field_name")]
        questions.append(dict.fromkeys(good, odd))
        for query in (good | {"term": odd}, good | {"page": odd}):
            assert boss.get("/admin/autocomplete/", query).status_code in (200, 400, 404)
        for query in ({"s": odd}, {"s": "games", "page": odd}):
            assert boss.get("/admin/search/", query).status_code in (200, 400, 404)
    for query in questions:
        assert floor.get("/admin/autocomplete/", query).status_code in (400, 404), query
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("model", LISTS, ids=label)
def test_odd_values_and_keys_are_no_faults(model: type[Model]) -> None:
    """Any value in an address is read, refused or ignored, without a server error."""
    get, client, address = requests_of("superuser"), member("superuser"), address_of(model)
    names = ("q", "p", "all", "o", "e", "_facets", "_popup", "_to_field")
    for name in (*names, *sorted(offered_by(model, get))):
        for odd in ("", "x", "-1", "9" * 30, "%00", "player__groups"):
            with suppress(IncorrectLookupParameters, SuspiciousOperation):
                request = get(address, {name: odd})
                list(list_of(model).get_changelist_instance(request).result_list)
    for odd in ("x", "-1", "9" * 30, "_", "_5F"):
        for page in ("change", "history", "delete"):
            answer = client.get(f"{address}{odd}/{page}/")
            assert answer.status_code in (302, 403, 404), page


# What the pages say


@pytest.mark.parametrize("role", ROLES)
def test_no_page_holds_a_secret(role: str, tonight: Evening[Move]) -> None:
    """Lists, rows and their histories, while a hand runs."""
    secrets = {*Player.objects.values_list("password", flat=True)}
    secrets |= {*Shoe.objects.values_list("secret", flat=True)}
    running = cards_of(tonight.made.hand)
    secrets |= {card.text.join(marks) for card in running for marks in ("''", '""', "><")}
    client = member(role)
    seen = 0
    for model, answer in lists_open_to(client):
        pages = [answer]
        for row in answer.context["cl"].result_list[:2]:
            of_row = f"{address_of(model)}{row.pk}/"
            pages += [client.get(f"{of_row}{page}/") for page in ("change", "history", "delete")]
        for page in pages:
            text = unescape(page.text) if page.status_code == 200 else ""
            assert not [secret for secret in secrets if secret in text], page.request["PATH_INFO"]
            seen += 1
    assert seen > (5 if role == "technicians" else 20)


@pytest.mark.parametrize("role", ROLES)
def test_a_running_hand_has_no_moves_by_any_address(role: str, tonight: Evening[Move]) -> None:
    move, client = tonight.made, member(role)
    address, ended = "/admin/games/move/", Move.objects.exclude(hand__status="live").count()
    for page in ("change", "history", "delete"):
        for extra in ("", "?_popup=1", "?_to_field=id", "?_changelist_filters=by__exact%3Dplayer"):
            answer = client.get(f"{address}{move.pk}/{page}/{extra}")
            assert answer.status_code in (302, 403), (page, extra)
    for query in ("?q=thirteen", "?all=", "?by__exact=player", "?p=1", "?_facets=True", "?e=1"):
        response = client.get(f"{address}{query}")
        assert response.status_code in (200, 403), query
        assert f"{address}{move.pk}/" not in response.text
        assert response.status_code == 403 or response.context["cl"].result_count <= ended


# The filters of the API


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("tables/", "games.table"),
        ("hands/", "games.hand"),
        ("wallet/PLAY/", "wallets.entry"),
    ],
)
def test_the_filters_of_the_api_guess_at_nothing(address: str, named: str) -> None:
    alice = Program("alice")
    known = {"game", "currency", "phase", "table"}
    model: Any = apps.get_model(named)
    columns = paths(model, 0)
    for lookup in sorted((columns | {f"{path}__startswith" for path in columns}) - known):
        answer = alice.get(address, **{lookup: "1"})
        assert (alice.status, answer["code"]) == (400, "unknown_field"), lookup
