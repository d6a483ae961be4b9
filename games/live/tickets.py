"""Tickets: a page or a program opens the stream of a table with one, and needs it within a minute.

A signed ticket names one viewer, one table, the session or token by which the viewer is signed in,
and a language. A stream believes nothing else about its viewer. It opens only for a request with
that session's cookie or that token, while the sign-in holds, and ends with it: `ended` alone
decides that, whenever the hub looks at the database. The hub looks at once when a change of such a
row is announced (`announcing.FORGET`), under its name.

The package that knows players registers how a sign-in is found (`register`).
"""

from collections.abc import Hashable, Mapping
from typing import Final, NamedTuple, Protocol

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import HttpRequest
from django.utils.translation import get_language

from games.live import announcing
from wallets.values.player import Viewer

SALT: Final = "games.live.tickets"
SECONDS_MAX: Final = 60


class Ticket(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a ticket says; without a sign-in its viewer is a stranger."""

    table: int
    player: int | None = None
    sign_in: str = ""
    language: str = ""
    invitation: str = ""


class SignedIn(NamedTuple):
    """The user of a session or token, and all facts whose change ends their streams."""

    player: int
    standing: Hashable


class SignIns(Protocol):
    """The answers about sessions and tokens; each has a name, which signs in no request."""

    def session_of(self, request: HttpRequest) -> str:
        """The session that signs the sender of a request in; empty for a stranger."""
        ...

    def is_presented(self, sign_in: str, request: HttpRequest) -> bool:
        """Whether a request has the cookie of this session, or this token."""
        ...

    def viewer_of(self, sign_in: str) -> Viewer | None:
        """The player whom this session or token signs in now."""
        ...

    def signed_in(self, viewer: Viewer) -> SignedIn:
        """A viewer who is signed in, as they are now; in one query."""
        ...

    def ended(self, held: Mapping[str, SignedIn]) -> frozenset[str]:
        """The sign-ins, of these, that no longer sign in the same player; in four queries."""
        ...


_SIGN_INS: Final[list[SignIns]] = []


def register(sign_ins: SignIns) -> None:
    _SIGN_INS[:] = [sign_ins]


def session_of(request: HttpRequest) -> str:
    return _SIGN_INS[0].session_of(request)


def may_use(ticket: Ticket, request: HttpRequest) -> bool:
    """Whether the sender of a request was given this ticket; anyone may use a stranger's."""
    return not ticket.sign_in or _SIGN_INS[0].is_presented(ticket.sign_in, request)


def viewer_of(ticket: Ticket) -> Viewer | None:
    """The viewer of a ticket; None where their sign-in no longer holds."""
    if not ticket.sign_in:
        return AnonymousUser()
    viewer = _SIGN_INS[0].viewer_of(ticket.sign_in)
    return viewer if viewer is not None and viewer.pk == ticket.player else None


def signed_in(viewer: Viewer, sign_in: str) -> SignedIn | None:
    return _SIGN_INS[0].signed_in(viewer) if sign_in else None


def ended(held: Mapping[str, SignedIn]) -> frozenset[str]:
    return _SIGN_INS[0].ended(held) if held else frozenset()


def address_for(viewer: Viewer, sign_in: str, table_id: int, invitation: str = "") -> str:
    """The address of a table's stream for a viewer who is being shown the table.

    The stream speaks the active language.
    """
    ticket = Ticket(table_id, viewer.pk, sign_in, get_language() or "", invitation)
    return announcing.stream_path(table_id, signing.dumps(msgspec.to_builtins(ticket), salt=SALT))


def read(text: str) -> Ticket | None:
    """What a ticket says; None if it is too old, or was not issued here."""
    try:
        return msgspec.convert(signing.loads(text, salt=SALT, max_age=SECONDS_MAX), Ticket)
    except (signing.BadSignature, msgspec.ValidationError):
        return None
