"""An authenticator app, as a person has it on a phone."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django_otp.oath import TOTP

from casino.accounts import codes
from casino.accounts.models import Authenticator, Player


def app_code(player: Player, now: datetime | None = None, *, off_steps: int = 0) -> str:
    """What the app shows; its clock may be off."""
    authenticator = Authenticator.objects.filter(player=player).latest("made_at")
    app = TOTP(codes.SECRET.open(authenticator), drift=off_steps)
    app.time = (now or timezone.now()).timestamp()
    return f"{app.token():06}"


def wrong_code(player: Player) -> str:
    near = {app_code(player, off_steps=step) for step in range(-12, 13)}
    return next(code for code in (f"{number:06}" for number in range(99)) if code not in near)


def enrolled(player: Player, now: datetime | None = None) -> list[str]:
    """Set up codes for a player; return the recovery codes."""
    at = now or timezone.now()
    codes.begin(player, at)
    made = codes.confirm(player, app_code(player, at), at)
    assert made is not None
    # The code that confirmed it was used up, and a test need not wait for the next.
    Authenticator.objects.filter(player=player).update(last_step=-1)
    return made


def rows_as_text(*models: Any) -> str:
    return str([list(model.objects.values_list()) for model in models])
