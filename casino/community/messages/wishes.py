"""What players want to be sent: their own verbs, on pages and in mails."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.care import exclusions
from casino.care.rules import has_limited_time
from casino.community.messages import segments
from casino.community.messages.models import Kind, MailWish, OptOut, Recipient
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.player import Viewer


def is_open_to(viewer: Viewer | None) -> bool:
    """Whether the viewer has an inbox: staff, bots and guests have none."""
    if not settings.MESSAGES or not isinstance(viewer, Player):
        return False
    return not (viewer.is_bot or viewer.is_guest or viewer.is_staff)


@verb("player:messages.choose")
def choose(player: Player, kinds: set[str], *, by_mail: bool) -> None:
    """Want messages of these kinds, and of no others; by mail only who asks for it."""
    if not kinds <= set(Kind.values):
        raise Refused("no_such_kind", _n("There are no such messages."))
    with transaction.atomic():
        rows = OptOut.objects.filter(player=player)
        rows.filter(kind__in=kinds).delete()
        known = set(rows.values_list("kind", flat=True))
        for kind in sorted(set(Kind.values) - kinds - known):
            OptOut.objects.get_or_create(player=player, kind=kind)
        if by_mail:
            MailWish.objects.get_or_create(player=player)
        else:
            MailWish.objects.filter(player=player).delete()


def leave(player_id: int, kind: str) -> None:
    """Want nothing of a kind any more: the way out of a mail, which needs no sign-in."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None or kind not in Kind.values:
        raise Refused("bad_link", _n("This link is not complete."))
    choose(player, wanted(player) - {kind}, by_mail=wants_mail(player))


def unseen(player: Player, now: datetime) -> set[str]:
    """The kinds that no page shows this player, because of a break, a limit or a switch."""
    rests = player.has_own_rules and exclusions.current(player.pk, now) is not None
    promotions = {str(Kind.PROMOTIONS)} if rests or has_limited_time(player) else set()
    switched_off = {
        kind for kind, hidden in segments.HIDDEN if hidden.objects.filter(player=player).exists()
    }
    return promotions | switched_off


def wanted(player: Player) -> set[str]:
    unwanted = OptOut.objects.filter(player=player).values_list("kind", flat=True)
    return set(Kind.values) - set(unwanted)


def wants_mail(player: Player) -> bool:
    return MailWish.objects.filter(player=player).exists()


def rows(player: Player) -> Iterator[dict[str, object]]:
    """A player's data in this package, for their own file."""
    yield {"by_mail": wants_mail(player)}
    for kind in OptOut.objects.filter(player=player).order_by("kind"):
        yield {"unwanted": kind.kind}
    mine = Recipient.objects.filter(player=player, is_held_out=False).select_related("message")
    for recipient in mine.order_by("at", "pk"):
        title = recipient.message.title
        yield {"message": title, "at": recipient.at, "opened": recipient.opened_at}


def forget(player: Player) -> None:
    MailWish.objects.filter(player=player).delete()
    OptOut.objects.filter(player=player).delete()
    Recipient.objects.filter(player=player).delete()
