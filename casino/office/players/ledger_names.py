"""The names that staff read in the ledger instead of numbers; each opens the player's file."""

from collections.abc import Collection

from django.urls import reverse

from casino.accounts.models import Player
from games.models import Table
from wallets.models.holders import player_reference
from wallets.money.references import Link


def players(references: list[str]) -> dict[str, Link]:
    """Links to the files of players, for references such as `player:12`."""
    suffixes = (reference.partition(":")[2] for reference in references)
    numbers = [int(one) for one in suffixes if one.isdecimal() and len(one) < 19]
    names = Player.objects.filter(pk__in=numbers).values_list("pk", "username")
    return {
        player_reference(number): Link(reverse("player-file", args=[number]), name)
        for number, name in names
    }


def search(text: str) -> Collection[str]:
    """The references of the player and of the tables that have this name."""
    found = [player_reference(one.pk) for one in Player.objects.filter(username__iexact=text)]
    return [*found, *(one.reference for one in Table.objects.filter(name__iexact=text))]
