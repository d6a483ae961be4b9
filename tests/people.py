"""What the people of the tests have in common."""

from typing import Any

from django.test import Client

PASSWORD = "a long way to the river"


def client_of(player: Any, **told: Any) -> Client:
    """A browser in which somebody has signed in."""
    client = Client(**told)
    client.force_login(player)
    return client
