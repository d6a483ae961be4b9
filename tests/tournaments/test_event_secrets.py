"""The secret of an event's shoe is sealed anew with all others when the key is replaced."""

from typing import Any

import pytest
from cryptography.fernet import Fernet

from tests.tournaments.events import Event, structure
from wallets.storage import sealed_columns

pytestmark = pytest.mark.django_db


def test_an_event_is_played_after_the_key_was_replaced(event: Event, settings: Any) -> None:
    event.open(structure(levels=[{"point": 1_000}]), 2)
    old, new = list(settings.SEALING_KEYS), [Fernet.generate_key().decode()]
    settings.SEALING_KEYS = [*new, *old]
    assert sealed_columns.reseal(lambda done: None) >= 1
    settings.SEALING_KEYS = new
    event.play()
    event.check()


def test_an_event_waits_for_its_key(event: Event, settings: Any) -> None:
    event.open(structure(levels=[{"point": 1_000}]), 2)
    held = settings.SEALING_KEYS
    settings.SEALING_KEYS = [Fernet.generate_key().decode()]
    for _each in range(3):
        event.step()
    assert not event.is_running()
    settings.SEALING_KEYS = held
    event.play()
    event.check()
