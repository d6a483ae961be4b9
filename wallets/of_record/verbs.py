"""Verbs: names of acts of players, staff and programs, which the record of changes keeps.

A function is given its verb where it is written:

    @verb("player:care.set_limit")
    def set_limit(...): ...

    @under(VOID)  # registered in the journal: `VOID = journal.register("hand.void", ...)`
    def void(...): ...

A name says of which kind the verb is. Verbs of staff are those of the journal, and what they change
must be followed by their entry in the same transaction, or the database refuses the commit. Others
begin with their kind. Which verbs may change a table is said in the table's declaration (`by`).

Each time that something is done is an `Act`: a number that the house made up, with a key that only
programs of the house can compute. Every recorded change is sealed with it, so that a name alone,
which anybody can give, proves nothing.
"""

import hmac
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Final, NamedTuple, cast

from django.conf import settings

from wallets.values.registry import Registry


class Kind(StrEnum):
    """Who does it. Only verbs of staff have no prefix."""

    STAFF = "staff"
    PLAYER = "player"
    # Programs and timers.
    HOUSE = "house"
    # Migrations, and what fills a house before it opens.
    SETUP = "setup"


_PREFIXED: Final = {kind.value: kind for kind in (Kind.PLAYER, Kind.HOUSE, Kind.SETUP)}
# A prefix that tells the database that no entry of the journal has to follow.
UNPROVED: Final = tuple(f"{kind}:" for kind in _PREFIXED)


class Verb(NamedTuple):
    name: str
    kind: Kind


class Writer(NamedTuple):
    """The settings of the connection that say who writes; all are empty without an act."""

    verb: str = ""
    act: str = ""
    key: str = ""


_VERBS: Final = Registry[Verb]("verb of the record")


def kind_of(name: str) -> Kind:
    return _PREFIXED.get(name.partition(":")[0], Kind.STAFF)


def declare(name: str) -> str:
    """Declare a verb that several functions share; each name is declared once."""
    # A new object each time, so that the registry refuses a second one.
    return _VERBS.add(name, Verb(name, kind_of(name))).name


def declared() -> list[str]:
    """The verbs of the modules that this process has loaded."""
    return sorted(_VERBS)


def act_key(act: str, verb: str, sealing_key: str) -> str:
    """The key of an act, derived from the house's sealing key."""
    return hmac.digest(sealing_key.encode(), f"act|{verb}|{act}".encode(), "sha256").hex()


class Act:
    """A verb that is being done. It gets its number with its first change of a row of record."""

    def __init__(self, name: str) -> None:
        self.verb, self.kind = name, kind_of(name)
        self.number = ""
        self.entered = False

    @property
    def binds(self) -> bool:
        """Whether the entry of the journal that follows is to prove all that is done inside."""
        return self.kind is Kind.STAFF and not self.entered

    def writer(self) -> Writer:
        self.number = self.number or secrets.token_hex(16)
        return Writer(
            self.verb, self.number, act_key(self.number, self.verb, settings.SEALING_KEYS[0])
        )

    def settle(self) -> str:
        """The number of the changes that an entry proves; those that follow need another."""
        number, self.number, self.entered = self.number, "", True
        return number


_current: Final[ContextVar[Act | None]] = ContextVar("the verb being done", default=None)


def no_act() -> Act | None:
    """Stand in for a verb where none is being done: tests replace it."""
    return None


otherwise: Callable[[], Act | None] = no_act


@contextmanager
def _doing(name: str, *, alone: bool) -> Iterator[None]:
    outer = _current.get()
    within = kind_of(name) is not Kind.STAFF and not alone
    if outer is not None and outer.binds and (within or name == outer.verb):
        # What the house does for a member of staff is proved by the same entry.
        yield
        return
    token = _current.set(Act(name))
    try:
        yield
    finally:
        _current.reset(token)


class Doing(AbstractContextManager[None], ContextDecorator):
    """Both a decorator and a block."""


def under(name: str, *, alone: bool = False) -> Doing:
    """Do something as this verb: a block, or a decorator.

    A verb of the house inside one of staff is part of that one, unless it stands alone, because an
    audit of its own proves what it writes.
    """
    return cast(Doing, _doing(name, alone=alone))


def verb(name: str, *, alone: bool = False) -> Doing:
    """Declare the verb of the function that follows."""
    return under(declare(name), alone=alone)


def writer() -> Writer:
    """Who writes, for the database."""
    act = _current.get() or otherwise()
    return act.writer() if act else Writer()


def settle(name: str) -> str:
    """The number of what was changed under a verb of staff, whose entry is being written."""
    act = _current.get()
    return act.settle() if act is not None and act.verb == name else ""
