"""Searches of the office: everything by name or number, and suggestions for a field.

It compares names and numbers that lists show, and shows nothing else of a row, so no search reveals
a card, a code or a key.

Both answer only the requests that the pages send and ignore everything else in the URL.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.admin.exceptions import NotRegistered
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey, Max, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player as Players
from casino.accounts.names import name_key
from casino.office.desk import receipts
from casino.office.floor import floor_search
from casino.office.floor.floor_search import FOUND_MAX, Found, called
from casino.office.frame.navigation import links
from casino.office.players.office_pages import PLAYERS
from games.models import Profile, ProfileVersion, Shoe
from games.profiles import drafts
from tournaments.models import Tournament
from wallets.models import Jackpot
from wallets.money.limits import LIMITS
from wallets.office.staff_pages import PAGES
from wallets.staff import approvals, journal
from wallets.values.player import Player, player_of

# The largest key that a database holds has 19 digits.
DIGITS_MAX: Final = 18
_ARTICLES: Final = frozenset({"a", "an", "the"})


class Source(NamedTuple):
    """Rows with a page each: its permission, and the query of the rows that match."""

    kind: str | Promise
    # One of them is enough; without any the rows themselves depend on the viewer.
    permissions: tuple[str, ...]
    rows: Callable[[Player, str], QuerySet[Any]]
    words: Callable[[Any], str]
    address: Callable[[Any], str]

    def is_open_to(self, member: Player) -> bool:
        return not self.permissions or any(map(member.has_perm, self.permissions))


def _receipts(member: Player, typed: str) -> QuerySet[Any]:
    return receipts.visible_to(member).filter(number__istartswith=typed)


def _events(_member: Player, typed: str) -> QuerySet[Any]:
    wanted = called(typed, Tournament.objects.all(), lambda name: Tournament(name=name).title)
    return Tournament.objects.filter(wanted | _numbered(typed))


def _jackpots(_member: Player, typed: str) -> QuerySet[Any]:
    return Jackpot.objects.filter(name__icontains=typed)


def _shoes(_member: Player, typed: str) -> QuerySet[Any]:
    """Shoes that are no longer in play."""
    over = (Shoe.Status.SPENT, Shoe.Status.VOID)
    return Shoe.objects.filter(code__istartswith=typed, status__in=over)


def _profiles(_member: Player, typed: str) -> QuerySet[Any]:
    named = Profile.objects.filter(name__icontains=typed)
    latest = named.annotate(latest=Max("versions")).values("latest")
    return ProfileVersion.objects.filter(pk__in=latest).select_related("profile")


def _proposals(member: Player, typed: str) -> QuerySet[Any]:
    return approvals.visible_to(member).filter(_numbered(typed))


def _numbered(typed: str) -> Q:
    """The row whose number is typed, as `#12` or `12`."""
    number = typed.removeprefix("#")
    fits = number.isdecimal() and number.isascii() and len(number) <= DIGITS_MAX
    return Q(pk=int(number)) if fits else Q(pk__in=())


SOURCES: Final = (
    Source(
        _("Receipt"),
        (receipts.WORK, receipts.SEE_ALL),
        _receipts,
        lambda one: one.number,
        lambda one: reverse("desk-receipt", args=[one.number]),
    ),
    Source(
        _("Tournament"),
        ("tournaments.view_tournament",),
        _events,
        lambda one: f"{one.title} #{one.pk}",
        lambda one: reverse("admin:tournaments_tournament_change", args=[one.pk]),
    ),
    Source(
        _("Jackpot"),
        ("wallets.view_jackpot",),
        _jackpots,
        str,
        lambda one: reverse("admin:wallets_jackpot_change", args=[one.pk]),
    ),
    Source(
        _("Shoe"),
        ("games.view_shoe",),
        _shoes,
        str,
        lambda one: reverse("admin:games_shoe_change", args=[one.pk]),
    ),
    Source(
        _("Profile"),
        (drafts.VIEW,),
        _profiles,
        str,
        lambda one: reverse("profile", args=[one.pk]),
    ),
    Source(
        _("Proposal"),
        (),
        _proposals,
        lambda one: f"#{one.pk} {journal.words_of(one.verb)}",
        lambda one: reverse("proposal", args=[one.pk]),
    ),
)


def search(request: HttpRequest, typed: str) -> list[Found]:
    """Return what is called as typed: pages and settings, then a few rows of each kind."""
    typed = typed.replace("\0", "").strip()[: floor_search.TYPED_MAX]
    if not typed:
        return []
    member = player_of(request)
    return [
        *_pages(request, typed.casefold()),
        *_limits(member, typed.casefold()),
        *_actions(member, typed),
        *floor_search.find(member, typed),
        *_rows(member, typed),
    ]


def _pages(request: HttpRequest, typed: str) -> Iterator[Found]:
    for link in links(request):
        kind = str(link.menu.under.words)
        if typed in link.words.casefold() or typed in kind.casefold():
            yield Found(kind, link.words, "", link.address)


def _limits(member: Player, typed: str) -> Iterator[Found]:
    """The settings of the house that staff change; all are on one page each."""
    if not member.has_perm("wallets.view_account"):
        return
    for _default, words in LIMITS.values():
        if typed in str(words).casefold():
            yield Found(str(_("Limit")), str(words), "", reverse("limits"))


def _actions(member: Player, typed: str) -> Iterator[Found]:
    """What can be done: `close the shift`, `freeze`, or `freeze alice` for one player."""
    words = set(typed.casefold().split()) - _ARTICLES
    *verb, name = typed.split() if len(typed.split()) > 1 else (typed, "")
    player = Players.objects.filter(username_key=name_key(name)).first() if name else None
    for page in PAGES.values():
        if not page.begins or not page.is_open_to(member.has_perm):
            continue
        said = str(page.words).casefold()
        if words and all(word in said for word in words):
            yield Found(str(_("Action")), str(page.words), "", reverse(page.begins))
        elif (
            player is not None
            and page.begins == PLAYERS
            and all(word.casefold() in said for word in verb)
        ):
            address = reverse(page.name, args=[player.pk])
            yield Found(str(_("Action")), str(page.words), player.username, address)


def _rows(member: Player, typed: str) -> Iterator[Found]:
    for source in SOURCES:
        if source.is_open_to(member):
            for row in source.rows(member, typed).order_by("-pk")[:FOUND_MAX]:
                yield Found(str(source.kind), source.words(row), "", source.address(row))


class Suggestions(AutocompleteJsonView):
    """Suggestions for a field, for users who may fill in the form that contains it.

    Otherwise a reader could search any table through a field of another one.
    """

    def process_request(
        self, request: HttpRequest
    ) -> "tuple[str, ModelAdmin[Any], ForeignKey[Any, Any], str]":
        names = ("app_label", "model_name", "field_name")
        app, model, field = (request.GET.get(name, "") for name in names)
        try:
            form = admin.site.get_model_admin(apps.get_model(app, model))
        except (LookupError, NotRegistered, ValueError):
            raise Http404 from None
        if field not in form.get_autocomplete_fields(request):
            raise Http404
        if not (form.has_add_permission(request) or form.has_change_permission(request)):
            raise PermissionDenied
        return super().process_request(request)


def suggestions(request: HttpRequest) -> HttpResponseBase:
    return Suggestions.as_view(admin_site=admin.site)(request)


def search_page(request: HttpRequest) -> HttpResponse:
    """Return what is called as typed, for the search that Ctrl-K opens on every page."""
    typed = request.GET.get("s", "")
    context = {"results": search(request, typed), "typed": typed.strip()}
    headers = {"HX-Trigger": "search"}
    return TemplateResponse(request, "backoffice/search_results.html", context, headers=headers)
