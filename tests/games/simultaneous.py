"""Many who want something at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

from wallets.values.errors import Refused


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make all calls at the same moment, each in a thread with a connection of its own."""
    start = Barrier(len(calls))

    def make(call: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return call()
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))
