"""Changes that need a second person: propose, approve, reject, expire.

Packages register what can be proposed as a `Verb`. `submit` carries a verb out immediately if it is
below its threshold, and stores a proposal otherwise. Approving asks again, at that moment and under
the lock of the proposal: the roles of both, the deadline, and whether the object is still what the
proposal was made about. The database itself refuses a checker who is the maker.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from wallets.models.staff_models import Proposal
from wallets.money.cashier import Stated
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.journal import Values
from wallets.values.errors import Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry

APPROVE: Final = "wallets.approve_proposal"
# The badge counts no more than so many.
COUNTED: Final = 100
Arguments = Mapping[str, Any]

PROPOSED: Final = journal.register("proposal.propose", _("Proposed"), confirmed=True)
APPROVED: Final = journal.register(
    "proposal.approve", _("Approved"), confirmed=True, permission=APPROVE
)
REJECTED: Final = journal.register(
    "proposal.reject", _("Rejected"), confirmed=True, permission=APPROVE
)
EXPIRED: Final = journal.register("proposal.expire", _("Expired"), needs_reason=False)
WITHDRAWN: Final = journal.register("proposal.withdraw", _("Withdrawn"), confirmed=True)

GONE: Final = _("What this proposal is about no longer exists.")
# An earlier version of its verb took other arguments.
UNREADABLE: Final = _("The house can no longer read this proposal.")


class Change(NamedTuple):
    """One thing that would change: what, from which value, to which; as a reader reads them."""

    words: str
    before: str
    after: str


class Order(NamedTuple):
    """A verb to carry out: its arguments, actor, reason, and the proposal if it needed one."""

    arguments: Arguments
    maker: Viewer
    reason: str
    key: UUID
    now: datetime
    cause: str = ""
    # The approver; None without a proposal.
    checker: Viewer | None = None

    @property
    def stated(self) -> Stated:
        """What a posting of this order states."""
        return {"key": self.key, "actor": journal.by(self.maker).reference, "reason": self.reason}

    def note(self, verb: str, subject: str, *, before: Values, after: Values) -> None:
        """Write the entry of the journal about what this order has done."""
        who = journal.by(self.maker)
        journal.write(
            who, verb, subject, before=before, after=after, reason=self.reason, cause=self.cause
        )


class Verb(Protocol):
    """A verb that a package registers. Arguments are JSON; `check` refuses wrong ones."""

    name: str
    words: str | Promise
    # Members of staff with this permission can propose.
    permission: str
    # The exceptions that say that what the arguments name does not exist.
    missing: tuple[type[Exception], ...]

    def may_propose(self, member: Viewer) -> bool: ...

    def may_approve(self, member: Viewer, some: Sequence[Arguments]) -> list[bool]:
        """Return which of these the member may approve, with one query at most."""

    def check(self, arguments: Arguments) -> Arguments:
        """Return the arguments as they are stored, or refuse what makes no sense at any time."""

    def admit(self, order: Order) -> None:
        """Refuse what cannot be done now, or not by this maker; a repeated key is admitted."""

    def subject(self, arguments: Arguments) -> str:
        """The opaque reference of the object."""

    def state(self, arguments: Arguments) -> Arguments:
        """Return the state that the proposal is about: once it differs, the proposal is stale."""

    def needs_approval(self, order: Order) -> bool: ...

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        """Return what would change; raise one of `missing` if what the arguments name is gone."""

    def carry_out(self, order: Order) -> object:
        """Do it, and write its entry of the journal, in the caller's transaction."""


@runtime_checkable
class Reserving(Protocol):
    """A verb that reserves what it will need until the proposal is decided."""

    def reserve(self, order: Order) -> None:
        """It is about to be proposed: in the same transaction."""


@runtime_checkable
class Marking(Protocol):
    """A verb whose object names the proposal: it is called before the entry of the journal."""

    def proposed(self, proposal: Proposal) -> None: ...


@runtime_checkable
class Concluding(Protocol):
    """A verb that marks its object while it waits, and is called without an approval."""

    def closed(self, proposal: Proposal) -> None:
        """It was rejected, or has expired: in the same transaction."""


class Submitted(NamedTuple):
    """The proposal that waits, or what carrying out returned."""

    proposal: Proposal | None
    result: object = None


_VERBS: Final = Registry[Verb]("verb")


def register(*verbs: Verb) -> None:
    for verb in verbs:
        _VERBS.add(verb.name, verb)
        journal.register(verb.name, verb.words, confirmed=True, permission=verb.permission)


def registered() -> Mapping[str, Verb]:
    return dict(sorted(_VERBS.items()))


def submit(
    member: Viewer, name: str, arguments: Arguments, *, reason: str, key: UUID, now: datetime
) -> Submitted:
    """Carry a verb out, or propose it if it needs approval; a repeated key proposes once."""
    verb = _verb(name)
    member = _fresh(member.pk)
    if not member.is_active or not verb.may_propose(member):
        raise Refused("not_proposer", _("Your role cannot propose this."))
    reason = journal.reason_of(reason)
    with transaction.atomic():
        earlier = Proposal.objects.filter(key=key).first()
        if earlier is not None:
            return Submitted(_same(earlier, member, verb, arguments))
        order = Order(verb.check(arguments), member, reason, key, now)
        verb.admit(order)
        if not verb.needs_approval(order):
            with under(verb.name):
                return Submitted(None, verb.carry_out(order))
    try:
        with transaction.atomic():
            return Submitted(_propose(verb, order))
    except IntegrityError:
        # Two requests sent the same form simultaneously.
        return Submitted(_same(Proposal.objects.get(key=key), member, verb, arguments))


@under(PROPOSED)
def _propose(verb: Verb, order: Order) -> Proposal:
    wanted, maker = order.arguments, journal.by(order.maker)
    if isinstance(verb, Reserving):
        verb.reserve(order)
    state = journal.value_of(verb.state(wanted))
    proposal = Proposal(
        key=order.key,
        verb=verb.name,
        subject=verb.subject(wanted),
        arguments=journal.value_of(wanted),
        state=state,
        maker=maker.reference,
        maker_name=maker.name,
        reason=order.reason,
        made_at=order.now,
        expires_at=order.now + timedelta(hours=settings.PROPOSAL_HOURS),
    )
    proposal.lines = _in_every_language(proposal)
    proposal.save(force_insert=True)
    if isinstance(verb, Marking):
        verb.proposed(proposal)
    journal.write(
        maker,
        PROPOSED,
        proposal.reference,
        before={},
        after={"verb": verb.name, "subject": proposal.subject, "arguments": wanted},
        reason=order.reason,
    )
    return proposal


@under(APPROVED)
def approve(member: Viewer, proposal_id: int, *, reason: str, now: datetime) -> Proposal:
    """Approve and carry out, once; a refusal leaves the proposal waiting."""
    reason = journal.reason_of(reason)
    with transaction.atomic():
        proposal, verb, checker = _to_decide(member, proposal_id, now)
        maker = _maker_of(proposal, verb)
        try:
            state = journal.value_of(verb.state(proposal.arguments))
        except LookupError:
            raise Refused("proposal_unreadable", UNREADABLE) from None
        if state != proposal.state:
            raise Refused(
                "proposal_stale",
                _("This has changed since it was proposed: reject it, and propose it again."),
            )
        _decide(proposal, Proposal.Status.APPROVED, checker, reason, now)
        order = Order(
            verb.check(proposal.arguments),
            maker,
            proposal.reason,
            proposal.key,
            now,
            proposal.reference,
            checker,
        )
        verb.admit(order)
        with under(verb.name):
            verb.carry_out(order)
        _note(proposal, APPROVED, journal.by(checker))
    return proposal


@under(REJECTED)
def reject(member: Viewer, proposal_id: int, *, reason: str, now: datetime) -> Proposal:
    reason = journal.reason_of(reason)
    with transaction.atomic():
        proposal, _verb_of, checker = _to_decide(member, proposal_id, now)
        _decide(proposal, Proposal.Status.REJECTED, checker, reason, now)
        _close(proposal)
        _note(proposal, REJECTED, journal.by(checker))
    return proposal


@under(WITHDRAWN)
def take_back(member: Viewer, proposal_id: int, *, reason: str, now: datetime) -> Proposal:
    """Withdraw one's own undecided proposal; what was set aside for it is released.

    It is stored as expired, because no colleague has checked it; its decision says why it was
    withdrawn.
    """
    reason = journal.reason_of(reason)
    who = journal.by(member)
    with transaction.atomic():
        held = Proposal.objects.select_for_update().filter(pk=proposal_id, maker=who.reference)
        proposal = held.first()
        if proposal is None:
            raise Refused("no_such_proposal", _("There is no such proposal."))
        if proposal.status != Proposal.Status.PROPOSED:
            raise Refused("proposal_ended", _("This proposal no longer waits."))
        _decide(proposal, Proposal.Status.EXPIRED, None, reason, now)
        _close(proposal)
        _note(proposal, WITHDRAWN, who)
    return proposal


def proposals_to_expire(now: datetime) -> QuerySet[Proposal]:
    return Proposal.objects.filter(status=Proposal.Status.PROPOSED, expires_at__lte=now)


def expire_due(now: datetime) -> int:
    """The sweep: each proposal past its deadline expires once, however many sweep at once."""
    return _expire(proposals_to_expire(now), now)


def end_waiting(verb: str, subject: str, now: datetime) -> int:
    """End the proposals of a verb about an object that have nothing left to decide."""
    waits = Proposal.objects.filter(status=Proposal.Status.PROPOSED)
    return _expire(waits.filter(verb=verb, subject=subject), now)


@under(EXPIRED)
def _expire(proposals: QuerySet[Proposal], now: datetime) -> int:
    expired = 0
    for number in list(proposals.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            held = Proposal.objects.select_for_update().filter(pk=number)
            proposal = held.filter(status=Proposal.Status.PROPOSED).first()
            if proposal is not None:
                _decide(proposal, Proposal.Status.EXPIRED, None, "", now)
                _close(proposal)
                _note(proposal, EXPIRED, journal.HOUSE)
                expired += 1
    return expired


@runtime_checkable
class Ending(Protocol):
    """A verb with a word of its own for a proposal that had nothing left to decide."""

    ended: str | Promise


def outcome_of(proposal: Proposal) -> str:
    """What a proposal came to, in words: also that it ended before its time, undecided."""
    undecided = proposal.status == Proposal.Status.EXPIRED and not proposal.decision
    in_time = proposal.decided_at is not None and proposal.decided_at < proposal.expires_at
    if not undecided or not in_time:
        return proposal.outcome
    verb = _VERBS.get(proposal.verb)
    return str(verb.ended if isinstance(verb, Ending) else _("no longer needed"))


def describe(proposal: Proposal) -> list[Change]:
    """Return what would change, or what was decided, in words and figures.

    It is empty if the verb no longer exists, and a sentence if what it is about is gone, or if its
    arguments are not those of the verb.
    """
    if proposal.status != Proposal.Status.PROPOSED and proposal.lines:
        return [Change(*line) for line in proposal.kept_lines]
    verb = _VERBS.get(proposal.verb)
    if verb is None:
        return []
    try:
        return verb.describe(proposal.arguments, proposal.state)
    except verb.missing:
        return [Change(str(GONE), "", "")]
    except LookupError:
        return [Change(str(UNREADABLE), "", "")]


def _in_every_language(proposal: Proposal) -> dict[str, list[Change]]:
    """Return the words to keep, since names and amounts change afterwards."""
    changes = {}
    for code, _name in settings.LANGUAGES:
        with override(code):
            changes[code] = [Change(*map(str, line)) for line in describe(proposal)]
    return changes


def may_decide(member: Viewer, proposal: Proposal) -> bool:
    """Whether to offer the buttons; `approve` and `reject` ask again."""
    return proposal.pk in decidable(member, [proposal])


def decidable(member: Viewer, proposals: Iterable[Proposal]) -> set[int]:
    """The numbers of those that this member of staff may decide; each verb is asked once."""
    if not member.has_perm(APPROVE):
        return set()
    own, by_verb = journal.by(member).reference, defaultdict[str, list[Proposal]](list)
    for proposal in proposals:
        if proposal.maker != own and proposal.verb in _VERBS:
            by_verb[proposal.verb].append(proposal)
    numbers = set()
    for name, some in by_verb.items():
        may = _VERBS[name].may_approve(member, [proposal.arguments for proposal in some])
        numbers |= {proposal.pk for proposal, allowed in zip(some, may, strict=True) if allowed}
    return numbers


def approvers(proposal: Proposal) -> list[Any]:
    """The members of staff who may decide a proposal, by name."""
    people = get_user_model().objects.filter(is_active=True, is_staff=True)
    codename = APPROVE.partition(".")[2]
    able = people.filter(groups__permissions__codename=codename).distinct().order_by("username")
    return [player for player in able if may_decide(player, proposal)]


def waiting(now: datetime) -> QuerySet[Proposal]:
    return Proposal.objects.filter(status=Proposal.Status.PROPOSED, expires_at__gt=now)


def waiting_for(member: Viewer, now: datetime) -> int:
    """Return how many proposals this member of staff can decide."""
    if not member.has_perm(APPROVE):
        return 0
    others = waiting(now).exclude(maker=journal.by(member).reference)
    return len(decidable(member, others[:COUNTED]))


def visible_to(member: Viewer) -> QuerySet[Proposal]:
    """All of them for those who decide or read the journal, their own for others."""
    proposals = Proposal.objects.order_by("-pk")
    if member.has_perm(APPROVE) or member.has_perm("wallets.read_journal"):
        return proposals
    return proposals.filter(maker=journal.by(member).reference)


def _verb(name: str) -> Verb:
    if name not in _VERBS:
        raise Refused("no_such_verb", _("This cannot be proposed."))
    return _VERBS[name]


def _same(earlier: Proposal, member: Viewer, verb: Verb, arguments: Arguments) -> Proposal:
    """Return the proposal that this key has made already, if it asks for the same."""
    same = (earlier.maker, earlier.verb) == (journal.by(member).reference, verb.name)
    # Once it is decided, the arguments need no longer fit what they are about.
    if same and earlier.status == Proposal.Status.PROPOSED:
        same = journal.value_of(verb.check(arguments)) == earlier.arguments
    if not same:
        raise Refused("conflict", _("The key has been used for another proposal."))
    return earlier


def _fresh(number: Any) -> Any:
    """Read a member of staff anew: a role may have been revoked since they signed in."""
    member = get_user_model().objects.filter(pk=number).first()
    if member is None:
        raise Refused("not_proposer", _("Your role cannot propose this."))
    return member


def _to_decide(member: Viewer, proposal_id: int, now: datetime) -> tuple[Proposal, Verb, Any]:
    """Lock a proposal for a member of staff who may decide it now."""
    proposal = Proposal.objects.select_for_update().filter(pk=proposal_id).first()
    if proposal is None:
        raise Refused("no_such_proposal", _("There is no such proposal."))
    checker, verb = _fresh(member.pk), _verb(proposal.verb)
    if journal.by(checker).reference == proposal.maker:
        raise Refused("own_proposal", _("You proposed this, so a colleague must decide it."))
    may = checker.is_active and checker.has_perm(APPROVE)
    if not may or not all(verb.may_approve(checker, [proposal.arguments])):
        raise Refused("not_approver", _("Your role cannot decide this."))
    if proposal.status == Proposal.Status.PROPOSED and now < proposal.expires_at:
        return proposal, verb, checker
    if proposal.status in (Proposal.Status.PROPOSED, Proposal.Status.EXPIRED):
        raise Refused("proposal_expired", _("This proposal has expired: propose it again."))
    raise Refused(
        "proposal_decided",
        _("{name} has already decided this proposal."),
        name=proposal.checker_name,
    )


def _maker_of(proposal: Proposal, verb: Verb) -> Viewer:
    """The maker, who must still be in a role that can propose it."""
    number = proposal.maker.partition(":")[2]
    maker = get_user_model().objects.filter(pk=int(number) if number.isdecimal() else 0).first()
    if maker is None or not maker.is_active or not verb.may_propose(maker):
        raise Refused(
            "maker_lost_role",
            _("{name}, who proposed this, no longer has the role for it."),
            name=proposal.maker_name,
        )
    return maker


def _decide(
    proposal: Proposal, status: str, checker: Viewer | None, reason: str, now: datetime
) -> None:
    who = journal.By("", "") if checker is None else journal.by(checker)
    proposal.lines = _in_every_language(proposal)
    proposal.status, proposal.decision, proposal.decided_at = status, reason, now
    proposal.checker, proposal.checker_name = who
    proposal.save(
        update_fields=[
            *("status", "decision", "decided_at", "lines", "checker", "checker_name"),
        ]
    )


def _close(proposal: Proposal) -> None:
    verb = _VERBS.get(proposal.verb)
    if isinstance(verb, Concluding):
        verb.closed(proposal)


def _note(proposal: Proposal, verb: str, who: journal.By) -> None:
    journal.write(
        who,
        verb,
        proposal.reference,
        before={"status": Proposal.Status.PROPOSED},
        after={"status": proposal.status, "verb": proposal.verb, "subject": proposal.subject},
        reason=proposal.decision,
    )
