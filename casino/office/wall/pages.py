"""The wall screen, and the page of the back office on which its links are made and ended.

Until staff end a link, it shows the room to everyone who has it: sums, games and events, and no
person. The screen shows an alarm's title alone, since its sentence may name a player, and only
alarms of the room and of its machines.
"""

import secrets
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.forms import BooleanField, CharField, ChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from casino.office.alarms.conditions import CONDITIONS, OF_THE_HOUSE, OF_THE_ROOM
from casino.office.alarms.models import Alarm
from casino.office.floor import closing, listing
from casino.office.frame.overview import DAY_FIGURES, OfCurrency, day_figures, events_of_today
from casino.office.models import WALL_NAME_MAX, HouseState, WallLink
from games.lobby.listing import Pool, pools
from games.words.refusals import refused_in
from tournaments.models import Tournament
from wallets.of_record.verbs import under
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import OPERATION, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.storage.sealed_columns import digest_of
from wallets.values import house
from wallets.values.errors import Refused
from wallets.values.player import Viewer, player_of

SHOWN: Final = 8


class ShownAlarm(NamedTuple):
    words: str
    since: datetime


class Wall(NamedTuple):
    at: datetime
    totals: listing.Totals
    with_money: bool
    # Today and the same hours a week before, by currency; amounts only where the link shows them.
    days: list[OfCurrency]
    events: list[Tournament]
    pools: list[Pool]
    alarms: list[ShownAlarm]
    house: HouseState


def wall_of(link: WallLink, now: datetime) -> Wall:
    return Wall(
        now,
        listing.totals(listing.rows(now)),
        link.with_money,
        [_visible(day, with_money=link.with_money) for day in day_figures(now).currencies],
        events_of_today(now),
        pools()[:SHOWN],
        _alarms(),
        closing.state(),
    )


def _visible(day: OfCurrency, *, with_money: bool) -> OfCurrency:
    units = [unit for _name, _words, unit in DAY_FIGURES]
    shown = [
        figure
        for figure, unit in zip(day.figures, units, strict=False)
        if with_money or unit == "count"
    ]
    return day._replace(figures=shown)


def _alarms() -> list[ShownAlarm]:
    """The titles of open alarms, the newest first."""
    words = {
        kind: condition.words
        for kind, condition in CONDITIONS.items()
        if condition.permission in (OF_THE_HOUSE, OF_THE_ROOM)
    }
    rows = Alarm.objects.filter(cleared_at=None, kind__in=words).order_by("-raised_at")
    return [ShownAlarm(str(words[alarm.kind]), alarm.raised_at) for alarm in rows[:SHOWN]]


PERMISSION: Final = "backoffice.manage_wall"
MADE: Final = journal.register(
    "wall.make", _("Made a link to the wall screen"), permission=PERMISSION
)
ENDED: Final = journal.register(
    "wall.end", _("Ended a link to the wall screen"), permission=PERMISSION
)
CODE_BYTES: Final = 24
OPEN_MAX: Final = 20


def opened_by(code: str) -> WallLink | None:
    """The link that has this code and has not ended."""
    return WallLink.objects.filter(code_digest=digest_of(code), ended_at=None).first()


@under(MADE)
def make_link(
    member: Viewer, name: str, language: str, *, with_money: bool, reason: str, now: datetime
) -> WallLink:
    _require(member)
    name = " ".join(name.replace("\0", " ").split())
    if not 1 <= len(name) <= WALL_NAME_MAX:
        raise Refused(
            "wall_name", _("A link has a name of 1 to {most} characters."), most=WALL_NAME_MAX
        )
    if language not in dict(settings.LANGUAGES):
        raise Refused("wall_language", _("Choose the language of the screen."))
    with transaction.atomic():
        if WallLink.objects.filter(ended_at=None).count() >= OPEN_MAX:
            raise Refused(
                "too_many_walls", _("{most} links are open. End one first."), most=OPEN_MAX
            )
        link = WallLink(name=name, language=language, with_money=with_money, made_at=now)
        link.code = secrets.token_urlsafe(CODE_BYTES)
        link.save(force_insert=True)
        journal.write(
            journal.by(member),
            MADE,
            link.reference,
            before={},
            after={"name": name, "language": language, "with_money": with_money},
            reason=reason,
            now=now,
        )
    return link


@under(ENDED)
def end_link(member: Viewer, number: int, *, reason: str, now: datetime) -> WallLink:
    """The link opens nothing from now on, on screens that show it, too."""
    _require(member)
    with transaction.atomic():
        rows = WallLink.objects.select_for_update(no_key=True)
        link = rows.filter(pk=number, ended_at=None).first()
        if link is None:
            raise Refused("no_such_wall", _("There is no such link."))
        link.ended_at = now
        link.save(update_fields=["ended_at"])
        journal.write(
            journal.by(member),
            ENDED,
            link.reference,
            before={"name": link.name},
            after={"ended_at": now},
            reason=reason,
            now=now,
        )
    return link


def _require(member: Viewer) -> None:
    if not member.has_perm(PERMISSION):
        raise Refused("not_permitted", _("Your role cannot do this."))


@require_safe
def wall_page(request: HttpRequest, code: str) -> HttpResponse:
    """The whole screen, or its figures alone, which it asks for again and again."""
    link = opened_by(code)
    if link is None:
        if "part" in request.GET:
            # In place of the figures, on the screens that still show them.
            return render(request, "backoffice/wall/ended.html", status=404)
        raise Http404
    name = "figures" if "part" in request.GET else "page"
    language = house.current().language(link.language)
    with translation.override(language):
        context = {"link": link, "language": language, "wall": wall_of(link, timezone.now())}
        answer = render(request, f"backoffice/wall/{name}.html", context)
    answer["X-Robots-Tag"] = "noindex"
    answer["Referrer-Policy"] = "no-referrer"
    return answer


class LinkForm(ReasonForm):
    field_order = ("name", "language", "with_money", "reason")
    name = CharField(
        label=_("Name"),
        max_length=WALL_NAME_MAX,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Where the screen hangs, for example."),
    )
    language = ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, widget=UnfoldAdminSelectWidget
    )
    with_money = BooleanField(
        label=_("With revenue and the money at the tables"),
        required=False,
        widget=UnfoldBooleanWidget,
    )


@staff_page(
    "wall-links",
    "wall/",
    _("Wall screen"),
    PERMISSION,
    menu=Menu(OPERATION, "tv", 70),
    begins="wall-links",
)
@require_http_methods(["GET", "HEAD", "POST"])
def links_page(request: HttpRequest) -> HttpResponse:
    """All open links, with their addresses for those who may end them."""
    member, now, ends = player_of(request), timezone.now(), request.POST.get("end", "")
    sent = request.POST if request.method == "POST" else None
    form, ending = LinkForm(None if ends else sent), ReasonForm(sent if ends else None)
    if ends.isdecimal() and len(ends) < 19 and ending.is_valid():
        with refused_in(ending):
            end_link(member, int(ends), reason=ending.cleaned_data["reason"], now=now)
            return redirect("wall-links")
    elif sent is not None and not ends and form.is_valid():
        with refused_in(form):
            values = form.cleaned_data
            make_link(
                member,
                values["name"],
                values["language"],
                with_money=values["with_money"],
                reason=values["reason"],
                now=now,
            )
            return redirect("wall-links")
    languages = dict(settings.LANGUAGES)
    rows = [
        (
            link,
            request.build_absolute_uri(reverse("wall", args=[link.code])),
            languages.get(link.language, link.language),
        )
        for link in WallLink.objects.filter(ended_at=None).order_by("pk")
    ]
    return office_page(
        request,
        "wall/links.html",
        _("Wall screen"),
        rows=rows,
        ended=WallLink.objects.exclude(ended_at=None).order_by("-ended_at")[:10],
        form=form,
        ending=ending,
    )
