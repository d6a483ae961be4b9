"""Giving a bonus up, and what asks for it: no money is withdrawn while a bonus is held."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.care import exclusions
from casino.community.promotions.books import earners, facts
from casino.community.promotions.books.running import current
from casino.community.promotions.models import PromotionAward, Taking
from casino.community.promotions.rules.bonuses import is_deposit_bonus
from casino.community.promotions.rules.engine import HELD
from wallets.models import Currency
from wallets.of_record.verbs import verb
from wallets.values.amounts import show_amount
from wallets.values.errors import Hidden, Refused

# A withdrawal waits no longer for a worker that has stopped.
COMES_WITHIN: Final = timedelta(minutes=10)


@verb("player:promotion.forfeit")
def forfeit(player: Player, number: int, now: datetime) -> PromotionAward:
    """Give up a bonus that is still to be wagered; hands that ended before still count."""
    with transaction.atomic():
        mine = PromotionAward.objects.select_for_update().filter(pk=number, player=player.pk)
        award = mine.first()
        if award is None:
            raise Hidden("no_such_award", _n("There is no such bonus."))
        if award.state != HELD:
            raise Refused("bonus_over", _n("This bonus is over already."))
        if award.forfeited_at is None:
            award.forfeited_at = now
            award.save(update_fields=["forfeited_at"])
    return award


def held_by(player_id: int) -> QuerySet[PromotionAward]:
    """The bonuses of a player that are to be wagered, and not given up."""
    return PromotionAward.objects.filter(player=player_id, state=HELD, forfeited_at=None)


def refuse_while_held(player_id: int, currency: Currency) -> None:
    """Ask the player to give the bonus up first: nothing is lost by surprise.

    A deposit that brings a bonus is not sent back before the bonus is there. Who stays away cannot
    be asked, nor wager: their withdrawal ends the bonus.
    """
    now = timezone.now()
    if not settings.PROMOTIONS:
        return
    if _is_coming(player_id, currency, now):
        raise Refused(
            "bonus_coming",
            _n(
                "Your deposit brings a bonus that is being entered. In a few minutes you can "
                "choose between the bonus and a withdrawal."
            ),
        )
    held = list(held_by(player_id).filter(currency=currency).order_by("pk"))
    if held and exclusions.current(player_id, now) is not None:
        player = Player.objects.get(pk=player_id)
        for award in held:
            forfeit(player, award.pk, now)
    elif held:
        raise Refused(
            "bonus_held",
            _n(
                "A bonus of {amount} is still to be wagered, and a withdrawal ends it. Give it up "
                "on the page Rewards, then withdraw."
            ),
            amount=show_amount(held[0].amount, currency),
        )


def _is_coming(player_id: int, currency: Currency, now: datetime) -> bool:
    """Whether a deposit brings a bonus, and no worker has taken it yet."""
    kinds = [
        terms.kind
        for _version, terms in current(now)
        if is_deposit_bonus(terms.kind) and terms.currency == currency.pk
    ]
    position = Taking.objects.filter(pk=1).first() if kinds else None
    if position is None:
        return False
    since = max(position.until, now - COMES_WITHIN)
    return any(
        kind.earns(fact) is not None and not earners.why_not([player_id], now)
        for fact in facts.deposits(since, now, player_id)
        if fact.currency == currency.pk
        for kind in kinds
    )
