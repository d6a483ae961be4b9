"""Publishing a version, and ending a promotion: proposed by one person, approved by another.

Versions never change after that. A new version takes over from the one before it at the moment in
which it is approved; both count the facts of their own time.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.community.promotions.books import preview
from casino.community.promotions.models import Preview, PromotionVersion
from casino.community.promotions.office import drafts
from casino.community.promotions.office.drafts import PERMISSION, State, locked, version_of
from casino.community.promotions.pages import terms as words
from wallets.models import Currency
from wallets.models.staff_models import Proposal
from wallets.of_record.verbs import under
from wallets.staff import approvals, journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, money
from wallets.staff.versions import reject_version
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer

VERB: Final = "promotion.publish"
ENDED: Final = journal.register("promotion.end", _("Ended a promotion"), permission=PERMISSION)


class PublishPromotion(Permitted):
    """Arguments: `version`, a number."""

    name: str = VERB
    words: str | Promise = _("Publish a version of a promotion")
    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"version": version_of(arguments.get("version")).pk}

    def admit(self, order: Order) -> None:
        version = version_of(order.arguments["version"])
        if version.state != State.PROPOSED:
            raise Refused("not_proposed", _n("This version does not wait for approval."))
        drafts.require_sound(version.terms, version.promotion_id)

    def subject(self, arguments: Arguments) -> str:
        return version_of(arguments["version"]).promotion.reference

    def state(self, arguments: Arguments) -> Arguments:
        version = version_of(arguments["version"])
        return {"state": version.state, "revision": version.revision}

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        version = version_of(arguments["version"])
        declared = version.declared
        lines = [Change(_t("Promotion"), "", version.promotion.name)]
        lines += [Change(line.label, "", line.text) for line in words.lines(declared)]
        row = preview.of_version(version)
        if row is not None and row.state == Preview.State.DONE:
            currency = Currency.objects.get(pk=declared.currency)
            lines.append(
                Change(_t("Cost in the last 30 days"), "", money(row.result["cost"], currency))
            )
        if version.answer:
            lines.append(Change(_t("Reason for this"), "", version.answer))
        return lines

    def carry_out(self, order: Order) -> PromotionVersion:
        version = locked(order.arguments["version"])
        before = in_force(version)
        if before is not None:
            before.ended_at = order.now
            before.save(update_fields=["ended_at"])
        version.state, version.published_from = State.PUBLISHED, order.now
        version.save(update_fields=["state", "published_from"])
        order.note(
            VERB,
            version.promotion.reference,
            before={"version": before.number if before else None},
            after={"version": version.number, "from": order.now},
        )
        return version

    def proposed(self, proposal: Proposal) -> None:
        """The version is marked before."""

    def closed(self, proposal: Proposal) -> None:
        reject_version(PromotionVersion.objects.all(), proposal)


def in_force(version: PromotionVersion) -> PromotionVersion | None:
    """The published version of the same promotion that has no end of its own yet."""
    versions = version.promotion.versions.filter(state=State.PUBLISHED, ended_at=None)
    return versions.order_by("-number").first()


def propose(
    member: Viewer, number: int, revision: int, answer: str, *, reason: str, key: UUID
) -> Proposal:
    """Propose a draft whose cost is known; one that can be exploited needs a reason of its own."""
    now = timezone.now()
    arguments = {"version": number}
    is_new = not Proposal.objects.filter(key=key).exists()
    with under(approvals.PROPOSED), transaction.atomic():
        if is_new:
            drafts.require(member)
            _mark(locked(number), revision, answer.strip())
        submitted = approvals.submit(member, VERB, arguments, reason=reason, key=key, now=now)
    assert submitted.proposal is not None, "it always needs approval"
    return submitted.proposal


def _mark(version: PromotionVersion, revision: int, answer: str) -> None:
    if version.state != State.DRAFT:
        raise Refused("already_proposed", _n("This version has already been proposed."))
    drafts.require_unchanged(version, revision)
    drafts.require_sound(version.terms, version.promotion_id)
    row = preview.of_version(version)
    if row is None or row.state != Preview.State.DONE:
        raise Refused("not_reckoned", _n("Compute the cost of this version first."))
    if is_exploitable(row.result) and not answer:
        raise Refused(
            "exploitable",
            _n("A player who only exploits it gains. Give the reason for publishing it."),
        )
    version.state, version.answer = State.PROPOSED, answer
    version.save(update_fields=["state", "answer"])


def is_exploitable(result: Mapping[str, Any]) -> bool:
    return int(result.get("gain", 0)) > 0


@under(ENDED)
def end(member: Viewer, number: int, *, reason: str, now: datetime) -> PromotionVersion:
    """End what runs, from now on: what was earned before is paid."""
    drafts.require(member)
    with transaction.atomic():
        version = locked(number)
        if version.state != State.PUBLISHED or version.ended_at is not None:
            raise Refused("not_running", _n("This version does not run."))
        version.ended_at = now
        version.save(update_fields=["ended_at"])
        ends = house_time(version.declared.ends)
        before = {"version": version.number, "ends": ends}
        drafts.note(member, ENDED, version.promotion, before, {"ended": now}, reason)
    return version
