"""Eight threads that need each type at the same moment, in a program that has just started.

`python -m tests.casino.first_use PROGRAM` starts a program of the house as far as its first work.
"""

import gc
import importlib
import os
import pkgutil
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn

import django
import msgspec

THREADS: Final = 8
ROOTS: Final = ("casino", "games", "tournaments", "wallets")
# Scripts and migrations, of which no program has threads.
APART: Final = ("__main__", "management", "migrations")


def web() -> None:
    from casino.ops.server import web as server

    # It opens its port only when the application has been loaded.
    socket.create_server = at_work
    sys.argv = ["web"]
    server.main()


def worker() -> None:
    from casino.celery import app

    app.Worker(pool="threads", concurrency=1, quiet=True)
    at_work()


def sweeper() -> None:
    django.setup()
    from casino.ops import due_work
    from casino.ops import sweeper as program

    due_work.start_threads = at_work
    program.main()


PROGRAMS: Final[dict[str, Callable[[], None]]] = {"web": web, "worker": worker, "sweeper": sweeper}


def subclasses(of: type) -> set[type]:
    below: set[type] = set(of.__subclasses__())
    return below.union(*(subclasses(kind) for kind in below))


def built() -> set[object]:
    """The types of which msgspec has built what it knows."""
    gc.unfreeze()
    infos = [info for info in gc.get_objects() if type(info).__name__ == "StructInfo"]
    return {kind for info in infos for kind in gc.get_referents(info) if isinstance(kind, type)}


def at_work(*_arguments: object, **_words: object) -> NoReturn:
    """Report what the program knows as its work begins, use every type at once, and end it."""
    known, ready = subclasses(msgspec.Struct), built()
    use_at_once(sorted(known, key=repr))
    import_all()
    for title, missing in {
        "not built": known - ready,
        "not imported": subclasses(msgspec.Struct) - known,
    }.items():
        sys.stdout.write(f"{title}: {sorted(map(repr, missing))}\n")
    sys.stdout.flush()
    os._exit(0)


def use_at_once(kinds: list[Any]) -> None:
    barrier = threading.Barrier(THREADS)
    # The interpreter changes threads as often as it can.
    sys.setswitchinterval(1e-6)

    def use() -> None:
        for kind in kinds:
            data = dict.fromkeys(kind.__struct_encode_fields__, 0)
            if tag := kind.__struct_config__.tag_field:
                data[tag] = kind.__struct_config__.tag
            barrier.wait()
            with suppress(msgspec.ValidationError):
                msgspec.convert(data, kind)

    threads = [threading.Thread(target=use) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def import_all() -> None:
    waiting = list(ROOTS)
    while waiting:
        module = importlib.import_module(waiting.pop())
        inside = pkgutil.iter_modules(getattr(module, "__path__", []))
        waiting += [f"{module.__name__}.{info.name}" for info in inside if info.name not in APART]


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    PROGRAMS[sys.argv[1]]()
