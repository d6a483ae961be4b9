"""The configured web server: `python -m casino.web`.

By default uvicorn waits forever for headers that never end, and trusts every client on the same
machine about forwarded addresses.
"""

import argparse
import gc
import logging
import os
import socket
from typing import Any, Final

import uvicorn
from django.conf import settings

from casino import environment, private_files
from casino.timeouts import PatientProtocol

APPLICATION: Final = "casino.asgi:application"
# The time to finish running requests when the server stops.
STOP_SECONDS_MAX: Final = 20

log = logging.getLogger(__name__)


def options() -> dict[str, Any]:
    """Return the server's options, whatever it listens on."""
    # Trust headers that name another address and scheme only from our own proxies.
    behind_proxy = environment.flag("BEHIND_PROXY")
    # Our own logging writes JSON, and the server's formats would be beside it.
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
    parser = argparse.ArgumentParser(prog="python -m casino.web", description=__doc__)
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
    gc.freeze()
    uvicorn.Server(config).run(sockets=[_listening(arguments)])


def close_to_others() -> None:
    """Mend what an older version left open to everybody on this machine."""
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
