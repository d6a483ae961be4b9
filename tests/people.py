"""Helpers for the people in tests."""

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.test import Client

from wallets.staff import journal

# Who makes the postings of a test, and why.
BY_TEST: Final = {"actor": "test", "reason": "test"}
PASSWORD = "a long way to the river"
# What htmx says of itself when it asks for a part of a page.
HTMX = {"HX-Request": "true"}


def by_staff() -> tuple[str, ...]:
    """The options with which a member of staff gives a command."""
    players: Any = get_user_model().objects
    if not players.filter(username="boss").exists():
        players.create_superuser("boss")
    return ("--by", "boss", "--why", "a test")


def journal_staff() -> None:
    """Let the journal say of all staff what they are: tests appoint without a word."""
    staff: Any = get_user_model().objects.filter(is_staff=True)
    for member in staff:
        after = {"roles": [group.name for group in member.groups.all()]}
        after["superuser"] = member.is_superuser
        who = journal.By("command:test", "test")
        about = f"player:{member.pk}"
        journal.write(who, "command:appoint", about, before={}, after=after, reason="a test")


def works_as(player: Any, role: str) -> bool:
    return bool(player.is_staff and player.groups.filter(name=role).exists())


def client_of(player: Any, **defaults: Any) -> Client:
    """A browser in which a player has signed in."""
    client = Client(**defaults)
    client.force_login(player)
    return client
