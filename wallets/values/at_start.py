"""What the packages make when a process starts, so that no reader waits for it."""

from collections.abc import Callable
from typing import Final

from wallets.values.registry import Registry

# By what it makes. It may be called again, and then finds it made.
AT_START: Final = Registry[Callable[[], None]]("thing made at start")
