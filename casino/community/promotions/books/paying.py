"""Posting awards, each under a key made from promotion, version, player and fact.

Cash goes into the wallet. A bonus goes into the player's account for bonuses, and from there into
the wallet when it is released, or back when it expires, is given up or is taken back. Posting twice
posts once, so it may be broken off at any point.
"""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from casino.community.promotions.models import PromotionAward
from casino.community.promotions.rules.engine import HELD, PAID, RELEASED
from casino.community.promotions.rules.shares import TicketMission
from games.tables.settle import posting_key
from tournaments.running import giving
from wallets.models import Account
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.money.cashier import BOOK, HOUSE
from wallets.money.ledger import Leg, post
from wallets.of_record.verbs import verb

AWARD: Final = "award"
RELEASE: Final = "award_release"
RETURN: Final = "award_return"
# The reasons of the postings, as wallets show them.
AWARDED: Final = _n("reward of a promotion")
WAGERED: Final = _n("a bonus was wagered")
GONE_BACK: Final = _n("a bonus went back to the house")


def key_of(award: PromotionAward) -> UUID:
    return posting_key(_words_of(award))


def end_key_of(award: PromotionAward) -> UUID:
    return posting_key(f"{_words_of(award)} end")


def _words_of(award: PromotionAward) -> str:
    version = award.version
    return f"promotion {version.promotion_id} {version.number} {award.player_id} {award.fact}"


def is_bonus(award: PromotionAward) -> bool:
    return award.to_wager > 0


def has_ended(award: PromotionAward) -> bool:
    return is_bonus(award) and award.state not in (PAID, HELD)


@verb("house:promotions.pay")
def post_due() -> int:
    """Post every award, and every end of a bonus, that has no posting yet."""
    ended = Q(to_wager__gt=0, is_ended=False) & ~Q(state__in=(PAID, HELD))
    due = PromotionAward.objects.filter(Q(is_posted=False) | ended).order_by("pk")
    posted = 0
    for number in list(due.values_list("pk", flat=True)):
        posted += _post(number, is_end=False) + _post(number, is_end=True)
    return posted


def _post(number: int, *, is_end: bool) -> int:
    """Make one posting of an award, unless it is made or not due; return how many."""
    with transaction.atomic():
        held = PromotionAward.objects.select_for_update(of=("self",), skip_locked=True)
        award = held.select_related("version__promotion", "currency").filter(pk=number).first()
        if award is None:
            return 0
        if not is_end and not award.is_posted:
            _give(award)
            award.is_posted = True
        elif is_end and award.is_posted and has_ended(award) and not award.is_ended:
            _end(award)
            award.is_ended = True
        else:
            return 0
        award.save(update_fields=["is_posted", "is_ended"])
    return 1


def is_ticket(award: PromotionAward) -> bool:
    return bool(award.version.terms["kind"]["type"] == TicketMission.key)


def ticket_key_of(award: PromotionAward) -> UUID:
    return giving.key_of(award.version.promotion.reference, award.player_id, _word_of(award))


def _word_of(award: PromotionAward) -> str:
    return f"{award.version.number} {award.fact}"


def _give_ticket(award: PromotionAward) -> None:
    """The ticket takes the place of the posting: its entry is paid when it is used."""
    event = award.version.terms["kind"]["event"]
    giving.give(
        award.player_id,
        giving.Admits(event, award.currency, award.amount),
        source=award.version.promotion.reference,
        what=_word_of(award),
        now=timezone.now(),
    )


def _give(award: PromotionAward) -> None:
    if is_ticket(award):
        _give_ticket(award)
        return
    if not is_bonus(award):
        cashier.award(
            player_reference(award.player_id),
            award.currency,
            award.amount,
            key=key_of(award),
            actor=HOUSE,
            reason=AWARDED,
            reference=award.version.promotion.reference,
        )
        return
    bonus = _legs(award, Account.Kind.PROMOTION, Account.Kind.BONUS)
    post(key_of(award), AWARD, bonus, reason=AWARDED, **_stated(award))


def _end(award: PromotionAward) -> None:
    """A bonus becomes the player's own, or goes back."""
    key, stated = end_key_of(award), _stated(award)
    if award.state == RELEASED:
        own = _legs(award, Account.Kind.BONUS, Account.Kind.PLAYER)
        post(key, RELEASE, own, reason=WAGERED, **stated)
    else:
        back = _legs(award, Account.Kind.BONUS, Account.Kind.PROMOTION)
        post(key, RETURN, back, reason=GONE_BACK, **stated)


def _stated(award: PromotionAward) -> dict[str, str]:
    return {"book": BOOK, "actor": HOUSE, "reference": award.version.promotion.reference}


def _legs(award: PromotionAward, source: str, target: str) -> list[Leg]:
    player = player_reference(award.player_id)
    from_, to = (
        account(kind, HOUSE if kind == Account.Kind.PROMOTION else player, award.currency)
        for kind in (source, target)
    )
    return [Leg(from_.pk, -award.amount), Leg(to.pk, award.amount)]
