"""A whole house in one process for a browser to visit: pages, live push, and the clock's sweep.

Its bots think quickly and its pauses are short, so that a hand takes seconds.
"""

import os
import sys
import threading
import time
from datetime import timedelta

import django
import uvicorn
from django.core.management import call_command

SWEEP_SECONDS = 0.1


def sweep_for_ever() -> None:
    from django.db import close_old_connections
    from django.utils import timezone

    from games import clock

    while True:
        close_old_connections()
        clock.sweep(timezone.now())
        time.sleep(SWEEP_SECONDS)


def main(port: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "casino.settings"
    django.setup()
    from games import autoplay
    from games.models import Table

    autoplay.PAUSE_LEAST = timedelta(milliseconds=100)  # type: ignore[misc]
    autoplay.PAUSE_SPAN_MILLISECONDS = 100  # type: ignore[misc]
    call_command("migrate", verbosity=0)
    call_command("demo", verbosity=0)
    Table.objects.update(pause_seconds=3, betting_seconds=20)
    threading.Thread(target=sweep_for_ever, daemon=True).start()
    uvicorn.run(
        "casino.asgi:application", port=port, log_level="warning", timeout_graceful_shutdown=1
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
