"""What one member of staff may change alone, and what only with a second person.

Players rely on the rules in force: rake, pays, limits, seats, speed, jackpots, currency, and an
announced event's structure. Every field that staff or programs can write says here either why one
person may, or through which proposal it goes. An undeclared field fails.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pytest
from django.contrib import admin
from django.core.management import get_commands
from django.forms import BaseForm
from django.test import RequestFactory
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator

from casino.accounts.models import Player
from wallets.staff import approvals

pytestmark = pytest.mark.django_db

# What every form has beside what it is about.
FRAME: Final = frozenset({"reason", "key", "as_opened", "revision", "typed", "gives_away"})
PACKAGES: Final = (
    *("casino.office.", "casino.ops.", "games.admin.", "games.profiles."),
    *("casino.community.promotions.office.", "casino.community.messages."),
)
PACKAGES_OF_EVENTS: Final = ("tournaments.office.",)
# The answers of another kind begin with "free: ".
PROPOSAL: Final = "proposal: "

# Whom a message reaches.
SEGMENT: Final = (
    "away_max away_min currency event games kind languages level_min result stakes_max stakes_min"
)
ADMIN: Final[dict[str, tuple[str, str]]] = {
    "wallets.Currency name": ("name", "free: a label; decimals and kind stay for ever"),
    "wallets.Currency new": ("code exponent kind", "free: of a new currency, that nobody has yet"),
    "games.Table": (
        "name status overflow_max private",
        "free: a label, opening and closing, and who may come; no hand is played by them",
    ),
    "games.SharedHand": ("revoked_why", "free: ends a link"),
    "games_chat.ChatLine": ("hidden hide_lines", "free: moderates the chat"),
    "games_chat.Silence": ("player until delete_selected delete", "free: moderates the chat"),
    "axes.AccessAttempt": ("delete_selected delete", "free: ends a lock of a sign-in"),
}
# Their lists are read; a page with a form of its own adds to them.
ADDED_ON_PAGES: Final = frozenset(
    {"wallets.Jackpot", "tournaments.Tournament", "tournaments.Schedule", "tournaments.Template"}
)

EVENT: Final = (
    "add_on_chips add_on_fee add_on_from add_on_stake add_on_until amounts betting_seconds "
    "carry_base carry_divide_by carry_most currency decision_seconds duplicate_deals "
    "duplicate_manner duplicate_rounds fee field_max field_min game guarantee hand_for_hand "
    "kind late_registration_level length_by line_points name options paid pause_seconds "
    "prizes reentries_most reentries_until rounds_chips rounds_count rounds_hands "
    "rounds_manner rounds_point shape stake starting_chips table_size until"
)
STARTS: Final = "name template next_at final final_at"
DESK: Final = "proposal: desk.deposit desk.withdrawal desk.pay"
FORMS: Final[dict[str, tuple[str, str]]] = {
    "CorrectForm": ("amount", "proposal: desk.correct"),
    "CountForm": ("", "proposal: shift.open shift.close"),
    "PayForm": ("amount currency way", DESK),
    "RequestForm": ("amount currency", DESK),
    "WithdrawForm": ("amount destination way", "free: a player asks, and staff approve or pay"),
    "LinkForm": ("language name with_money", "free: a screen, which only shows"),
    "EndpointForm": ("address kinds name", "free: tells what happened, and changes nothing"),
    "HouseForm": (
        "first languages mark no_mark zone",
        "proposal: house.publish",
    ),
    "HouseFileForm": ("file", "proposal: house.publish"),
    "TillForm": ("name", "free: an empty till"),
    "TransferForm": ("amount currency source target", "proposal: desk.transfer"),
    "EvidenceForm": ("first kind last name", "free: copies, and changes nothing"),
    "CloseHouseForm": ("", "free: every hand is played to its end, and stacks are returned"),
    "GameForm": ("game", "free: the same for one game"),
    "GameMessageForm": ("game message", "free: a message"),
    "MessageForm": ("message notice", "free: a message"),
    "HaltForm": ("", "proposal: house.confirm_halt"),
    "NoteForm": ("text", "free: a note"),
    "LimitForm": ("limit value", "proposal: limit.change"),
    "AuditForm": ("first last table", "free: recomputes, and changes nothing"),
    "ReverseForm": ("house_pays", "proposal: hand.reverse"),
    "TakeBackForm": ("house_pays", "proposal: hand.reverse hand.void"),
    "Filters": (
        "person since subject until verb first_day kind last_day game player question state",
        "free: searches",
    ),
    "CompareForm": ("after before", "free: compares"),
    "AppointForm": ("company create name role", "proposal: staff.appoint"),
    "DismissForm": ("role", "proposal: staff.dismiss"),
    "DecisionForm": ("decision", "free: a verdict about a suspicion, which freezes nobody"),
    "ChangeForm": ("active highest lowest reserve seed share_bp", "proposal: jackpot.change"),
    "DrainForm": ("amount", "proposal: jackpot.drain"),
    "OpenForm": (
        "active currency highest kind lowest name reserve seed share_bp",
        "proposal: jackpot.open",
    ),
    "_JackpotForm": ("active highest lowest reserve seed share_bp", "proposal: jackpot.change"),
    "AnswerForm": ("outcome text", "free: answers a complaint"),
    "ComplaintForm": ("due_on hand text", "free: takes a complaint"),
    "CheckForm": ("document ending valid_until what", "free: a document that was seen"),
    "FlagForm": ("kind", "free: a flag blocks nothing"),
    "FreezeForm": ("days text", "free: protects at once; ending it early is player.unfreeze"),
    "ProposeForm": ("day hour", "proposal: profile.publish"),
    "NewProfileForm": ("currency game name", "free: a draft, that no table follows"),
    "DraftForm": ("options", "proposal: profile.publish"),
    "NewTableForm": (
        "game jackpots name overflow_max places private profile",
        "free: a new table, by a profile that two have published; nobody plays there yet",
    ),
    "RulesForm": ("jackpots places profile", "proposal: table.rules"),
    "SwitchForm": ("message", "free: maintenance mode; live hands are kept"),
    "SharedHandForm": ("revoked_why", "free: ends a link"),
    "RunTableForm": ("status", "free: the floor opens and closes tables"),
    "TableForm": ("name overflow_max private status", "free: as in the list of tables"),
    "EventForm": (EVENT, "free: a template of events to come; an announced one keeps its own"),
    "ImportForm": ("file", "free: fills in the form of a template"),
    "TicketForm": ("ticket", "free: fills in the form of a template"),
    "CancelForm": ("", "proposal: tournament.cancel"),
    "SeriesForm": (
        f"base best every_hours events finalists for_playing manner table {STARTS}",
        "proposal: series.begin",
    ),
    "AddEventForm": ("event", "free: an event that has not begun counts in a series"),
    "NewPromotionForm": ("currency kind", "free: a draft, which no player sees"),
    "TermsForm": ("first_day last_day name", "proposal: promotion.publish"),
    "DecideForm": ("answer", "proposal: promotion.publish"),
    "SegmentForm": (SEGMENT, "free: counts whom a message would reach"),
    "DraftMessageForm": (
        f"{SEGMENT} by_mail by_push name page planned_at",
        "proposal: message.send",
    ),
    "ReportMailForm": ("address kinds language", "free: each member's own mails"),
    "OfferForm": ("event points", "proposal: shop.offer"),
    "GiveTicketForm": ("player template", "proposal: ticket.give"),
    "DisqualifyForm": ("player", "free: one player; the prizes of the others stay"),
    "ScheduleForm": (
        "ahead_hours bots every_hours next_at open_count repeats template weekdays",
        "proposal: tournament.schedule",
    ),
    "StartForm": ("starts_at", "proposal: tournament.announce"),
}

OWN: Final = "free: what players do for themselves; staff have no program that writes"
OPERATIONS: Final = (
    "exclude ask_limit confirm_limit withdraw_limit answer_reality_check sign_in sign_out Act "
    "Again Leave Mix NextBets Ready SitIn SitOut Sit TakeOver TopUp Trustee "
    "tournament_add_on tournament_commit tournament_enter_again tournament_register "
    "tournament_register_with_ticket "
    "tournament_reveal tournament_unregister tournament_withdraw ask_withdrawal cancel_withdrawal"
)
COMMANDS: Final[dict[str, str]] = {
    "audit close_books reconcile check check_code compile_pieces export anchor index_cards report "
    "evidence": "free: compute, compare and copy",
    "grant_rights": "free: the rights of a role in the database, from the release",
    "reseal release": "free: keys and code, which no rule depends on",
    "appoint createsuperuser forget_codes": "free: who works here, before the office can be opened",
    "found": "free: a house without players",
    "demo seed demo_history": "free: a demonstration, for play money",
    "maintenance": "free: maintenance mode",
}


def subclasses(kind: Any) -> Iterator[Any]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from subclasses(subclass)


def written_in_admin() -> dict[str, set[str]]:
    """By list, every field, action and row that a superuser could write."""
    request = RequestFactory().get("/admin/")
    request.user = Player.objects.create_superuser("boss")
    fields: dict[str, set[str]] = {}
    for model, page in admin.site._registry.items():
        shown: Any = page
        names = {*shown.list_editable, *shown.get_actions(request)}
        if shown.has_add_permission(request) and model._meta.label not in ADDED_ON_PAGES:
            names |= set(shown.get_form(request).base_fields)
        if shown.has_change_permission(request):
            names |= set(shown.get_form(request, model()).base_fields)
        if shown.has_delete_permission(request):
            names.add("delete")
        for inline in shown.get_inline_instances(request, model()):
            may = inline.has_change_permission(request) or inline.has_add_permission(request, None)
            names |= set(inline.get_formset(request).form.base_fields) if may else set()
        fields[model._meta.label] = names - FRAME
    return fields


def written_in_forms() -> dict[str, set[str]]:
    """By form of the office, the fields that it declares."""
    assert get_resolver().url_patterns
    fields: dict[str, set[str]] = {}
    for form in subclasses(BaseForm):
        declared = getattr(form, "base_fields", None)
        # The admin makes forms of its own for each request.
        local = "<locals>" in form.__qualname__ or form.__name__.startswith(("Fresh", "Reasoned"))
        if (
            declared is None
            or local
            or not form.__module__.startswith(PACKAGES + PACKAGES_OF_EVENTS)
        ):
            continue
        fields.setdefault(form.__name__, set()).update(set(declared) - FRAME)
    return fields


def undeclared(written: dict[str, set[str]], declared: dict[str, tuple[str, str]]) -> Iterator[str]:
    names: dict[str, set[str]] = {}
    for where, (fields, _answer) in declared.items():
        names.setdefault(where.split()[0], set()).update(fields.split())
    for where, field_names in written.items():
        for field in sorted(field_names - names.get(where, set())):
            yield (
                f"{where} has the field {field}: say in {__name__} why one person may write it, "
                "or through which proposal it goes."
            )
        for field in sorted(names.get(where, set()) - field_names):
            yield f"{where} has no field {field} any more: take it from {__name__}."
    for where in names.keys() - written.keys():
        yield f"There is no {where} any more: take it from {__name__}."


def test_every_field_of_the_admin_is_free_or_proposed() -> None:
    written = {label: names for label, names in written_in_admin().items() if names}
    assert list(undeclared(written, ADMIN)) == []


def test_every_form_of_the_office_is_free_or_proposed() -> None:
    written = {name: names for name, names in written_in_forms().items() if names}
    assert list(undeclared(written, {name: form for name, form in FORMS.items() if form[0]})) == []
    # A form without fields of its own decides something, too, if it asks for a word.
    assert {name for name, (fields, _answer) in FORMS.items() if not fields} <= {
        form.__name__ for form in subclasses(BaseForm)
    }


def test_no_program_changes_a_rule() -> None:
    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    writing = {
        operation["operationId"]
        for operations in schema["paths"].values()
        for method, operation in operations.items()
        if method not in ("get", "head", "options")
    }
    new = writing - set(OPERATIONS.split())
    assert not new, f"Programs can write {new}: say why one person may, or propose it. {OWN}"


def test_no_command_changes_a_rule() -> None:
    own = {
        name
        for name, package in get_commands().items()
        if package.split(".")[0] in ("casino", "games", "tournaments", "wallets")
    }
    known = {name for names in COMMANDS for name in names.split()}
    assert own == known, "Say of each command why one person may run it."


def test_every_answer_is_a_reason_or_a_verb_of_approvals() -> None:
    answers: Iterable[str] = (answer for _fields, answer in (*ADMIN.values(), *FORMS.values()))
    for answer in (*answers, *COMMANDS.values(), OWN):
        if answer.startswith(PROPOSAL):
            verbs = set(answer.removeprefix(PROPOSAL).split())
            assert verbs <= approvals.registered().keys(), answer
        else:
            assert answer.startswith("free: "), answer


# What holds whichever amount it is about, and of whichever currency.
ALWAYS: Final = ("profile.publish", "table.rules", "limit.change")


def test_a_rule_in_force_always_needs_a_second_person() -> None:
    verbs = approvals.registered()
    order: Any = None
    assert all(verbs[name].needs_approval(order) for name in ALWAYS)
