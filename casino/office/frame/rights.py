"""The rights in the back office, read from what decides them.

The rows come from the list of pages, from the lists with their filters, actions and buttons, and
from the verbs of the journal; the cells from the permissions of the groups. Nothing is written here
by hand, and a test compares the rows with every address of the back office.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.contrib.admin.utils import get_fields_from_path, model_format_dict
from django.db.models import Model
from django.http import HttpRequest, QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from casino.accounts.staff import PERMISSIONS, grants
from casino.office.frame.pages import pages
from wallets.office.lists import ColumnFilter
from wallets.staff import approvals, journal
from wallets.staff.staff_command import COMMAND

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
    return {group: _t("yes") if answer else "" for group, answer in answers.items()}


def groups() -> tuple[str, ...]:
    return tuple(PERMISSIONS)


def sections() -> list[Section]:
    return [
        Section(_t("Pages"), list(_pages())),
        Section(_t("Lists"), [_list_of(*one) for one in _lists()]),
        Section(
            _t("What is done, as the journal names it"),
            list(_verbs()),
            _t(
                "An action marked “confirmed” asks for a code or the password again after ten"
                " idle minutes."
            ),
        ),
    ]


def _pages() -> Iterator[PermittedAction]:
    everybody = dict.fromkeys(groups(), True)
    words = ", ".join(dict.fromkeys(str(one) for one in FOR_ALL.values()))
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
    detail = _t("by {columns}").format(columns=", ".join(columns)) if columns else ""
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
        if all(allows(shown, one, request) for one in needed):
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
    return " › ".join(str(getattr(one, "verbose_name", one.name)) for one in fields)


def _verbs() -> Iterator[PermittedAction]:
    for name, verb in journal.verbs().items():
        if name == approvals.EXPIRED:
            yield PermittedAction(str(verb.words), _t("by the clock"), frozenset(), {})
            continue
        may = {group: does(group, name) for group in groups()}
        detail = _t("confirmed") if verb.confirmed else ""
        if name.startswith(COMMAND):
            detail = _t("at the command line")
        yield PermittedAction(str(verb.words), detail, frozenset(), yes_or_no(may))


def does(group: str, verb: str) -> bool:
    """Whether a group may do what the journal calls so; the permission to do it includes the
    permission to propose it.
    """
    if verb in (approvals.PROPOSED, approvals.WITHDRAWN):
        return any(grants(group, one.permission) for one in approvals.registered().values())
    known = journal.verbs()[verb]
    return grants(group, known.permission) or grants(group, known.also)
