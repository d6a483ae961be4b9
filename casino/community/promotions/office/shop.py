"""The shop in the back office: what it offers for points, a new offer, and withdrawing one."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from casino.community.promotions.models import ShopOffer
from casino.community.promotions.office.drafts import PERMISSION, VIEW
from casino.community.promotions.office.offers import OFFER, POINTS_MAX, withdraw
from games.words.refusals import refused_in
from tournaments.models import Template
from wallets.office.journalled_admin import ReasonForm, to_proposal
from wallets.office.staff_pages import PEOPLE, Menu, office_page, staff_page
from wallets.office.whole_units import NumberField
from wallets.staff import approvals
from wallets.values.amounts import show_amount
from wallets.values.player import player_of


class OfferForm(ReasonForm):
    """The event, and the price in points."""

    field_order = ("event", "points", "reason")
    event = ModelChoiceField(
        label=_("Ticket to"),
        queryset=Template.objects.none(),
        to_field_name="name",
        widget=UnfoldAdminSelectWidget,
    )
    points = NumberField(
        label=_("Points"),
        min_value=1,
        max_value=POINTS_MAX,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        names = Template.objects.filter(retired_at=None).order_by("name", "-version")
        newest = {template.name: template.pk for template in reversed(names)}
        shown = Template.objects.filter(pk__in=newest.values()).order_by("name")
        self.fields["event"].queryset = shown  # type: ignore[attr-defined]


@staff_page("shop", "promotions/shop/", _("Shop"), VIEW, menu=Menu(PEOPLE, "storefront", 46))
@require_http_methods(["GET", "HEAD", "POST"])
def shop_page(request: HttpRequest) -> HttpResponse:
    """What is offered and how often it was taken; an offer is made by two people."""
    member, now = player_of(request), timezone.now()
    sent = request.POST if request.method == "POST" else None
    if sent is not None and "withdraw" in sent:
        return _withdraw(request, now)
    form = OfferForm(sent)
    if form.is_bound and form.is_valid():
        values = form.cleaned_data
        wanted = {"event": values["event"].name, "points": values["points"]}
        with refused_in(form):
            submitted = approvals.submit(
                member, OFFER, wanted, reason=values["reason"], key=values["key"], now=now
            )
            assert submitted.proposal is not None, "it always needs approval"
            return to_proposal(request, submitted.proposal)
    rows = ShopOffer.objects.filter(withdrawn_at=None).select_related("currency")
    counted = rows.annotate(taken=Count("purchases")).order_by("points", "pk")
    return office_page(
        request,
        "promotions/shop.html",
        _("Shop"),
        form=form,
        reason=ReasonForm(),
        offers=[(row, show_amount(row.worth, row.currency)) for row in counted],
        may_change=member.has_perm(PERMISSION),
    )


def _withdraw(request: HttpRequest, now: datetime) -> HttpResponse:
    form = ReasonForm(request.POST)
    number = request.POST.get("withdraw", "")
    if form.is_valid() and number.isdecimal():
        with refused_in(form):
            withdraw(player_of(request), int(number), reason=form.cleaned_data["reason"], now=now)
            messages.success(request, _("The offer is withdrawn."))
    for errors in form.errors.values():
        messages.error(request, str(errors[0]))
    return redirect("shop")
