"""Drafts of promotions: made, changed, discarded, and refused where they contradict themselves."""

from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.community.promotions.models import Promotion, PromotionVersion
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.kinds import Fault
from casino.community.promotions.rules.shares import TicketMission
from games.models import Table
from tournaments.running import giving
from wallets.models import Currency
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.versions import version_in
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Viewer

PERMISSION: Final = "promotions.publish_promotion"
VIEW: Final = "promotions.view_promotion"
MADE: Final = journal.register("promotion.add", _("Made a promotion"), permission=PERMISSION)
DRAFTED: Final = journal.register(
    "promotion.draft", _("Began a draft of a promotion"), permission=PERMISSION
)
CHANGED: Final = journal.register(
    "promotion.change", _("Changed a draft of a promotion"), permission=PERMISSION
)
DISCARDED: Final = journal.register(
    "promotion.discard", _("Discarded a draft of a promotion"), permission=PERMISSION
)
State = PromotionVersion.State
OPEN: Final = (State.DRAFT, State.PROPOSED)
# The sentence of each fault; amounts are filled in as readers read them.
SENTENCES: Final = {
    "ends_before_start": _n("The end is before the start."),
    "no_budget": _n("A promotion needs a budget."),
    "game_not_dealt": _n("No table deals the game {game}."),
    "cap_above_budget": _n("A cap is above the budget."),
    "nothing_to_do": _n("The goal, the reward and the terms of a bonus are at least 1."),
    "no_feat": _n("Choose the feat that counts."),
    "budget_below_award": _n("The budget of {budget} is smaller than one reward of {award}."),
    "game_among_players": _n("Cash back is for losses against the house, which {game} has not."),
    "share_out_of_bounds": _n("A share is out of bounds."),
    "prizes_out_of_order": _n("Prizes begin with the largest, and each is at least 1."),
    "prizes_above_budget": _n("The prizes of {prizes} exceed the budget of {budget}."),
    "hours_out_of_order": _n("The first hour is before the last, both from 0 to 24."),
    "no_event": _n("Choose the event for which the ticket is."),
    "no_such_event": _n("No event of this name is entered with this currency."),
    "ticket_below_entry": _n("The ticket must be worth an entry: {cost}."),
    "overlapping_bonus": _n("One deposit would bring two bonuses: {name} runs at the same time."),
    "no_such_currency": _n("The house has no such currency."),
    "terms_unreadable": _n("These terms cannot be read."),
}


def refusal_of(fault: Fault, currency: Currency | None) -> Refused:
    code, figures = fault
    shown = {
        name: show_amount(value, currency) if isinstance(value, int) and currency else value
        for name, value in figures.items()
    }
    return Refused(code, SENTENCES[code], **shown)


def read(terms: dict[str, Any]) -> Declaration:
    try:
        return declaration.read(terms)
    except msgspec.ValidationError:
        raise Refused("terms_unreadable", SENTENCES["terms_unreadable"]) from None


def require_sound(terms: dict[str, Any], promotion: int | None = None) -> Declaration:
    """Refuse terms that contradict themselves, or another promotion."""
    values = read(terms)
    currency = Currency.objects.filter(pk=values.currency).exclude(kind="chips").first()
    if currency is None:
        raise refusal_of(("no_such_currency", {}), None)
    dealt = Table.objects.exclude(status=Table.Status.CLOSED).values_list("game", flat=True)
    for fault in values.faults(set(dealt)):
        raise refusal_of(fault, currency)
    if isinstance(values.kind, TicketMission):
        _require_event(values.kind, currency)
    others = PromotionVersion.objects.filter(state__in=(State.PUBLISHED, State.PROPOSED))
    for other in others.exclude(promotion=promotion).select_related("promotion"):
        if values.overlaps(other.effective):
            raise refusal_of(("overlapping_bonus", {"name": other.promotion.name}), currency)
    return values


def _require_event(kind: TicketMission, currency: Currency) -> None:
    """Refuse a ticket with which no event could be entered."""
    template = giving.newest(kind.event)
    if template is None or template.currency_id != currency.code:
        raise refusal_of(("no_such_event", {}), currency)
    cost = giving.admits(template).worth
    if kind.pay < cost:
        raise refusal_of(("ticket_below_entry", {"cost": cost}), currency)


def require(member: Viewer) -> None:
    if not member.has_perm(PERMISSION):
        raise Refused("not_allowed", _n("Your role cannot change promotions."))


@under(MADE)
def make(
    member: Viewer, name: str, terms: dict[str, Any], *, reason: str, now: datetime
) -> PromotionVersion:
    require(member)
    values = declaration.stored(require_sound(terms))
    with transaction.atomic():
        try:
            with transaction.atomic():
                made = Promotion.objects.create(name=name.strip(), made_at=now)
        except IntegrityError:
            raise Refused("promotion_exists", _n("There is a promotion of this name.")) from None
        version = PromotionVersion.objects.create(
            promotion=made, number=1, terms=values, made_by_id=member.pk, made_at=now
        )
        note(member, MADE, made, {}, {"name": made.name, "terms": values}, reason)
    return version


@under(DRAFTED)
def begin_draft(member: Viewer, number: int, *, reason: str, now: datetime) -> PromotionVersion:
    """Copy a version into a draft; all authors share the existing one."""
    require(member)
    with transaction.atomic():
        source = version_of(number)
        Promotion.objects.select_for_update().get(pk=source.promotion_id)
        versions = source.promotion.versions
        there = versions.filter(state__in=OPEN).first()
        if there is not None:
            return there
        last = versions.order_by("-number").values_list("number", flat=True).first() or 0
        draft = PromotionVersion.objects.create(
            promotion=source.promotion,
            number=last + 1,
            terms=source.terms,
            made_by_id=member.pk,
            made_at=now,
        )
        before, after = {"version": source.number}, {"version": draft.number}
        note(member, DRAFTED, draft.promotion, before, after, reason)
    return draft


@under(CHANGED)
def save(
    member: Viewer, number: int, revision: int, terms: dict[str, Any], *, reason: str
) -> PromotionVersion:
    """Store an author's terms, unless a colleague has changed the draft since."""
    require(member)
    with transaction.atomic():
        draft = _draft(number)
        require_unchanged(draft, revision)
        before = draft.terms
        draft.terms = declaration.stored(require_sound(terms, draft.promotion_id))
        if draft.terms == before:
            return draft
        draft.revision += 1
        draft.save(update_fields=["terms", "revision"])
        after = {"terms": draft.terms, "version": draft.number}
        note(member, CHANGED, draft.promotion, {"terms": before}, after, reason)
    return draft


@under(DISCARDED)
def discard(member: Viewer, number: int, *, reason: str) -> Promotion:
    """Throw a draft away; the first of a promotion stays, as it has nothing else."""
    require(member)
    with transaction.atomic():
        draft = _draft(number)
        if draft.number == 1:
            raise Refused("first_draft", _n("The first draft of a promotion stays."))
        draft.previews.all().delete()
        draft.delete()
        note(member, DISCARDED, draft.promotion, {"version": draft.number}, {}, reason)
    return draft.promotion


def note(
    member: Viewer,
    action: str,
    promotion: Promotion,
    before: dict[str, Any],
    after: dict[str, Any],
    reason: str,
) -> None:
    who, about = journal.by(member), promotion.reference
    journal.write(who, action, about, before=before, after=after, reason=reason)


def require_unchanged(draft: PromotionVersion, revision: int) -> None:
    if draft.revision != revision:
        raise Refused(
            "draft_changed",
            _n("A colleague has changed this draft since you opened it: look at it again."),
        )


def _draft(number: int) -> PromotionVersion:
    """A version that can still be changed, under its lock."""
    draft = locked(number)
    if draft.state != State.DRAFT:
        raise Refused("no_draft", _n("This version can no longer be changed."))
    return draft


def version_of(number: object) -> PromotionVersion:
    return version_in(PromotionVersion.objects.select_related("promotion"), number)


def locked(number: int) -> PromotionVersion:
    """The version under the lock of its promotion."""
    version = version_of(number)
    Promotion.objects.select_for_update().get(pk=version.promotion_id)
    return version_of(number)
