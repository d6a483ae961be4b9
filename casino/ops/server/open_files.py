"""How many files a process may have open: every stream is one, and 1,024 are soon reached."""

import resource
from contextlib import suppress
from typing import Final

FILES_MAX: Final = 16_384


def allow_many_connections() -> None:
    """Use what the system allows, for this process and those that it starts."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_MAX if most == resource.RLIM_INFINITY else min(most, FILES_MAX)
    if allowed < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
