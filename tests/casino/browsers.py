"""Sign in as a browser does, and ask whom the house takes it for."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from casino.accounts.models import Player
from tests.people import PASSWORD

SignedIn = Callable[[Player], Client]

NEW = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str):
    return client.post(reverse("sign-in"), {"username": name, "password": password, **more})


def name_of(client: Client) -> str:
    """Who the house takes this browser for; nothing for a stranger."""
    response = client.get(reverse("profile"))
    return response.context["user"].username if response.status_code == 200 else ""
