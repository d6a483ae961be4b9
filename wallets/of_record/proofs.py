"""What proves a recorded change: the seal of its act, and of staff the entry of the journal."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from django.conf import settings

from wallets.models.record_models import RecordedChange
from wallets.of_record.sql_functions import seal
from wallets.of_record.verbs import act_key

PROVED: Final = ("table", "row", "what", "before", "after")


class SealedChange(NamedTuple):
    """A recorded change as its seal covers it, in this order."""

    id: int
    table: str
    row: str
    what: str
    before: str | None
    after: str | None
    verb: str
    act: str

    @property
    def content(self) -> str:
        return "\n".join("" if one is None else str(one) for one in self)


def is_sealed(change: SealedChange, with_seal: str) -> bool:
    """Whether a program that has the house's keys made this change, as it stands."""
    return bool(change.act) and any(
        seal(change.content, act_key(change.act, change.verb, key)) == with_seal
        for key in settings.SEALING_KEYS
    )


def digest(changes: Iterable[Sequence[object]]) -> str:
    """The digest of changes, each as `PROVED` names its columns."""
    found = sha256()
    for change in changes:
        found.update("".join("\n" if one is None else f"{one}\n" for one in change).encode())
    return found.hexdigest()


def digest_of_act(act: str) -> str:
    """The digest of what was changed so far under an act of staff."""
    changes = RecordedChange.objects.filter(entry__act=act).order_by("id")
    return digest(changes.values_list(*PROVED))
