"""The configured web server: `python -m casino.ops.server.web`.

By default uvicorn waits forever for headers that never end, and trusts every client on the same
machine about forwarded addresses.
"""

import argparse
import asyncio
import gc
import logging
import os
import socket
from contextlib import suppress
from types import FrameType
from typing import Any, Final

import uvicorn
from django.conf import settings

from casino.ops import environment, private_files
from casino.ops.server.timeouts import PatientProtocol

APPLICATION: Final = "casino.asgi:application"
# The time to finish running requests when the server stops.
STOP_SECONDS_MAX: Final = 20
# The server counts tenths of a second; at each whole one it writes the date anew.
WHOLE_SECOND: Final = 0
TICK_SECONDS: Final = 1.0
# How many objects may be made, beyond those that have gone, before the garbage collector looks.
YOUNG_OBJECTS: Final = 10_000

log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Wakes once a second, for the date of its answers, and at once when it has to stop.

    By default uvicorn wakes ten times a second to see whether it has to stop.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stops = asyncio.Event()
        # None before the server has started.
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(WHOLE_SECOND):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await self._stops.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stops.set)


def options() -> dict[str, Any]:
    """Return the server's options, for any socket."""
    # Trust headers that name another address and scheme only from our own proxies.
    behind_proxy = environment.flag("BEHIND_PROXY")
    # Our own logging writes JSON, and the server would add its own formats.
    own_log = {"log_config": None} if environment.text("LOG_FORMAT") == "json" else {}
    return {
        **own_log,
        "http": PatientProtocol,
        "proxy_headers": behind_proxy,
        "forwarded_allow_ips": environment.words("PROXIES") or ["127.0.0.1", "::1"],
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m casino.ops.server.web", description=__doc__)
    parser.add_argument("--host", default=environment.text("HOST") or "127.0.0.1")
    parser.add_argument("--port", type=int, default=environment.number("PORT", 8000))
    parser.add_argument("--fd", type=int, help="serve the listening socket that is handed over")
    parser.add_argument("--stop-seconds", type=int, default=STOP_SECONDS_MAX)
    arguments = parser.parse_args()
    config = uvicorn.Config(
        APPLICATION, timeout_graceful_shutdown=arguments.stop_seconds, **options()
    )
    config.load()
    close_to_others()
    # Modules and settings live as long as the process; the garbage collector now leaves them out.
    # Most objects of a request have gone by themselves before it looks.
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    Server(config).run(sockets=[_listening(arguments)])


def close_to_others() -> None:
    """Correct the rights of files that an older version left open to other accounts."""
    if closed := private_files.close_to_others(settings.DATA_DIR):
        where = settings.DATA_DIR
        log.warning("closed %s files in %s that others had rights to", len(closed), where)


def _listening(arguments: argparse.Namespace) -> socket.socket:
    if arguments.fd is not None:
        return socket.socket(fileno=arguments.fd)
    family = socket.AF_INET6 if ":" in arguments.host else socket.AF_INET
    return socket.create_server((arguments.host, arguments.port), family=family, backlog=2048)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    main()
