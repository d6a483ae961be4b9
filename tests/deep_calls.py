"""Room for the frames of deep calls.

Python keeps the frames of calls in chunks of 16 KiB. When one is full it asks the system for
another, and gives that back when the call returns. A loop whose calls cross the end of a chunk does
so in each turn, and requests through pytest, Django and its templates are deep enough for that: it
took a tenth of the time of all tests. A frame that is larger than a chunk gets a chunk that fits,
and the calls that it makes have what is left there.
"""

from collections.abc import Callable
from typing import Any, Final

# A frame of so many values takes half a mebibyte, so its chunk is one, of which half is left.
VALUES: Final = 66_000


def with_room(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with room for all the calls below it."""
    return function(*arguments)


with_room.__code__ = with_room.__code__.replace(co_stacksize=VALUES)
