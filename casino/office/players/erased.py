"""The file of a player who is erased, and its part of a player's own data.

Text typed by staff may identify the player: it is emptied. That there was a check, a flag or a
note, when and by whom, remains.
"""

from collections.abc import Iterator

from casino.accounts.models import Player
from casino.care.own_data import DataRow
from casino.office.players.models import Check, Complaint, Flag, Note


def forget(player: Player) -> None:
    Check.objects.filter(player=player).exclude(ending="").update(ending="")
    Complaint.objects.filter(player=player).update(text="", answer="")
    Note.objects.filter(player=player).exclude(text="").update(text="")
    Flag.objects.filter(player=player).exclude(reason="").update(reason="")


def complaints(player: Player) -> Iterator[DataRow]:
    """For the player: what they complained about, and what the house answered."""
    for one in Complaint.objects.filter(player=player).select_related("hand").order_by("pk"):
        yield {
            "complaint": one.text,
            "hand": one.hand.code if one.hand else None,
            "made": one.at,
            "answer": one.answer,
            "outcome": one.outcome,
            "answered": one.answered_at,
        }


def checks(player: Player) -> Iterator[DataRow]:
    """For the player: what was checked, without who of the staff did."""
    for one in Check.objects.filter(player=player).order_by("pk"):
        yield {
            "what": one.what,
            "document": one.document,
            "ending": one.ending,
            "valid_until": one.valid_until,
            "checked": one.at,
        }
