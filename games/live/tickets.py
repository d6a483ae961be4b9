"""Tickets: a page or a program opens the stream of a table with one, and needs it within a minute.

A signed ticket names one viewer, one table, the session or token by which the viewer is signed in,
and a language. A stream believes nothing else about its viewer. It opens only while that sign-in
holds, and ends with it: a sign-in has the name under which its change or end is announced
(`announcing.FORGET`). The hub also asks for the sign-ins of its streams whenever it looks at the
database.

The package that knows players registers how a sign-in is found (`register`).
"""

from collections.abc import Mapping
from typing import Final, Protocol

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import HttpRequest
from django.utils.translation import get_language

from games.live import announcing
from wallets.player import Viewer

SALT: Final = "games.live.tickets"
SECONDS_MAX: Final = 60


class Ticket(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a ticket says; without a sign-in its viewer is a stranger."""

    table: int
    player: int | None = None
    sign_in: str = ""
    language: str = ""
    invitation: str = ""


class SignIns(Protocol):
    """The answers about sessions and tokens; each has a name, with which nobody can sign in."""

    def session_of(self, request: HttpRequest) -> str:
        """The session that signs the sender of a request in; empty for a stranger."""
        ...

    def viewer_of(self, sign_in: str) -> Viewer | None:
        """The player whom this session or token signs in now."""
        ...

    def ended(self, viewers: Mapping[str, Viewer]) -> frozenset[str]:
        """The sign-ins that no longer hold, of these with their viewers; in three queries."""
        ...


_SIGN_INS: Final[list[SignIns]] = []


def register(sign_ins: SignIns) -> None:
    _SIGN_INS[:] = [sign_ins]


def session_of(request: HttpRequest) -> str:
    return _SIGN_INS[0].session_of(request)


def viewer_of(ticket: Ticket) -> Viewer | None:
    """The viewer of a ticket; None where their sign-in no longer holds."""
    if not ticket.sign_in:
        return AnonymousUser()
    viewer = _SIGN_INS[0].viewer_of(ticket.sign_in)
    return viewer if viewer is not None and viewer.pk == ticket.player else None


def ended(viewers: Mapping[str, Viewer]) -> frozenset[str]:
    return _SIGN_INS[0].ended(viewers) if viewers else frozenset()


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
