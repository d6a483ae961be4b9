"""Tasks for players: what is scheduled, and letters."""

from typing import Final

from celery import shared_task
from django.utils import timezone

from casino.accounts import (
    company,
    devices,
    freezing,
    letters,
    own_email,
    password_reset,
    session_store,
    tokens,
)
from casino.accounts.models import Player


@shared_task
def forget_tokens() -> int:
    return tokens.forget_expired(timezone.now())


@shared_task
def forget_sessions() -> int:
    return session_store.forget_expired(timezone.now())


@shared_task
def end_freezes() -> int:
    """Let in again whose freeze is over."""
    return freezing.end_expired(timezone.now())


@shared_task
def forget_devices() -> int:
    """Delete devices unused for so long that their cookies have expired."""
    return devices.forget_unused(timezone.now())


@shared_task
def forget_company_accounts() -> int:
    return company.forget_unknown(timezone.now())


# A mail server that is away is asked again for about an hour.
_PATIENT: Final = {
    "autoretry_for": (OSError,),
    "retry_backoff": 5,
    "retry_backoff_max": 900,
    "max_retries": 10,
}


@shared_task(**_PATIENT)
def send_notice(number: int, address: str, what: str) -> None:
    """Tell a player at an address that was theirs what was changed."""
    letters.write(Player.objects.get(pk=number), address, *letters.NOTICES[what])


@shared_task(**_PATIENT)
def send_email_link(number: int, address: str, house: str) -> None:
    own_email.send_link(Player.objects.get(pk=number), address, house)


@shared_task
def send_reset_links(numbers: list[int], house: str) -> None:
    password_reset.send_links(numbers, house)


@shared_task(**_PATIENT)
def send_reset_link(number: int, house: str) -> None:
    password_reset.send_link(Player.objects.get(pk=number), house)
