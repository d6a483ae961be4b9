"""A house of its own in a temporary folder, in this very process, for figures of parts of it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import django

SETTINGS: Final = {
    "DEMO": "1",
    "SECRET_KEY": "a key for figures alone",
    "SEALING_KEYS": "dGVzdHMgYWxvbmUgdXNlIHRoaXMga2V5LCBub2JvZHk=",
    "SIGNING_KEYS": "dGVzdHMgYWxvbmUgc2lnbiB3aXRoIHRoaXMga2V5ISE=",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DJANGO_SETTINGS_MODULE": "casino.settings",
    "ALLOWED_HOSTS": "testserver",
}


@contextmanager
def house_here(name: str) -> Iterator[None]:
    """An empty house; Django is set up when it is there."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as folder:
        os.environ |= SETTINGS | {"DATA_DIR": folder}
        os.environ.pop("DATABASE_URL", None)
        Path(folder, "static").mkdir()
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield
