"""The pages of the floor: all tables, one table, the search, the chart, and each action."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.alarms import taking
from casino.alarms.delivering import words_of
from casino.backoffice.floor import house_state, listing
from casino.backoffice.floor.actions import ACTIONS, Action
from casino.backoffice.floor.chart import chart
from casino.backoffice.floor.floor_search import find
from casino.backoffice.floor.vitals import vitals
from games.live.announcing import LOBBY_STREAM
from games.live.sources import stream_path
from games.lobby.listing import fingerprint, pools
from games.models import Hand, Table
from games.templatetags.remembered import joined, remembered
from games.words.families import FAMILIES
from games.words.refusals import REFUSALS, sentence_of
from wallets import approvals, journal
from wallets.amounts import show_amount
from wallets.models import Currency
from wallets.player import Player, player_of

PROPOSALS_SHOWN = 5
ALARMS_SHOWN = 6
HANDS_SHOWN = 8
NUMBER_BITS = 63


@require_safe
def floor_page(request: HttpRequest) -> HttpResponse:
    """The floor, or the part that changes; nothing where the reader has been shown it."""
    context = floor_context(request)
    context["marks"] = [row.mark for row in context["rows"]]
    context["mark"] = _mark(context)
    if request.GET.get("known") == context["mark"]:
        return HttpResponse(status=204)
    context["cards"] = joined(
        remembered("backoffice/floor/card.html", row=mark) for mark in context["marks"]
    )
    if "part" not in request.GET:
        return TemplateResponse(
            request, "backoffice/floor/page.html", admin.site.each_context(request) | context
        )
    return render(request, "backoffice/floor/part.html", context)


def _mark(context: dict[str, Any]) -> str:
    """A hash of what changes on the floor, but for what browsers count themselves."""
    alarms = [(one["alarm"].pk, one["alarm"].taken_at) for one in context["alarms"]]
    return fingerprint(
        get_language(),
        context["marks"],
        context["totals"],
        context["pools"],
        alarms,
        context["house"].version,
        [one["proposal"].pk for one in context["proposals"]],
        [line.ok for line in context["vitals"].lines],
    )


def floor_context(request: HttpRequest) -> dict[str, Any]:
    member, now = player_of(request), timezone.now()
    view, all_rows = listing.view_of(request.GET), listing.rows(now)
    families: dict[str, int] = {}
    for row in all_rows:
        families[row.family] = families.get(row.family, 0) + 1
    return {
        "title": _("Floor"),
        "now": now,
        "view": view,
        "rows": view.choose(all_rows),
        "all": len(all_rows),
        "families": [
            (one.key, one.name, families[one.key]) for one in FAMILIES if one.key in families
        ],
        "totals": listing.totals(all_rows),
        "vitals": vitals(now),
        "pools": pools(),
        "chart": chart(now),
        "alarms": open_alarms(member),
        "house": house_state.state(),
        "proposals": waiting(member, now),
        "may": allowed(member),
        "streams": [LOBBY_STREAM, stream_path(house_state.STREAM, house_state.ROW)],
    }


def open_alarms(member: Player) -> list[dict[str, Any]]:
    """What nobody has taken comes first."""
    found = taking.visible_to(member).filter(cleared_at__isnull=True)
    first = found.order_by(F("taken_at").asc(nulls_first=True), "-raised_at")
    return [
        {"alarm": one, "words": words_of(one), "table": table_of(one.subject)}
        for one in first[:ALARMS_SHOWN]
    ]


def table_of(subject: str) -> int:
    """The number of the table that an alarm is about; 0 if it is about something else."""
    kind, _colon, number = subject.partition(":")
    return int(number) if kind == "table" and number.isdecimal() else 0


def waiting(member: Player, now: Any) -> list[dict[str, Any]]:
    """The proposals that the member can decide."""
    others = approvals.waiting(now).exclude(maker=journal.by(member).reference)
    some = list(others.order_by("-pk")[: approvals.COUNTED])
    mine = approvals.decidable(member, some)
    return [
        {"proposal": one, "words": journal.words_of(one.verb)} for one in some if one.pk in mine
    ][:PROPOSALS_SHOWN]


def allowed(member: Player) -> dict[str, bool]:
    """Which actions to offer, by their names in templates; the verbs ask again."""
    may = {action.name.replace("-", "_"): member.has_perm(action.permission) for action in ACTIONS}
    return may | {
        "take": member.has_perm(taking.TAKE),
        "void": member.has_perm("games.void_live_hand"),
    }


@require_safe
def table_page(request: HttpRequest, number: int) -> HttpResponse:
    """One table: who sits there with how much, the last hands, and what can be done."""
    member, now = player_of(request), timezone.now()
    row = listing.one(number, now) if number.bit_length() <= NUMBER_BITS else None
    if row is None:
        raise Http404
    currency = Currency.objects.get(pk=row.currency)
    live = Hand.objects.filter(table=number, status=Hand.Status.LIVE).first()
    context = {
        **admin.site.each_context(request),
        "title": row.name,
        "row": row,
        "seats": [(one, show_amount(one.stack, currency)) for one in row.sitters],
        "live": live,
        "hands": Hand.objects.filter(table=number).order_by("-id")[:HANDS_SHOWN],
        "may": allowed(member),
        "closed": row.status == Table.Status.CLOSED,
    }
    return TemplateResponse(request, "backoffice/floor/table.html", context)


@require_safe
def find_page(request: HttpRequest) -> HttpResponse:
    """What fits; a single result is shown at once."""
    typed = request.GET.get("q", "")
    found = find(player_of(request), typed)
    if len(found) == 1:
        return redirect(found[0].address)
    context = {
        **admin.site.each_context(request),
        "title": _("Search"),
        "typed": typed,
        "found": found,
    }
    return TemplateResponse(request, "backoffice/floor/found.html", context)


def page_of(action: Action) -> Callable[..., HttpResponse]:
    """The page that asks why, and then carries the action out."""

    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, number: int = 0) -> HttpResponse:
        if action.of_table and not _is_table(number):
            raise Http404
        form = action.form(request.POST if request.method == "POST" else None)
        back = reverse("floor-table", args=[number]) if action.of_table else reverse("floor")
        if request.method == "POST" and form.is_valid():
            try:
                action.run(player_of(request), number, form.cleaned_data, timezone.now())
            except REFUSALS as refusal:
                form.add_error(None, sentence_of(refusal))
            else:
                messages.success(request, str(action.done))
                return redirect(back)
        game = request.GET.get("game")
        if game and "game" in form.fields:
            form.initial["game"] = game
        context = {
            **admin.site.each_context(request),
            "title": action.words,
            "table": Table.objects.filter(pk=number).first() if action.of_table else None,
            "effects": action.effects(number),
            "note": action.note,
            "form": form,
            "back": back,
        }
        return TemplateResponse(request, "backoffice/floor/ask.html", context)

    return page


def _is_table(number: int) -> bool:
    return number.bit_length() <= NUMBER_BITS and Table.objects.filter(pk=number).exists()
