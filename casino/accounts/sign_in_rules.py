"""Rules that every sign-in must pass after the right name and password.

They run only after the right password, so a stranger learns nothing from them. Players who are
signed in already are not checked again: a rule that forbids signing in also ends sessions and
tokens.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from wallets.values.days import with_zone
from wallets.values.errors import Refused
from wallets.values.registry import Registry

Rule = Callable[[Player, datetime], Refused | None]

RULES: Final = Registry[Rule]("rule of sign-ins")


def refusal(player: Player, now: datetime) -> Refused | None:
    """Return why a player may not sign in now, or None if they may."""
    rules = (_refuse_inactive, *RULES.values())
    return next((why for rule in rules if (why := rule(player, now))), None)


def _refuse_inactive(player: Player, _now: datetime) -> Refused | None:
    """Tell the owner of an account that it is closed, or frozen and until when."""
    if player.is_active:
        return None
    if player.closed_at is not None:
        return Refused("account_closed", _("This account is closed."))
    if player.frozen_until is None:
        return Refused("account_frozen", _("Your account is frozen. Please ask the house why."))
    return Refused(
        "account_frozen",
        _("Your account is frozen until {until}. Please ask the house why."),
        until=with_zone(player.frozen_until),
    )
