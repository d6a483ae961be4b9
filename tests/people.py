"""What the people of the tests have in common."""

from typing import Any

from django.test import Client

PASSWORD = "a long way to the river"
# What htmx says of itself when it asks for a part of a page.
HTMX = {"HX-Request": "true"}


def client_of(player: Any, **told: Any) -> Client:
    """A browser in which somebody has signed in."""
    client = Client(**told)
    client.force_login(player)
    return client
