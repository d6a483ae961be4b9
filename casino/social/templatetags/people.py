"""The sign in the bar of every page that somebody waits for the reader's answer."""

from django import template

from casino.players.models import Player
from casino.social import friends, invitations
from wallets.player import Viewer

register = template.Library()


@register.simple_tag
def waiting_for(user: Viewer) -> int:
    """Return how many ask to be the reader's friend or invite them to a table."""
    if not isinstance(user, Player) or user.is_staff or user.is_bot:
        return 0
    return friends.waiting(user) + len(invitations.of(user))
