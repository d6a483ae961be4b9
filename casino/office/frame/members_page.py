"""The page of staff: who works here, in which roles; appointing, dismissing, the first password."""

from typing import Any, Final, cast

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.forms import BooleanField, CharField, ChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.accounts import appointing
from casino.accounts.appointing import PERMISSION, ROLE_WORDS, ROLES, Appoint, Dismiss
from casino.accounts.first_password import ADDRESS
from casino.accounts.models import Player
from casino.accounts.names import TYPED_MAX
from games.words.refusals import refused_in
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import ReasonForm, submit_form, to_proposal
from wallets.office.staff_pages import STAFF, Menu, office_page, staff_page
from wallets.staff import approvals
from wallets.values.player import player_of

DETAIL: Final = "staff/<int:number>"


class AppointForm(ReasonForm):
    """Whom, in which role, and why."""

    field_order = ("name", "create", "role", "reason")
    name = CharField(label=_("Name"), max_length=TYPED_MAX, widget=UnfoldAdminTextInputWidget)
    create = BooleanField(
        label=_("Make a new account with this name"),
        required=False,
        help_text=_("Without a tick, the person keeps the account that they have."),
    )
    role = ChoiceField(label=_("Role"), widget=UnfoldAdminSelectWidget)

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        choices = [(role, f"{words}: {purpose}") for role, (words, purpose) in ROLE_WORDS.items()]
        self.fields["role"].choices = choices  # type: ignore[attr-defined]


class DismissForm(ReasonForm):
    field_order = ("role", "reason")
    role = ChoiceField(label=_("Role"), required=False, widget=UnfoldAdminSelectWidget)

    def __init__(self, data: Any, held: list[str]) -> None:
        super().__init__(data)
        one_by_one = [(role, ROLE_WORDS[role][0]) for role in held]
        every = [("", _("All roles: the person leaves the staff"))]
        self.fields["role"].choices = [*every, *one_by_one]  # type: ignore[attr-defined]


@staff_page("staff", "staff/", _("Staff"), PERMISSION, menu=Menu(STAFF, "badge", 10))
@require_http_methods(["GET", "HEAD", "POST"])
def members_page(request: HttpRequest) -> HttpResponse:
    """All members of staff, and the form that proposes a role."""
    initial = {"name": request.GET.get("name", "")}
    form = AppointForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        name, role = form.cleaned_data["name"], form.cleaned_data["role"]
        with refused_in(form):
            is_new = form.cleaned_data["create"]
            whom = {"name": name} if is_new else {"player": appointing.player_named(name).pk}
            submitted = submit_form(request, form, Appoint.name, whom | {"role": role})
            return to_proposal(request, cast(Proposal, submitted.proposal))
    verbs = (Appoint.name, Dismiss.name)
    waiting = approvals.waiting(timezone.now()).filter(verb__in=verbs)
    return office_page(
        request,
        "staff.html",
        _("Staff"),
        members=[_row(one) for one in _members().prefetch_related("groups")],
        waiting=[(one, approvals.describe(one)) for one in waiting.order_by("pk")],
        form=form,
    )


def _members() -> QuerySet[Player]:
    members: QuerySet[Player] = Player.objects.filter(Q(is_staff=True) | Q(is_superuser=True))
    return members.order_by("username_key")


def _row(player: Player) -> dict[str, object]:
    held = {group.name for group in player.groups.all()}
    return {
        "player": player,
        "roles": appointing.in_words(role for role in ROLES if role in held),
        # A new colleague chooses a password with the one-time password.
        "is_new": not player.has_usable_password(),
    }


@staff_page("staff-dismiss", f"{DETAIL}/dismiss/", _("Take a role away"), PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def dismiss_page(request: HttpRequest, number: int) -> HttpResponse:
    player = get_object_or_404(_members(), pk=number)
    form = DismissForm(request.POST or None, appointing.roles_of(player))
    if request.method == "POST" and form.is_valid():
        wanted = {"player": player.pk, "role": form.cleaned_data["role"]}
        with refused_in(form):
            submitted = submit_form(request, form, Dismiss.name, wanted)
            if submitted.proposal is not None:
                return to_proposal(request, submitted.proposal)
            messages.success(request, _("Done, and written into the journal."))
            return redirect("staff")
    lines = [_("It ends immediately. A colleague must approve the end of a manager's role.")]
    return _ask(request, player, form, _("Take a role away"), lines)


@staff_page("staff-password", f"{DETAIL}/password/", _("One-time password"), PERMISSION)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password_page(request: HttpRequest, number: int) -> HttpResponse:
    """A half of the one-time password of a new colleague; only the answer to this form shows it."""
    player = get_object_or_404(_members(), pk=number)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refused_in(form):
            half = appointing.hand_out(player_of(request), player.pk, form.cleaned_data["reason"])
            address = request.build_absolute_uri(ADDRESS)
            return office_page(
                request,
                "first_password.html",
                _("One-time password"),
                player=player,
                half=half,
                address=address,
            )
    lines = [
        _(
            "You get one half, and another member of staff gets the other, so that neither of you "
            "can sign in as your colleague."
        ),
        _("Both halves together open one page, once, where your colleague chooses a password."),
        _("The journal says that you have seen yours."),
    ]
    return _ask(request, player, form, _("One-time password"), lines)


def _ask(
    request: HttpRequest, player: Player, form: ReasonForm, title: Any, lines: list[Any]
) -> HttpResponse:
    frame = {**admin.site.each_context(request), "title": title, "submit": title}
    context = frame | {"words": player.username, "form": form, "lines": lines}
    return TemplateResponse(request, "admin/reasoned_page.html", context)
