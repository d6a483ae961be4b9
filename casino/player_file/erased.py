"""The file of a player who is erased, and its part of a player's own data.

What staff typed may say who somebody is: it is emptied. That there was a check, a flag or a note,
when and by whom, remains.
"""

from collections.abc import Iterator

from casino.care import erasure, own_data
from casino.care.own_data import Row
from casino.player_file.models import Check, Flag, Note
from casino.players.models import Player


def forget(player: Player) -> None:
    Check.objects.filter(player=player).exclude(ending="").update(ending="")
    Note.objects.filter(player=player).exclude(text="").update(text="")
    Flag.objects.filter(player=player).exclude(reason="").update(reason="")


def checks(player: Player) -> Iterator[Row]:
    """For the player: what was checked, without who of the staff did."""
    for one in Check.objects.filter(player=player).order_by("pk"):
        yield {
            "what": one.what,
            "document": one.document,
            "ending": one.ending,
            "valid_until": one.valid_until,
            "checked": one.at,
        }


def register() -> None:
    erasure.also(forget)
    own_data.register("checks", checks)
