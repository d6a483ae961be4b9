"""Versions of the house: drafted by one, and in force when a second person has approved.

What players do not rely on, such as colours, one person publishes alone. A version that was
published stays as it was; another draft may begin from any of them.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import DatabaseError, IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.accounts import sign_in_cache
from casino.office.house import content as contents
from casino.office.house.marks import Mark
from casino.office.models import HouseMark, HouseVersion
from wallets.models.staff_models import Proposal
from wallets.of_record.verbs import under
from wallets.staff import approvals, journal
from wallets.staff.approvals import Arguments, Change, Order, Submitted
from wallets.staff.permitted import Permitted
from wallets.staff.versions import discard_draft, no_such_version, reject_version, version_in
from wallets.storage.silence import SILENCE
from wallets.values.errors import Refused
from wallets.values.house import AS_BUILT, HouseContent
from wallets.values.player import Viewer

PERMISSION: Final = "backoffice.publish_house"
VIEW: Final = "backoffice.view_houseversion"
PUBLISH: Final = "house.publish"
DRAFTED: Final = journal.register(
    "house.draft", _("Changed a draft of the house"), permission=PERMISSION
)
DISCARDED: Final = journal.register(
    "house.discard", _("Discarded a draft of the house"), permission=PERMISSION
)
State = HouseVersion.State
OPEN: Final = (State.DRAFT, State.PROPOSED)


def in_force() -> HouseVersion | None:
    return HouseVersion.objects.filter(state=State.PUBLISHED).first()


def open_version() -> HouseVersion | None:
    """The draft, or the version that waits for approval."""
    return HouseVersion.objects.filter(state__in=OPEN).first()


def content_of(version: HouseVersion | None) -> HouseContent:
    return AS_BUILT if version is None else contents.decoded(version.content)


def read_current() -> HouseContent:
    """The version in force, in one statement."""
    if SILENCE.is_silent:
        raise DatabaseError("the database says nothing")
    stored = HouseVersion.objects.filter(state=State.PUBLISHED).values_list("content", flat=True)
    row = stored.first()
    return AS_BUILT if row is None else contents.decoded(row)


def stale() -> Refused:
    return Refused("draft_changed", _n("A colleague has changed the draft since you opened it."))


def require(member: Viewer) -> None:
    if not member.has_perm(PERMISSION):
        raise Refused("not_allowed", _n("Your role cannot change what the house says."))


@under(DRAFTED)
def save_draft(
    member: Viewer,
    content: HouseContent,
    revision: int,
    *,
    mark: Mark | None = None,
    reason: str,
    now: datetime,
) -> HouseVersion:
    """Store the draft; `revision` is that of the draft which its author saw, 0 for none."""
    require(member)
    with transaction.atomic():
        last = _locked()
        current = in_force()
        before = content_of(current)
        if mark is not None:
            content = _with_mark(content, mark)
        content = contents.checked(content, before)
        draft = open_version()
        if draft is not None and draft.state != State.DRAFT:
            raise Refused(
                "house_proposed", _n("A version waits for approval: it has to be decided first.")
            )
        if (draft.revision if draft else 0) != revision:
            raise stale()
        if draft is None:
            draft = HouseVersion(
                number=last + 1, based_on=current, made_by_id=member.pk, made_at=now, revision=0
            )
            was = before
        else:
            was = content_of(draft)
        fields = contents.changed(was, content)
        if not fields and draft.pk:
            return draft
        draft.content, draft.revision = contents.encoded(content), draft.revision + 1
        try:
            with transaction.atomic():
                draft.save()
        except IntegrityError:
            # Two began the first draft at once.
            raise stale() from None
        journal.write(
            journal.by(member),
            DRAFTED,
            draft.reference,
            before=_values(was, fields) | {"revision": revision},
            after=_values(content, fields) | {"revision": draft.revision},
            reason=reason,
        )
    return draft


def _with_mark(content: HouseContent, mark: Mark) -> HouseContent:
    """The same picture is stored once."""
    if not HouseMark.objects.filter(pk=mark.digest).exists():
        mark.row.save(force_insert=True)
    return contents.with_mark(content, mark.digest)


def _values(content: HouseContent, fields: list[str]) -> dict[str, Any]:
    stored = contents.encoded(content)
    return {name: stored.get(name) for name in fields}


@under(DISCARDED)
def discard(member: Viewer, *, reason: str) -> None:
    require(member)
    with transaction.atomic():
        _locked()
        draft = open_version()
        if draft is None or draft.state != State.DRAFT:
            raise no_such_version()
        discard_draft(member, DISCARDED, draft, reason)


class PublishHouse(Permitted):
    """Argument: `version`, the number of a draft's row."""

    name: str = PUBLISH
    words: str | Promise = _("Publish a version of the house")
    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"version": _version(arguments).pk}

    def admit(self, order: Order) -> None:
        version = _version(order.arguments)
        due = State.PROPOSED if order.cause else State.DRAFT
        if version.state != due:
            raise Refused("not_proposed", _n("This version does not wait for approval."))
        contents.checked(content_of(version), content_of(in_force()))

    def needs_approval(self, order: Order) -> bool:
        return bool(relied_on(_version(order.arguments)))

    def subject(self, arguments: Arguments) -> str:
        return _version(arguments).reference

    def state(self, arguments: Arguments) -> Arguments:
        """Return what the proposal is about: the version, and the one in force before it."""
        current = in_force()
        return {
            "revision": _version(arguments).revision,
            "published": current.pk if current else None,
        }

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        version = _version(arguments)
        return [Change(*line) for line in lines_of(version)]

    def carry_out(self, order: Order) -> HouseVersion:
        _locked()
        version = _version(order.arguments)
        before = in_force()
        HouseVersion.objects.filter(state=State.PUBLISHED).update(state=State.RETIRED)
        version.state, version.published_at = State.PUBLISHED, order.now
        version.save(update_fields=["state", "published_at"])
        order.note(
            PUBLISH,
            version.reference,
            before={"version": before.number if before else None},
            after={"version": version.number},
        )
        sign_in_cache.forget(sign_in_cache.HOUSE, str(version.pk))
        return version

    def proposed(self, proposal: Proposal) -> None:
        waits = HouseVersion.objects.filter(pk=proposal.arguments["version"])
        waits.update(state=State.PROPOSED, proposal=proposal.reference)

    def closed(self, proposal: Proposal) -> None:
        reject_version(HouseVersion.objects.all(), proposal)


def publish(
    member: Viewer, version_id: int, revision: int, *, reason: str, key: UUID, now: datetime
) -> Submitted:
    """Publish a draft, or propose it where players rely on what it changes."""
    version = _version({"version": version_id})
    if version.revision != revision:
        raise stale()
    arguments = {"version": version_id}
    return approvals.submit(member, PUBLISH, arguments, reason=reason, key=key, now=now)


def compared_with(version: HouseVersion) -> HouseVersion | None:
    """The version in force; for one that is or was in force, the one before it."""
    if version.state in (State.PUBLISHED, State.RETIRED):
        return version.based_on
    return in_force()


def lines_of(version: HouseVersion) -> list[tuple[str, str, str]]:
    before = content_of(compared_with(version))
    return list(contents.lines(before, content_of(version)))


def relied_on(version: HouseVersion) -> list[str]:
    return contents.relied_on(content_of(in_force()), content_of(version))


def _version(arguments: Arguments) -> HouseVersion:
    rows = HouseVersion.objects.select_related("based_on")
    return version_in(rows, arguments.get("version"))


def _locked() -> int:
    """The number of the newest version, whose lock makes all changes wait for one another."""
    newest = HouseVersion.objects.select_for_update().order_by("-number")
    return newest.values_list("number", flat=True).first() or 0
