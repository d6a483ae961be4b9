"""Drafts: a profile begins with one, and staff change it; impossible versions are refused.

A profile has one draft at a time. Two who change it at once are not merged: the second sees the
first one's changes, and saves again on top of them.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Profile, ProfileVersion, Table
from games.models.profiles import COUNTS, SECONDS, SETTINGS
from games.profiles.differences import Content, Difference, bounds_of, changed
from games.profiles.options import defaults
from games.rules.catalogue import GAMES, game_type
from games.rules.contract import AnyGame, refused_options
from games.tables.hand_state import game_from
from games.tables.settings import RAKE_BP_MAX
from games.tables.table_rules import fits, settings_of
from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.versions import discard_draft, version_in
from wallets.values.errors import Refused
from wallets.values.player import Viewer

ABOUT_OPTIONS = "options"


def faults(
    profile: Profile, options: Mapping[str, object], settings: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Each contradiction, by the field of the form where it is shown."""
    yield from _of_the_rules(profile, options)
    if settings["buy_in_min"] > settings["buy_in_max"]:
        yield "buy_in_max", gettext("The smallest buy-in is above the largest.")
    if settings["stack_min"] > settings["buy_in_min"]:
        yield "stack_min", gettext("The minimum buy-in is below the stack needed to play.")
    for name in (*SECONDS, *COUNTS):
        least, most = bounds_of(name)
        if not least <= settings[name] <= most:
            yield (
                name,
                gettext("This must be from {least} to {most}.").format(least=least, most=most),
            )


def _of_the_rules(profile: Profile, options: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    try:
        game: AnyGame = game_from(profile.game, dict(options))
    except Refused as refusal:
        yield ABOUT_OPTIONS, sentence_of(refusal, profile.currency)
        return
    except ValueError as reason:
        yield ABOUT_OPTIONS, str(reason)
        return
    if refused := refused_options(game):
        yield ABOUT_OPTIONS, sentence_of(refused, profile.currency)
    played: Any = game
    if played.rake_bp > RAKE_BP_MAX:
        yield (
            ABOUT_OPTIONS,
            gettext("The rake can be at most {percent} %.").format(percent=RAKE_BP_MAX // 100),
        )
    payout = getattr(played, "max_payout", None)
    if payout is not None and payout < played.max:
        yield ABOUT_OPTIONS, gettext("The largest bet could not win as much as it stakes.")


def without_room(version: ProfileVersion) -> list[Table]:
    """The tables that follow the profile and have more seats than this version allows."""
    tables = Table.objects.filter(profile=version.profile_id).exclude(status=Table.Status.CLOSED)
    return [table for table in tables if not fits(table.places, table.game, version)]


PERMISSION: Final = "games.publish_profile"
VIEW: Final = "games.view_profile"
MADE: Final = journal.register("profile.add", _("Made a profile"), permission=PERMISSION)
DRAFTED: Final = journal.register(
    "profile.draft", _("Began a draft of a profile"), permission=PERMISSION
)
CHANGED: Final = journal.register(
    "profile.change", _("Changed a draft of a profile"), permission=PERMISSION
)
DISCARDED: Final = journal.register(
    "profile.discard", _("Discarded a draft of a profile"), permission=PERMISSION
)
DRAFT = ProfileVersion.State.DRAFT
OPEN: Final = (DRAFT, ProfileVersion.State.PROPOSED)
# The usual buy-in, in smallest stakes.
STACKS: Final = {"stack_min": 10, "buy_in_min": 50, "buy_in_max": 500}


class StaleDraft(Refused):
    """The draft has changed since this author saw it."""

    def __init__(self, by: str, lines: list[Difference], revision: int) -> None:
        super().__init__(
            "draft_stale",
            _n("{by} has changed this draft since you opened it: {what}. Look again and save."),
            by=by,
            what="; ".join(f"{line.label}: {line.before} → {line.after}" for line in lines),
        )
        self.lines, self.revision = lines, revision


def require(member: Viewer) -> None:
    if not member.has_perm(PERMISSION):
        raise Refused("not_allowed", _n("Your role cannot change profiles."))


@under(MADE)
def make_profile(
    member: Viewer, name: str, game: str, currency: str, *, reason: str, now: datetime
) -> ProfileVersion:
    """A profile with its first draft: the game as its rules have it."""
    require(member)
    money = Currency.objects.filter(pk=currency).exclude(kind=Currency.Kind.CHIPS).first()
    if money is None:
        raise Refused("no_such_currency", _n("The house has no such currency."))
    if game not in GAMES:
        raise Refused("no_such_game", _n("There is no game called {key}."), key=game[:40])
    name = name.strip()
    with transaction.atomic():
        try:
            with transaction.atomic():
                made = Profile.objects.create(name=name, game=game, currency=money, made_at=now)
        except IntegrityError:
            raise Refused("profile_exists", _n("There is a profile of this name.")) from None
        version = ProfileVersion.objects.create(
            profile=made,
            number=1,
            options=defaults(game),
            table_settings=usual_settings(game),
            made_by_id=member.pk,
            made_at=now,
        )
        after = {"name": name, "game": game, "currency": money.code, "draft": 1}
        who = journal.by(member)
        journal.write(who, MADE, made.reference, before={}, after=after, reason=reason)
    return version


def usual_settings(game: str) -> dict[str, object]:
    """Return the usual settings of a table of this game, for a first draft."""
    usual = Table(game=game)
    least = game_type(game)().least_stake
    stacks = {name: least * times for name, times in STACKS.items()}
    return settings_of(usual) | stacks


@under(DRAFTED)
def begin_draft(member: Viewer, version_id: int, *, reason: str, now: datetime) -> ProfileVersion:
    """Copy a version into a draft; all authors share the existing draft."""
    require(member)
    with transaction.atomic():
        source = version_of(version_id)
        profile = Profile.objects.select_for_update().get(pk=source.profile_id)
        there = profile.versions.filter(state__in=OPEN).first()
        if there is not None:
            return there
        last = profile.versions.order_by("-number").first()
        assert last is not None
        draft = ProfileVersion.objects.create(
            profile=profile,
            number=last.number + 1,
            # The game may have got new options since.
            options=defaults(profile.game) | dict(source.options),
            table_settings=source.table_settings,
            based_on=source,
            made_by_id=member.pk,
            made_at=now,
        )
        journal.write(
            journal.by(member),
            DRAFTED,
            draft.reference,
            before={"version": source.number},
            after={"version": draft.number},
            reason=reason,
        )
    return draft


@under(CHANGED)
def save_draft(
    member: Viewer,
    version_id: int,
    revision: int,
    options: Mapping[str, object],
    table_settings: Mapping[str, object],
    *,
    reason: str,
) -> ProfileVersion:
    """Store an author's changes, unless a colleague has changed the draft since."""
    require(member)
    with transaction.atomic():
        draft = _locked(version_id)
        _require_draft(draft)
        if draft.revision != revision:
            raise _stale(draft, revision)
        before = _values(draft.options, draft.table_settings)
        draft.options, draft.table_settings = dict(options), dict(table_settings)
        after = _values(draft.options, draft.table_settings)
        if after == before:
            return draft
        draft.revision += 1
        draft.save(update_fields=["options", "table_settings", "revision"])
        names = [name for name in after if after[name] != before.get(name)]
        journal.write(
            journal.by(member),
            CHANGED,
            draft.reference,
            before={name: before.get(name) for name in names} | {"revision": revision},
            after={name: after[name] for name in names} | {"revision": draft.revision},
            reason=reason,
        )
    return draft


@under(DISCARDED)
def discard(member: Viewer, version_id: int, *, reason: str) -> Profile:
    """Throw a draft away; the first of a profile stays, as the profile has nothing else."""
    require(member)
    with transaction.atomic():
        draft = _locked(version_id)
        _require_draft(draft)
        if draft.number == 1:
            raise Refused("first_draft", _n("The first draft of a profile stays."))
        discard_draft(member, DISCARDED, draft, reason)
    return draft.profile


def _values(options: Mapping[str, object], settings: Mapping[str, object]) -> dict[str, object]:
    values: dict[str, object] = msgspec.to_builtins({**options, **settings})
    return values


def _stale(draft: ProfileVersion, seen: int) -> StaleDraft:
    """Return the error that lists the changes since, from the journal, first to last."""
    entries = JournalEntry.objects.filter(verb=CHANGED, subject=draft.reference)
    since = [entry for entry in entries.order_by("position") if entry.after["revision"] > seen]
    now = _values(draft.options, draft.table_settings)
    then = dict(now)
    for entry in reversed(since):
        then |= {name: value for name, value in entry.before.items() if name in now}
    by = ", ".join(dict.fromkeys(entry.actor_name for entry in since))
    lines = changed(_content(draft, then), _content(draft, now))
    return StaleDraft(by, lines, draft.revision)


def _content(draft: ProfileVersion, values: Mapping[str, object]) -> Content:
    options = {name: values[name] for name in draft.options}
    settings = {name: values[name] for name in SETTINGS}
    return Content(draft.profile.game, draft.profile.currency, options, settings)


def _require_draft(version: ProfileVersion) -> None:
    if version.state != DRAFT:
        raise Refused(
            "no_draft", _n("This version has been proposed and can no longer be changed.")
        )


def version_of(number: object) -> ProfileVersion:
    rows = ProfileVersion.objects.select_related("profile__currency", "based_on")
    return version_in(rows, number)


def _locked(version_id: int) -> ProfileVersion:
    ProfileVersion.objects.select_for_update().filter(pk=version_id).values_list("pk").first()
    return version_of(version_id)
