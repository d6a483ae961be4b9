"""Publishing a version: proposed by one with its figures and answers, approved by a second person.

From then on it is as it was proposed. It is in force from a day and hour, and tables follow it from
their next hand. Until the decision, no other version of the profile can be drafted.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import Profile, ProfileVersion, Reckoning, Table
from games.profiles import reckoning, warnings
from games.profiles.differences import changed, content_of
from games.profiles.drafts import PERMISSION, faults, require, version_of, without_room
from games.profiles.figures import figure_text
from games.tables.settings import changed as wake
from games.tables.table_rules import version_in_force
from wallets.models.staff_models import Proposal
from wallets.of_record.verbs import under
from wallets.staff import approvals
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.staff.versions import reject_version
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer

VERB: Final = "profile.publish"
State = ProfileVersion.State
# Nothing is published further ahead than this.
AHEAD_MAX: Final = timedelta(days=366)


class PublishVersion(Permitted):
    """Arguments: `version`, a number, and `from`, a time; nothing is published in the past."""

    name: str = VERB
    words: str | Promise = _("Publish a version of a profile")
    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"version": _version(arguments).pk, "from": _time(arguments).isoformat()}

    def admit(self, order: Order) -> None:
        version = _version(order.arguments)
        if version.state != State.PROPOSED:
            raise Refused("not_proposed", _n("This version does not wait for approval."))
        waiting = Proposal.objects.filter(
            verb=VERB, subject=version.reference, status=Proposal.Status.PROPOSED
        )
        if not order.cause and waiting.exclude(key=order.key).exists():
            raise Refused("already_proposed", _n("This version has already been proposed."))
        _require_room(version)

    def subject(self, arguments: Arguments) -> str:
        return _version(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        """Return what the proposal is about: the version, and the published one before it."""
        version = _version(arguments)
        current = _published(version)
        return {
            "state": version.state,
            "revision": version.revision,
            "published": current.pk if current else None,
        }

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        version = _version(arguments)
        start = Change(_t("In force from"), "", house_time(_time(arguments)))
        lines = [*_settings_lines(version), *_figure_lines(version), *_answer_lines(version)]
        return [start, *lines]

    def carry_out(self, order: Order) -> ProfileVersion:
        version = _locked(order.arguments)
        before = _published(version)
        start = max(_time(order.arguments), order.now)
        _retire(version, start, order.now)
        version.state, version.published_from = State.PUBLISHED, start
        version.save(update_fields=["state", "published_from"])
        order.note(
            VERB,
            version.reference,
            before={"version": before.number if before else None},
            after={"version": version.number, "from": start},
        )
        wake_tables(version.profile_id, order.now)
        return version

    def proposed(self, proposal: Proposal) -> None:
        version = ProfileVersion.objects.filter(pk=proposal.arguments["version"])
        version.update(proposal=proposal.reference)

    def closed(self, proposal: Proposal) -> None:
        reject_version(ProfileVersion.objects.all(), proposal)


def propose(  # noqa: PLR0913 - what a proposal is
    member: Viewer,
    version_id: int,
    revision: int,
    start: datetime,
    answers: Mapping[str, str],
    *,
    reason: str,
    key: UUID,
    now: datetime,
) -> Proposal:
    """Propose a draft whose figures are known and whose warnings are answered."""
    arguments = {"version": version_id, "from": start.isoformat()}
    earlier = Proposal.objects.filter(key=key).first()
    with under(approvals.PROPOSED), transaction.atomic():
        version = _locked(arguments)
        if earlier is None:
            require(member)
            _mark(version, revision, start, answers, now)
        submitted = approvals.submit(member, VERB, arguments, reason=reason, key=key, now=now)
    assert submitted.proposal is not None
    return submitted.proposal


def _mark(
    version: ProfileVersion,
    revision: int,
    start: datetime,
    answers: Mapping[str, str],
    now: datetime,
) -> None:
    """From here on the version is fixed."""
    if version.state != State.DRAFT:
        raise Refused("already_proposed", _n("This version has already been proposed."))
    if version.revision != revision:
        raise Refused(
            "draft_changed",
            _n("This draft was changed since you opened it: look at it, and propose again."),
        )
    if start > now + AHEAD_MAX:
        raise Refused("too_far_ahead", _n("This is more than a year ahead."))
    profile = version.profile
    for _field, sentence in faults(profile, version.options, version.table_settings):
        raise Refused("version_fault", _n("The options do not fit: {sentence}"), sentence=sentence)
    _require_room(version)
    row = reckoning.of_version(version)
    if row is None or row.state != Reckoning.State.DONE:
        raise Refused("not_reckoned", _n("Calculate the effects of this version first."))
    warneds = warnings.warnings(version, reckoning.figures_of_version(version))
    if open_ones := warnings.unanswered(warneds, answers):
        raise Refused(
            "unanswered", _n("Answer this warning first: {title}."), title=open_ones[0].title
        )
    known = {warned.code for warned in warneds}
    version.answers = {code: text.strip() for code, text in answers.items() if code in known}
    version.state, version.published_from = State.PROPOSED, start
    version.save(update_fields=["state", "answers", "published_from"])


def wake_tables(profile_id: int, now: datetime) -> None:
    """Empty tables follow at once, so that no player sits down at old rules."""
    tables = Table.objects.filter(profile=profile_id).exclude(status=Table.Status.CLOSED)
    for number in tables.values_list("pk", flat=True):
        _wake_after_commit(number, now)


def _wake_after_commit(table_id: int, now: datetime) -> None:
    """One table that fails does not hold up the others; the version stays published."""
    transaction.on_commit(lambda: wake(table_id, now), robust=True)


def follow_due(now: datetime) -> int:
    """Tell tables, and wake idle ones, whose profile has a version in force that they lack."""
    woken = 0
    for profile in Profile.objects.filter(tables__isnull=False).distinct():
        version = version_in_force(profile.pk, now)
        if version is None:
            continue
        tables = profile.tables.exclude(status=Table.Status.CLOSED).exclude(profile_version=version)
        waits = Q(coming_rules__profile_version=version, due_at__isnull=False)
        for number in tables.exclude(waits).values_list("pk", flat=True):
            wake(number, now)
            woken += 1
    return woken


def _retire(version: ProfileVersion, start: datetime, now: datetime) -> None:
    """Versions that would come later than this one, and those that were replaced long ago."""
    published = version.profile.versions.filter(state=State.PUBLISHED)
    published.filter(published_from__gte=start, published_from__gt=now).update(state=State.RETIRED)
    current = version_in_force(version.profile_id, now)
    if current is not None:
        published.filter(published_from__lte=now).exclude(pk=current.pk).update(state=State.RETIRED)


def _require_room(version: ProfileVersion) -> None:
    if tables := without_room(version):
        raise Refused(
            "no_room",
            _n("A table has more seats than this version allows: {table}."),
            table=tables[0].name,
        )


def _published(version: ProfileVersion) -> ProfileVersion | None:
    return version_in_force(version.profile_id, timezone.now())


def _settings_lines(version: ProfileVersion) -> list[Change]:
    current = _published(version)
    if current is not None and current.pk == version.pk:
        current = version.based_on
    before = content_of(current) if current else None
    return [
        Change(difference.label, difference.before, difference.after)
        for difference in changed(before, content_of(version))
    ]


def _figure_lines(version: ProfileVersion) -> list[Change]:
    current = _published(version)
    then = reckoning.figures_of_version(version)
    now = reckoning.figures_of_version(current) if current else {}
    currency = version.profile.currency
    return [
        Change(
            _t("Figure: {name}").format(name=warnings.bet_words(key)),
            figure_text(now[key], currency) if key in now else "",
            figure_text(figure, currency),
        )
        for key, figure in then.items()
    ]


def _answer_lines(version: ProfileVersion) -> list[Change]:
    return [
        Change(_t("Answer to: {warning}").format(warning=warnings.title_of(code)), "", text)
        for code, text in version.answers.items()
    ]


def _time(arguments: Arguments) -> datetime:
    given = arguments.get("from")
    try:
        moment = parse_datetime(given) if isinstance(given, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise Refused("from_unreadable", _n("This is not a day and hour."))
    return moment


def _version(arguments: Arguments) -> ProfileVersion:
    return version_of(arguments.get("version"))


def _locked(arguments: Arguments) -> ProfileVersion:
    """The version under the lock of its profile, which decides which one is published."""
    version = _version(arguments)
    profiles = type(version.profile).objects.select_for_update()
    profiles.filter(pk=version.profile_id).values_list("pk").first()
    return _version(arguments)
