"""What is published in versions: one is found, discarded as a draft, or rejected once proposed."""

from typing import Protocol, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_noop as _n

from wallets.models.staff_models import Proposal, VersionState
from wallets.staff import journal
from wallets.values.errors import Hidden
from wallets.values.player import Viewer

Version = TypeVar("Version", bound=Model)


class Draft(Protocol):
    number: int

    @property
    def reference(self) -> str: ...

    def delete(self) -> object: ...


def no_such_version() -> Hidden:
    return Hidden("no_such_version", _n("There is no such version."))


def version_in(versions: QuerySet[Version], number: object) -> Version:
    """The version whose row has this number."""
    version = versions.filter(pk=number).first() if type(number) is int else None
    if version is None:
        raise no_such_version()
    return version


def discard_draft(member: Viewer, verb: str, draft: Draft, reason: str) -> None:
    reference = draft.reference
    draft.delete()
    before = {"version": draft.number}
    journal.write(journal.by(member), verb, reference, before=before, after={}, reason=reason)


def reject_version(versions: QuerySet[Version], proposal: Proposal) -> None:
    """It was not approved: it stays as it was proposed, and another draft may begin."""
    waits = versions.filter(pk=proposal.arguments.get("version"), state=VersionState.PROPOSED.value)
    waits.update(state=VersionState.REJECTED.value)
