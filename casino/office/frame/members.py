"""Pages of staff: who works here in which role, and what each role may do.

The rows come from the list of pages, from the lists with their filters, actions and buttons, and
from the verbs of the journal; the cells from the permissions of the groups. Nothing is written here
by hand, and a test compares the rows with every address of the back office.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.utils import get_fields_from_path, model_format_dict
from django.db.models import Model, Q, QuerySet
from django.forms import BooleanField, CharField, ChoiceField, HiddenInput
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.accounts import appointing, company
from casino.accounts.appointing import PERMISSION, ROLE_WORDS, ROLES, Appoint, Dismiss
from casino.accounts.first_password import ADDRESS
from casino.accounts.models import CompanyAccount, Player
from casino.accounts.names import TYPED_MAX
from casino.accounts.staff import PERMISSIONS, grants
from casino.office.frame.navigation import pages
from games.words.refusals import refused_in
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import ReasonForm, submit_form, to_proposal
from wallets.office.lists import ColumnFilter, key_in
from wallets.office.staff_pages import STAFF, Menu, office_page, staff_page
from wallets.staff import approvals, journal
from wallets.staff.staff_command import COMMAND
from wallets.values.player import player_of

# Pages open to all staff, by the names of their addresses.
FOR_ALL: Final[dict[str, str | Promise]] = {
    "index": _("Overview"),
    "app_list": _("Overview"),
    "login": _("Sign in"),
    "logout": _("Sign out"),
    "password_change": _("Change password"),
    "password_change_done": _("Change password"),
    "jsi18n": _("Words of the forms"),
    "search": _("Search"),
    "view_on_site": _("View on the site"),
}
WHAT: Final = {"view": _("view"), "add": _("add"), "change": _("change"), "delete": _("delete")}


class Holder:
    """A member of one group alone, without a row in the database."""

    pk, id, username = 0, 0, ""
    is_active = is_staff = is_authenticated = True
    is_superuser = is_bot = is_anonymous = False

    def __init__(self, group: str) -> None:
        self.group = group

    def has_perm(self, permission: str, _row: object = None) -> bool:
        return grants(self.group, permission)

    def has_perms(self, permissions: Iterable[str], _row: object = None) -> bool:
        return all(map(self.has_perm, permissions))

    def has_module_perms(self, _app: str) -> bool:
        return True


class PermittedAction(NamedTuple):
    """One permitted action: its text, the names of its addresses, and who may do it."""

    words: str
    detail: str
    addresses: frozenset[str]
    # By group: whether, or what.
    cells: dict[str, str]
    # By which columns a list is narrowed and searched.
    filters: tuple[str, ...] = ()


class Section(NamedTuple):
    title: str
    rows: list[PermittedAction]
    note: str = ""


def request_of(group: str) -> object:
    """A request that a list can be asked about; it sends a form, as buttons show rows first."""
    request: Any = HttpRequest()
    request.method, request.user = "POST", Holder(group)
    request.GET = QueryDict()
    return request


def yes_or_no(answers: dict[str, bool]) -> dict[str, str]:
    return {group: gettext("yes") if answer else "" for group, answer in answers.items()}


def groups() -> tuple[str, ...]:
    return tuple(PERMISSIONS)


def sections() -> list[Section]:
    return [
        Section(gettext("Pages"), list(_pages())),
        Section(gettext("Lists"), [_list_of(*entry) for entry in _lists()]),
        Section(
            gettext("What is done, as the journal names it"),
            list(_verbs()),
            gettext(
                "An action marked “confirmed” asks for a code or the password again after ten"
                " idle minutes."
            ),
        ),
    ]


def _pages() -> Iterator[PermittedAction]:
    everybody = dict.fromkeys(groups(), True)
    words = ", ".join(dict.fromkeys(str(label) for label in FOR_ALL.values()))
    yield PermittedAction(words, "", frozenset(FOR_ALL), yes_or_no(everybody))
    for page in sorted(pages(), key=lambda one: one.address):
        may = {group: page.is_open_to(Holder(group).has_perm) for group in groups()}
        yield PermittedAction(
            str(page.words), f"/admin/{page.address}", frozenset({page.name}), yes_or_no(may)
        )


def _lists() -> list[tuple[type[Model], object]]:
    lists = admin.site._registry.items()
    return sorted(lists, key=lambda one: one[0]._meta.label)


def _list_of(model: type[Model], shown: Any) -> PermittedAction:
    meta = model._meta
    place = f"{meta.app_label}_{meta.model_name}"
    names = {f"{place}_{page}" for page in ("changelist", "add", "history", "delete", "change")}
    cells = {}
    for group in groups():
        request = request_of(group)
        may = [str(words) for what, words in WHAT.items() if allows(shown, what, request)]
        actions = [str(words) for _name, words in actions_of(shown, request)]
        cells[group] = ", ".join([*may, *actions])
    names |= {f"{place}_{action}" for action in shown.actions_detail}
    # Pages of its rows; each of their verbs has its own row.
    names |= {*getattr(shown, "addresses_of_its_own", ())}
    filters = tuple(_narrowed_by(shown))
    columns = dict.fromkeys(_in_words(model, column) for column in filters)
    detail = gettext("by {columns}").format(columns=", ".join(columns)) if columns else ""
    return PermittedAction(str(meta.verbose_name_plural), detail, frozenset(names), cells, filters)


def allows(shown: object, what: str, request: object) -> bool:
    return bool(getattr(shown, f"has_{what}_permission")(request))


def actions_of(shown: Any, request: object) -> Iterator[tuple[str, str]]:
    """Yield the actions for ticked rows, and the buttons of a row."""
    for _function, name, words in shown.get_actions(request).values():
        yield name, str(words) % model_format_dict(shown.opts)
    for name in shown.actions_detail:
        button = getattr(shown, name)
        needed = getattr(button, "allowed_permissions", ())
        if all(allows(shown, permission, request) for permission in needed):
            yield name, button.short_description


def _narrowed_by(shown: Any) -> Iterator[str]:
    """The filters of a list, its dates, and what its search looks into."""
    for entry in shown.list_filter:
        if isinstance(entry, type) and issubclass(entry, ColumnFilter):
            yield entry.column
        else:
            yield entry if isinstance(entry, str) else entry[0]
    if shown.date_hierarchy:
        yield shown.date_hierarchy
    yield from shown.search_fields


def _in_words(model: type[Model], column: str) -> str:
    """A column as the forms name it, from the row it belongs to."""
    fields = get_fields_from_path(model, column.lstrip("=^@"))
    return " › ".join(str(getattr(field, "verbose_name", field.name)) for field in fields)


def _verbs() -> Iterator[PermittedAction]:
    for name, verb in journal.verbs().items():
        if name == approvals.EXPIRED:
            yield PermittedAction(str(verb.words), gettext("by the clock"), frozenset(), {})
            continue
        may = {group: does(group, name) for group in groups()}
        detail = gettext("confirmed") if verb.confirmed else ""
        if name.startswith(COMMAND):
            detail = gettext("at the command line")
        yield PermittedAction(str(verb.words), detail, frozenset(), yes_or_no(may))


def does(group: str, verb: str) -> bool:
    """Whether a group may do what the journal calls so; the permission to do it includes the
    permission to propose it.
    """
    if verb in (approvals.PROPOSED, approvals.WITHDRAWN):
        return any(
            grants(group, approval.permission) for approval in approvals.registered().values()
        )
    known = journal.verbs()[verb]
    return grants(group, known.permission) or grants(group, known.also)


@staff_page("roles", "roles/", _("Roles"), menu=Menu(STAFF, "badge", 20))
@require_safe
def roles_page(request: HttpRequest) -> HttpResponse:
    return office_page(
        request,
        "roles.html",
        _("Roles"),
        roles=[(group, *ROLE_WORDS[group]) for group in groups()],
        sections=sections(),
    )


DETAIL: Final = "staff/<int:number>"


class AppointForm(ReasonForm):
    field_order = ("name", "create", "role", "reason", "company")
    # The account of the company for which the form was filled in.
    company = CharField(required=False, widget=HiddenInput)
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
    initial = {name: request.GET.get(name, "") for name in ("name", "role", "company", "create")}
    form = AppointForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        name, role = form.cleaned_data["name"], form.cleaned_data["role"]
        with refused_in(form):
            is_new = form.cleaned_data["create"]
            whom: dict[str, object] = {"name": name}
            if not is_new:
                whom = {"player": appointing.player_named(name).pk}
            if form.cleaned_data["company"]:
                whom["company"] = key_in(form.cleaned_data["company"])
            submitted = submit_form(request, form, Appoint.name, whom | {"role": role})
            return to_proposal(request, cast(Proposal, submitted.proposal))
    verbs = (Appoint.name, Dismiss.name)
    waiting = approvals.waiting(timezone.now()).filter(verb__in=verbs)
    return office_page(
        request,
        "staff.html",
        _("Staff"),
        members=[_row(member) for member in _members().prefetch_related("groups")],
        waiting=[(proposal, approvals.describe(proposal)) for proposal in waiting.order_by("pk")],
        form=form,
        company=[_claim(account) for account in company.waiting()],
    )


def _claim(account: CompanyAccount) -> dict[str, object]:
    """What the provider claims, what holds here, and the form that proposes the next role."""
    here = company.roles_here(account)
    player, lacks = account.player, [role for role in account.claimed if role not in here]
    values = {"name": player.username if player else account.name, "role": "".join(lacks[:1])}
    if player is None:
        values |= {"company": str(account.pk), "create": "on"}
    return {
        "account": account,
        "claimed": appointing.in_words(account.claimed),
        "here": appointing.in_words(role for role in ROLES if role in here),
        "proposes": urlencode(values) if lacks or player is None else "",
    }


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
