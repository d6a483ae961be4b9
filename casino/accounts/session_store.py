"""Sessions in the database, under a hash of their key and encrypted for it.

Only the browser's cookie contains the key itself. A reader of the database, a replica or a backup
can neither use a session nor read its contents: addresses, invitations, times of visits.

A session signs in while the row of its device names it. That row is of record, so a session that
ended signs no player in when its row is inserted again, unless the record shows another change.
"""

import logging
from copy import deepcopy
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from casino.accounts.models import Device
from casino.accounts.sign_in_cache import SESSION, remember
from games.models.prepared import Prepared
from wallets.of_record.verbs import declare, under
from wallets.storage.sealed_columns import SealBroken, SealedColumn, register

# As much of the hash as Django's column has room for: 160 bits.
STORED_LENGTH: Final = 40
# In a session that signs a player in: the number of its device.
HERE: Final = "device"
SIGN_OUT: Final = declare("player:account.sign_out")

_NAMED_BY: Final = Device.objects.filter(session_key=OuterRef("session_key")).values("pk")[:1]
_ALIVE: Final = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now).values_list(
        "session_key", "session_data", "expire_date", Subquery(_NAMED_BY)
    ),
    str,
    datetime,
)

# Django's own table. What signs a person in is bound to the key of the session and to its end: a
# row that was copied, or given another key or a later end, opens no session.
DATA: Final = register(
    SealedColumn(
        Session._meta.db_table,
        "session_data",
        ("session_key", "expire_date"),
        lambda: Session.objects.filter(expire_date__gt=timezone.now()).order_by("pk"),
    )
)

log = logging.getLogger(__name__)


def stored_key(key: str | None) -> str:
    """Return the hash that the database has instead of a key; empty if there is no session."""
    return sha256(key.encode(errors="replace")).hexdigest()[:STORED_LENGTH] if key else ""


class Stored(NamedTuple):
    ends_at: datetime
    values: dict[str, Any]


class SessionStore(db.SessionStore):
    """Django's store, which reads and writes with the stored key instead of the key."""

    # When the session ends, once it is loaded.
    ends_at: datetime | None = None
    # Whether the key that the browser has sent opened nothing.
    is_unknown = False

    def load(self) -> dict[str, object]:
        key = stored_key(self.session_key)
        stored = remember(SESSION, key, lambda: read(key))
        if stored is None or stored.ends_at <= timezone.now():
            # A browser cannot choose the key of its session: it gets a new one.
            self._session_key, self.is_unknown = None, True
            return {}
        self.ends_at = stored.ends_at
        return deepcopy(stored.values)

    def is_empty(self) -> bool:
        """Whether the browser is to forget its cookie, of which it has one.

        It keeps a key that opens nothing: a request that was sent before its player signed in may
        be answered after that, and would take the cookie of the new session.
        """
        return super().is_empty() and not self.is_unknown

    def flush(self) -> None:
        super().flush()
        self.is_unknown = False

    def exists(self, session_key: str) -> bool:
        return super().exists(stored_key(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        row = super().create_model_instance(data)
        row.session_key = stored_key(row.session_key)
        row.session_data = DATA.seal(row.session_data.encode(), *DATA.key_of(row))
        return row

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            super().delete(stored_key(key))
            with under(SIGN_OUT):
                Device.objects.filter(session_key=stored_key(key)).update(session_key="")

    # Django's store asks the database itself in these, by the key as the cookie has it.
    aload = SessionBase.aload
    aexists = SessionBase.aexists
    acreate = SessionBase.acreate
    asave = SessionBase.asave
    adelete = SessionBase.adelete


def read(stored: str) -> Stored | None:
    """A session by its stored key; one that signs in has ended if its device does not name it."""
    for key, data, ends_at, named_by in _ALIVE.read(stored, timezone.now()):
        values = values_of(Session(key, data, ends_at))
        if SESSION_KEY not in values or values.get(HERE) == named_by:
            return Stored(ends_at, values)
    return None


def values_of(row: Session) -> dict[str, Any]:
    """The contents of a stored session, which opens under its own key alone."""
    try:
        return SessionStore().decode(DATA.open(row).decode())
    except SealBroken as problem:
        # As with a session that was tampered with, its owner signs in again.
        log.error("a session cannot be read: %s", problem)
        return {}


def forget_expired(now: datetime) -> int:
    """Delete the sessions that have run out, and return how many there were."""
    deleted, _each = Session.objects.filter(expire_date__lte=now).delete()
    return deleted
