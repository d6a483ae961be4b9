"""Things by name, each registered once by the package that it belongs to.

A lower package asks a registry for what only a higher one knows, so it need not import it.
"""

from collections.abc import Callable
from typing import Final, Generic, NoReturn, TypeVar

Thing = TypeVar("Thing")


class Registered(ValueError):
    """The name is taken: two packages would answer for the same thing."""


class Unregistered(KeyError):
    def __str__(self) -> str:
        # A KeyError shows its key in quotes; this one shows a sentence.
        return str(self.args[0])


class Registry(dict[str, Thing], Generic[Thing]):
    """A dictionary that is filled while the site starts, and refuses a name that it has."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def add(self, name: str, thing: Thing) -> Thing:
        """Register a thing; refuse a second one of the same name."""
        if self.setdefault(name, thing) is not thing:
            raise Registered(f"There is already a {self._kind} called {name}.")
        return thing

    def remove(self, name: str) -> None:
        """Forget a name, whether or not it is there."""
        self.pop(name, None)

    def __missing__(self, name: str) -> NoReturn:
        names = ", ".join(self) or "none yet"
        raise Unregistered(f"There is no {self._kind} called {name}; there are {names}.")


# By what it makes. It may be called again, and then finds it made.
AT_START: Final = Registry[Callable[[], None]]("thing made at start")
