"""The wall screen, and the page of the back office on which its links are made and ended."""

from django.conf import settings
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

from casino.office.models import WALL_NAME_MAX, WallLink
from casino.office.wall import links
from casino.office.wall.figures import wall_of
from casino.office.wall.links import PERMISSION
from games.words.refusals import refused_in
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import OPERATION, Menu, office_page, staff_page
from wallets.values import house
from wallets.values.player import player_of


@require_safe
def wall_page(request: HttpRequest, code: str) -> HttpResponse:
    """The whole screen, or its figures alone, which it asks for again and again."""
    link = links.opened_by(code)
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
            links.end(member, int(ends), reason=ending.cleaned_data["reason"], now=now)
            return redirect("wall-links")
    elif sent is not None and not ends and form.is_valid():
        with refused_in(form):
            values = form.cleaned_data
            links.make(
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
