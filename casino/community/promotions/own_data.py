"""A player's data in this package: for their own file, and for erasure."""

from collections.abc import Iterator

from casino.accounts.models import Player
from casino.community.promotions.models import (
    LevelShown,
    PointsMonth,
    PromotionAward,
    PromotionsHidden,
    ShopPurchase,
)


def rows(player: Player) -> Iterator[dict[str, object]]:
    """Awards and points; progress follows from hands, which are in a part of their own."""
    awards = PromotionAward.objects.filter(player=player).select_related("version__promotion")
    for award in awards.order_by("at", "pk"):
        yield {
            "promotion": award.version.promotion.name,
            "at": award.at,
            "amount": award.amount,
            "currency": award.currency_id,
            "state": award.state,
        }
    for row in PointsMonth.objects.filter(player=player).order_by("month", "currency"):
        yield {"month": row.month, "currency": row.currency_id, "kept": row.kept}
    purchases = ShopPurchase.objects.filter(player=player).select_related("offer")
    for purchase in purchases.order_by("pk"):
        yield {"bought": purchase.offer.event, "points": purchase.points, "at": purchase.at}


def forget(player: Player) -> None:
    """Awards stay, as their postings do: they prove payments and name no person."""
    PromotionsHidden.objects.filter(player=player).delete()
    LevelShown.objects.filter(player=player).delete()
