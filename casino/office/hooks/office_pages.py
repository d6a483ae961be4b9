"""The pages of webhooks: all of them, one with what was sent, and the form for another."""

from typing import Final

from django.contrib import messages
from django.forms import CharField, CheckboxSelectMultiple, MultipleChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminTextInputWidget

from casino.office.hooks import verbs
from casino.office.hooks.models import ADDRESS_MAX, NAME_MAX, Endpoint
from casino.office.hooks.sending import KINDS
from casino.office.hooks.verbs import MANAGE, SEE
from games.words.refusals import sentence_of
from wallets.office.journalled_admin import ReasonForm, submit_form, to_proposal
from wallets.office.staff_pages import OPERATION, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.values.errors import Refused
from wallets.values.player import player_of

SHOWN: Final = 50


class EndpointForm(ReasonForm):
    field_order = ("name", "address", "kinds", "reason")
    name = CharField(label=_("Name"), max_length=NAME_MAX, widget=UnfoldAdminTextInputWidget)
    address = CharField(
        label=_("Address"), max_length=ADDRESS_MAX, widget=UnfoldAdminTextInputWidget
    )
    kinds = MultipleChoiceField(
        label=_("Events received"),
        choices=lambda: [(name, kind.words) for name, kind in KINDS.items()],
        widget=CheckboxSelectMultiple,
        help_text=_("What says something about players needs a colleague."),
    )


@staff_page("hooks", "hooks/", _("Webhooks"), SEE, MANAGE, menu=Menu(OPERATION, "webhook", 60))
@require_safe
def hooks_page(request: HttpRequest) -> HttpResponse:
    return office_page(
        request,
        "hooks/hooks.html",
        _("Webhooks"),
        rows=list(Endpoint.objects.order_by("ended_at", "name")[:SHOWN]),
        kinds={name: kind.words for name, kind in KINDS.items()},
        may_manage=player_of(request).has_perm(MANAGE),
    )


@staff_page("hook-new", "hooks/new/", _("Add a webhook"), MANAGE, begins="hooks")
@require_http_methods(["GET", "HEAD", "POST"])
def new_hook(request: HttpRequest) -> HttpResponse:
    form = EndpointForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        arguments = {name: form.cleaned_data[name] for name in ("name", "address", "kinds")}
        try:
            submitted = submit_form(request, form, verbs.SUBSCRIBE, arguments)
        except Refused as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            if submitted.proposal:
                return to_proposal(request, submitted.proposal)
            return redirect("hooks")
    return office_page(request, "hooks/new.html", _("Add a webhook"), form=form)


@staff_page("hook", "hooks/<int:number>/", _("One webhook"), SEE, MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def hook_page(request: HttpRequest, number: int) -> HttpResponse:
    """One webhook: what was sent, again by hand, its secret, and its end."""
    member, now = player_of(request), timezone.now()
    endpoint = get_object_or_404(Endpoint, pk=number)
    form = ReasonForm(request.POST if "end" in request.POST else None)
    secret = ""
    try:
        again = request.POST.get("again", "")
        if again.isdecimal() and len(again) < 19:
            verbs.replay(member, int(again), now)
            messages.success(request, journal.words_of(verbs.REPLAY))
            return redirect("hook", number)
        if "show" in request.POST:
            secret = verbs.show_secret(member, number, now)
        elif "end" in request.POST and form.is_valid():
            verbs.end(member, number, form.cleaned_data["reason"], now)
            return redirect("hooks")
    except Refused as refusal:
        messages.error(request, sentence_of(refusal))
        return redirect("hook", number)
    return office_page(
        request,
        "hooks/hook.html",
        str(endpoint),
        endpoint=endpoint,
        kinds=[KINDS[kind].words for kind in endpoint.kinds if kind in KINDS],
        sendings=list(endpoint.sendings.select_related("happening").order_by("-pk")[:SHOWN]),
        may_manage=endpoint.ended_at is None and member.has_perm(MANAGE),
        secret=secret,
        form=form,
    )
