"""Who sees promotions: a switch of the player's own, and everybody who has asked for a rest."""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction

from casino.accounts.models import Player
from casino.care.exclusions import current
from casino.care.rules import has_limited_time
from casino.community.promotions.books.forfeiting import held_by
from casino.community.promotions.models import PromotionsHidden
from games.models.combined import Read
from games.models.prepared import Query
from wallets.of_record.verbs import verb
from wallets.values.player import Viewer

HIDDEN: Final = Query(lambda player: PromotionsHidden.objects.filter(player=player))


@verb("player:promotion.hide")
def set_hidden(player: Player, *, is_hidden: bool) -> None:
    """Show this player no promotion, or show them again; what is earned stays."""
    with transaction.atomic():
        if is_hidden:
            PromotionsHidden.objects.get_or_create(player=player)
        else:
            PromotionsHidden.objects.filter(player=player).delete()


def is_open_to(viewer: Viewer) -> bool:
    """Whether the viewer has the page; who limits their time has it for a bonus to give up."""
    if not isinstance(viewer, Player) or not _is_earner(viewer):
        return False
    return not has_limited_time(viewer) or held_by(viewer.pk).exists()


def takes_part(viewer: Viewer) -> bool:
    """Whether there are promotions for the viewer; for players who limit their time there are not.

    A switch of their own and a break do not end that: what they earned is theirs.
    """
    return isinstance(viewer, Player) and _is_earner(viewer) and not has_limited_time(viewer)


def _is_earner(player: Player) -> bool:
    return settings.PROMOTIONS and not (player.is_bot or player.is_guest or player.is_staff)


def sees(viewer: Viewer, now: datetime) -> bool:
    """Whether pages name promotions to this viewer."""
    if not isinstance(viewer, Player) or not takes_part(viewer):
        return False
    rests = viewer.has_own_rules and current(viewer.pk, now) is not None
    return not rests and HIDDEN.first(viewer.pk) is None


def reads(player: Player) -> list[Read]:
    """What `sees` asks for, read together with the rest of a page's frame."""
    return [(HIDDEN, (player.pk,))] if takes_part(player) else []
