"""The pages of integrity: the queue of suspicions, and one with its evidence and its decision."""

from collections.abc import Mapping
from datetime import date
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Max, QuerySet
from django.forms import CharField, ChoiceField, Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.office.integrity import suspicions
from casino.office.integrity.models import Scan, Suspicion
from casino.office.integrity.suspicions import DETECTORS, by_day, in_words
from games.rules.catalogue import GAMES
from games.words.charts import Plot, added_up, days_between, over_slots
from games.words.naming import game_name
from games.words.refusals import refused_in
from wallets.office.journalled_admin import ReasonForm, reason_field
from wallets.office.staff_pages import PLAYERS, Menu, office_page, staff_page
from wallets.values.player import Viewer, player_of

SHOWN: Final = 50


class Filters(Form):
    """The filters of the queue; without a state it shows what waits."""

    state = ChoiceField(
        label=_("State"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        choices=[("", _p("a case", "open")), ("decided", _("decided")), ("all", _("all"))],
    )
    question = ChoiceField(label=_("Question"), required=False, widget=UnfoldAdminSelectWidget)
    game = ChoiceField(label=_("Game"), required=False, widget=UnfoldAdminSelectWidget)
    player = CharField(
        label=_("Player"), required=False, max_length=150, widget=UnfoldAdminTextInputWidget
    )

    def __init__(self, data: Mapping[str, object]) -> None:
        super().__init__(data)
        questions = [(name, str(detector.words)) for name, detector in DETECTORS.items()]
        everything = ("", _("everything"))
        self.fields["question"].choices = [everything, *questions]  # type: ignore[attr-defined]
        games = [(key, str(game_name(key))) for key in GAMES]
        self.fields["game"].choices = [everything, *games]  # type: ignore[attr-defined]

    def narrow(self, rows: QuerySet[Suspicion]) -> QuerySet[Suspicion]:
        values = self.cleaned_data
        if values["state"] != "all":
            rows = rows.filter(state=values["state"] or Suspicion.State.OPEN)
        if values["question"]:
            rows = rows.filter(detector=values["question"])
        if values["game"]:
            rows = rows.filter(game=values["game"])
        if name := values["player"].strip():
            known = Player.objects.filter(username_key=name_key(name))
            rows = rows.filter(players__in=known)
        return rows


class DecisionForm(ReasonForm):
    field_order = ("decision", "reason")

    decision = ChoiceField(
        label=_("Decision"), choices=Suspicion.Decision.choices, widget=UnfoldAdminSelectWidget
    )
    reason = reason_field(_("What you have seen in the evidence; the journal stores it."))


def undecided(member: Viewer) -> int:
    """Return the number of suspicions that wait for a decision."""
    return suspicions.visible_to(member).filter(state=Suspicion.State.OPEN).count()


@staff_page(
    "integrity",
    "integrity/",
    _("Integrity"),
    suspicions.SEE,
    menu=Menu(PLAYERS, "policy", 20, waiting=undecided),
)
@require_safe
def integrity_page(request: HttpRequest) -> HttpResponse:
    form = Filters(request.GET)
    listed: list[Suspicion] = []
    if form.is_valid():
        rows = form.narrow(suspicions.visible_to(player_of(request)))
        before = request.GET.get("before", "")
        if before.isdecimal() and len(before) < 19:
            rows = rows.filter(pk__lt=int(before))
        listed = list(rows.order_by("-pk")[: SHOWN + 1])
    kept = {name: request.GET[name] for name in form.fields if request.GET.get(name)}
    older = len(listed) > SHOWN and urlencode({**kept, "before": listed[SHOWN - 1].pk})
    return office_page(
        request,
        "integrity.html",
        _("Integrity"),
        form=form,
        rows=in_words(listed[:SHOWN]),
        older=older and f"?{older}",
        scanned_at=Scan.objects.aggregate(at=Max("ran_at"))["at"],
    )


@staff_page("suspicion", "integrity/<int:number>/", _("One suspicion"), suspicions.SEE)
@require_http_methods(["GET", "HEAD", "POST"])
def suspicion_page(request: HttpRequest, number: int) -> HttpResponse:
    member = player_of(request)
    visible = suspicions.visible_to(member).select_related("table")
    suspicion = get_object_or_404(visible, pk=number)
    form = DecisionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        decision, note = form.cleaned_data["decision"], form.cleaned_data["reason"]
        with refused_in(form):
            suspicions.decide(member, number, decision, note, timezone.now())
            messages.success(request, _("You have decided this suspicion."))
            return redirect("suspicion", number)
    (row,) = in_words([suspicion])
    return office_page(
        request,
        "suspicion.html",
        row.title,
        row=row,
        hands=suspicion.evidence.get("hands", ()),
        chart=_chart(row.charted, by_day(suspicion)),
        may_decide=suspicion.state == Suspicion.State.OPEN and member.has_perm(suspicions.DECIDE),
        form=form,
    )


def _chart(words: str, values: Mapping[date, int]) -> SafeString:
    """Draw the values of a suspicion day by day."""
    plot = Plot(
        name="by-day",
        title=words,
        slots=days_between(values),
        write=lambda values: [number_format(value, force_grouping=True) for value in values],
        bars=[added_up(words, values)],
    )
    return over_slots(plot)
