"""The part of a player that packages below `casino` need.

The account itself belongs to `casino.accounts`, which they may not import. A reader of a page may
be anonymous: a visitor who has not signed in is a `Viewer`, but no `Player`.
"""

from typing import Any, Protocol, TypeGuard

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


class Viewer(Protocol):
    """The reader of a page, signed in or not."""

    @property
    def pk(self) -> Any:
        """The primary key; a visitor has none, and views turn visitors away before a verb."""

    @property
    def username(self) -> str: ...

    @property
    def is_active(self) -> bool: ...

    @property
    def is_authenticated(self) -> bool: ...

    def has_perm(self, perm: str) -> bool: ...


class Player(Viewer, Protocol):
    """A person who has signed in, or a bot of the house."""

    @property
    def pk(self) -> int: ...

    @property
    def is_bot(self) -> bool: ...

    @property
    def face(self) -> int: ...

    @property
    def strength(self) -> str: ...

    @property
    def signed_up_from(self) -> str: ...


def is_player(viewer: Viewer) -> TypeGuard[Player]:
    """Whether the viewer has signed in."""
    return viewer.is_authenticated


def player_of(request: HttpRequest) -> Player:
    """The player who sent a request; a page that asks for one admits only players."""
    if not is_player(request.user):
        raise PermissionDenied
    return request.user
