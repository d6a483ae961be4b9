"""Giving a bonus up, and what asks for it: no money is withdrawn while a bonus is held."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.community.promotions.models import PromotionAward
from casino.community.promotions.rules.engine import HELD
from wallets.models import Currency
from wallets.of_record.verbs import verb
from wallets.values.amounts import show_amount
from wallets.values.errors import Hidden, Refused
from wallets.values.player import Player


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


def refuse_while_held(player_id: int, currency: Currency) -> None:
    """Ask the player to give the bonus up first: nothing is lost by surprise."""
    held = PromotionAward.objects.filter(
        player=player_id, currency=currency, state=HELD, forfeited_at=None
    )
    award = held.order_by("pk").first()
    if award is not None:
        raise Refused(
            "bonus_held",
            _n(
                "A bonus of {amount} is still to be wagered, and a withdrawal ends it. Give it up "
                "on the page Rewards, then withdraw."
            ),
            amount=show_amount(award.amount, currency),
        )
