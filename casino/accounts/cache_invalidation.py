"""Make all processes drop cached rows of `sign_in_cache` that have changed."""

from typing import Any

from django.contrib.sessions.models import Session
from django.db import models
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from casino.accounts.models import AccessToken, Player
from casino.accounts.sign_in_cache import PLAYER, SAVED, SESSION, TOKEN, forget


def connect() -> None:
    """Announce every change of the rows that are remembered."""
    for signal, model, changed in (
        (post_save, Player, _player_changed),
        (post_delete, Player, _player_changed),
        (post_save, AccessToken, _token_changed),
        (post_delete, AccessToken, _token_changed),
        (post_save, Session, _session_saved),
        (post_delete, Session, _session_ended),
    ):
        name = f"casino.accounts.cache_invalidation.{changed.__name__}"
        signal.connect(changed, sender=model, dispatch_uid=name)


def _player_changed(instance: models.Model, created: bool = False, **_signal: object) -> None:
    if not created:
        forget(PLAYER, str(instance.pk))


def _token_changed(instance: Any, created: bool = False, **_signal: object) -> None:
    if not created:
        forget(TOKEN, instance.digest)


def _session_saved(instance: models.Model, created: bool = False, **_signal: object) -> None:
    if not created:
        forget(SAVED, str(instance.pk))


def _session_ended(instance: Any, **_signal: object) -> None:
    # A cached row that has expired is of no use.
    if instance.expire_date > timezone.now():
        forget(SESSION, str(instance.pk))
