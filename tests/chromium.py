"""The browser that the tests drive: the Chromium of this machine.

    python -m tests.chromium           installs one where none is found and that is allowed
    python -m tests.chromium --which   names it, or says that there is none

`CHROMIUM` names another. Where none is to be had the tests do without, and `make test` says so.
"""

import os
import shutil
import subprocess
import sys
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING: Final = (
    "NO HAND WAS PLAYED IN A BROWSER: no Chromium was found and none could be installed.\n"
    "On Debian: apt-get install chromium; or name one: CHROMIUM=/path/to/it make test"
)


def found() -> str | None:
    """The browser's path."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def bare() -> str | None:
    """The path of one that has no windows: it draws the same pages in two thirds of the time."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or found()


def install() -> None:
    """Ask the machine's packages for one; only root may, and only Debian's are known here."""
    if os.geteuid() or not shutil.which("apt-get"):
        return
    print("installing Chromium, which the tests drive; this takes a minute, once", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    get = ["apt-get", "-qq", "-y", "--no-install-recommends"]
    wanted = [*get, "install", "chromium", "chromium-headless-shell"]
    if subprocess.run(wanted, env=quiet, stdout=subprocess.DEVNULL, check=False).returncode:
        subprocess.run([*get, "update"], env=quiet, check=False)
        subprocess.run(wanted, env=quiet, stdout=subprocess.DEVNULL, check=False)


def main() -> int:
    if found() is None and "--which" not in sys.argv:
        install()
    print(found() or MISSING)
    return 0 if found() or "--which" not in sys.argv else 1


if __name__ == "__main__":
    sys.exit(main())
