"""Setting a table up by a published profile, and changing its rules with a second person.

A new table changes no rule that anybody plays under, so one manager opens it, with a profile that
two have published. Afterwards its profile, seats and jackpots change by `ChangeRules`, and what a
profile says by `games/profiles/publishing.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Profile, ProfileVersion, Table
from games.profiles.differences import Content, changed, content_of
from games.profiles.table_history import figure_changes, jackpot_names
from games.tables import table_rules
from games.tables.formats import format_of
from games.tables.lock import lock_table, store_table
from games.tables.settings import gifts, problems
from games.tables.table_rules import jackpots_of, settings_of, version_in_force
from wallets.models import Jackpot
from wallets.models.staff_models import Proposal
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.errors import Refused
from wallets.values.player import Viewer

ADD: Final = "games.add_table"
CHANGE: Final = "games.change_table"
OPENED: Final = journal.register("table.add", _("Set up a table"), permission=ADD)
RULES: Final = "table.rules"


class Wanted(NamedTuple):
    """What decides a table's rules: its profile, its seats, and what it is played for."""

    profile: Profile
    places: int
    jackpots: Sequence[int] = ()


class NewTable(NamedTuple):
    name: str
    wanted: Wanted
    private: bool = False
    overflow_max: int = 0


def version_for(profile: Profile, now: datetime) -> ProfileVersion:
    version = version_in_force(profile.pk, now)
    if version is None:
        raise Refused("not_published", _n("No version of this profile has been published."))
    return version


def faults(table: Table, wanted: Wanted, now: datetime) -> Iterator[tuple[str, str]]:
    """Each contradiction, by the field of the form where it is shown."""
    profile = wanted.profile
    if profile.game != table.game or profile.currency_id != table.currency_id:
        yield "profile", _t("This profile is for another game, or in another currency.")
        return
    for field, sentence in problems(table, _values(wanted, now)):
        yield field if field in ("places", "jackpots") else "profile", sentence


def gifts_of(table: Table, wanted: Wanted, now: datetime) -> list[str]:
    """A sentence for each bet that would pay players on average."""
    return gifts(table, _values(wanted, now) | {"game": table.game})


def _values(wanted: Wanted, now: datetime) -> dict[str, Any]:
    version = version_for(wanted.profile, now)
    jackpots = Jackpot.objects.select_related("pool").filter(pk__in=wanted.jackpots)
    return {
        "options": version.options,
        "places": wanted.places,
        "jackpots": list(jackpots),
        **version.table_settings,
    }


@under(OPENED)
def open_table(member: Viewer, new: NewTable, *, reason: str, now: datetime) -> Table:
    """A table that is open with the options of its profile in force."""
    if not member.has_perm(ADD):
        raise Refused("not_allowed", _n("Your role cannot set up tables."))
    profile, version = new.wanted.profile, version_for(new.wanted.profile, now)
    table = Table(
        name=new.name.strip(),
        game=profile.game,
        currency=profile.currency,
        profile=profile,
        profile_version=version,
        options=version.options,
        places=new.wanted.places,
        private=new.private,
        overflow_max=new.overflow_max,
        **version.table_settings,
    )
    for _field, sentence in faults(table, new.wanted, now):
        raise Refused("table_fault", "{why}", why=sentence)
    with transaction.atomic():
        try:
            with transaction.atomic():
                table.save(force_insert=True)
        except IntegrityError:
            raise Refused("table_exists", _n("There is a table of this name.")) from None
        table.jackpots.set(new.wanted.jackpots)
        table_rules.begin(table, now)
        after = {
            "name": table.name,
            "game": table.game,
            "currency": profile.currency_id,
            **_journalled(table, profile.pk, version),
            "private": new.private,
            "overflow_max": new.overflow_max,
        }
        journal.write(
            journal.by(member), OPENED, table.reference, before={}, after=after, reason=reason
        )
    return table


def _journalled(
    table: Table, profile_id: int | None, version: ProfileVersion | None
) -> dict[str, object]:
    return {
        "profile": f"profile:{profile_id}" if profile_id else None,
        "profile_version": version.reference if version else None,
        "places": table.places,
        "jackpots": [f"jackpot:{number}" for number in jackpots_of(table)],
    }


class ChangeRules(Permitted):
    """Arguments: `table`, a number, and `profile`, `places` and `jackpots`, a list of numbers."""

    name: str = RULES
    words: str | Promise = _("Change the rules of a table")
    permission: str = CHANGE

    def check(self, arguments: Arguments) -> Arguments:
        table, wanted = _table(arguments), _wanted(arguments)
        for _field, sentence in faults(table, wanted, timezone.now()):
            raise Refused("table_fault", "{why}", why=sentence)
        return {
            "table": table.pk,
            "profile": wanted.profile.pk,
            "places": wanted.places,
            "jackpots": list(wanted.jackpots),
        }

    def admit(self, order: Order) -> None:
        table, wanted = _table(order.arguments), _wanted(order.arguments)
        waiting = Proposal.objects.filter(
            verb=RULES, subject=table.reference, status=Proposal.Status.PROPOSED
        )
        if not order.cause and waiting.exclude(key=order.key).exists():
            raise Refused("already_proposed", _n("A change of this table waits for approval."))
        if _is_present(table, wanted):
            raise Refused("nothing_to_change", _n("The table has these rules already."))

    def subject(self, arguments: Arguments) -> str:
        return _table(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        """Return what the proposal is about: the table, and the version that it would follow."""
        table, profile = _table(arguments), _wanted(arguments).profile
        return {
            "profile": table.profile_id,
            "version": table.profile_version_id,
            "places": table.places,
            "jackpots": jackpots_of(table),
            "published": version_for(profile, timezone.now()).pk,
        }

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        table, wanted = _table(arguments), _wanted(arguments)
        version = ProfileVersion.objects.select_related("profile__currency").get(
            pk=state["published"]
        )
        return list(_lines(table, wanted, version, state))

    def carry_out(self, order: Order) -> Table:
        table, wanted = lock_table(order.arguments["table"]), _wanted(order.arguments)
        before = _journalled(table, table.profile_id, table.profile_version)
        table.profile = wanted.profile
        table.save(update_fields=["profile"])
        jackpots, places = list(wanted.jackpots), wanted.places
        table_rules.plan(table, order.now, order.cause, places=places, jackpots=jackpots)
        table.due_at = table.due_at or order.now
        store_table(table)
        after = {
            "profile": f"profile:{wanted.profile.pk}",
            "profile_version": version_for(wanted.profile, order.now).reference,
            "places": places,
            "jackpots": [f"jackpot:{number}" for number in jackpots],
        }
        order.note(RULES, table.reference, before=before, after=after)
        return table


def _is_present(table: Table, wanted: Wanted) -> bool:
    waits = table.coming_rules
    places = waits.places if waits else table.places
    jackpots = waits.jackpots if waits else jackpots_of(table)
    known = (table.profile_id, places, jackpots)
    return known == (wanted.profile.pk, wanted.places, list(wanted.jackpots))


def _lines(
    table: Table, wanted: Wanted, version: ProfileVersion, state: Arguments
) -> Iterator[Change]:
    old = Profile.objects.filter(pk=state["profile"]).first()
    if old != wanted.profile:
        yield Change(_t("Profile"), str(old or ""), str(wanted.profile))
    if state["places"] != wanted.places:
        yield Change(_t("Seats"), str(state["places"]), str(wanted.places))
    if state["jackpots"] != list(wanted.jackpots):
        names = jackpot_names(state["jackpots"]), jackpot_names(list(wanted.jackpots))
        yield Change(_t("Jackpots"), *names)
    before = ProfileVersion.objects.select_related("profile__currency").filter(pk=state["version"])
    was = before.first()
    has = Content(table.game, table.currency, table.options, settings_of(table))
    for difference in changed(content_of(was) if was else has, content_of(version)):
        yield Change(difference.label, difference.before, difference.after)
    yield from figure_changes(was, version, table.currency)
    for sentence in gifts_of(table, wanted, timezone.now()):
        yield Change(_t("Players have the edge"), "", sentence)


def _table(arguments: Mapping[str, Any]) -> Table:
    number = arguments.get("table")
    tables = Table.objects.select_related("currency", "profile_version")
    table = tables.filter(pk=number).first() if type(number) is int else None
    if table is None:
        raise Refused("no_such_table", _n("There is no such table."))
    if not format_of(table).set_by_operators:
        raise Refused("run_by_tournament", _n("A tournament runs this table."))
    return table


def _wanted(arguments: Mapping[str, Any]) -> Wanted:
    number, places = arguments.get("profile"), arguments.get("places")
    profiles = Profile.objects.select_related("currency")
    profile = profiles.filter(pk=number).first() if type(number) is int else None
    if profile is None:
        raise Refused("no_such_profile", _n("There is no such profile."))
    if type(places) is not int:
        raise Refused("places_unreadable", _n("This is not a number of seats."))
    named = arguments.get("jackpots") or []
    if not isinstance(named, list) or not all(type(jackpot) is int for jackpot in named):
        raise Refused("no_such_jackpot", _n("There is no such jackpot."))
    jackpots = sorted(Jackpot.objects.filter(pk__in=named).values_list("pk", flat=True))
    if jackpots != sorted(set(named)):
        raise Refused("no_such_jackpot", _n("There is no such jackpot."))
    return Wanted(profile, places, tuple(jackpots))


def waiting_proposal(table: Table) -> Proposal | None:
    """The change of this table that a colleague has still to decide."""
    waits = Proposal.objects.filter(verb=RULES, subject=table.reference)
    return waits.filter(status=Proposal.Status.PROPOSED).first()
