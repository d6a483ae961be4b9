"""The browsers that the tests drive: Chromium, Firefox and WebKit, those of this machine.

    python -m tests.browsers           installs those that are not found, where that is allowed
    python -m tests.browsers chromium  installs this one alone
    python -m tests.browsers --which   names them, or says that there is none

`CHROMIUM` and `FIREFOX` name others. Where one is not to be had the tests do without, and
`make test` says so.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Final

CHROMIUMS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIREFOXES: Final = ("firefox-esr", "firefox")
MINI_BROWSERS: Final = ("*/webkit2gtk-4.*/MiniBrowser", "webkit2gtk-4.*/MiniBrowser")
PLACES: Final = (Path("/usr/lib"), Path("/usr/libexec"), Path("/usr/lib64"))

# Debian's packages of each.
PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "chromium": ("chromium", "chromium-headless-shell"),
    "firefox": ("firefox-esr",),
    "webkit": ("webkit2gtk-driver", "xvfb"),
}
MISSING: Final = (
    "NO HAND WAS PLAYED IN A BROWSER: no Chromium was found and none could be installed.\n"
    "On Debian: apt-get install chromium; or name one: CHROMIUM=/path/to/it make test"
)


def _first(variable: str, names: tuple[str, ...]) -> str | None:
    return os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)


def chromium() -> str | None:
    """The browser's path."""
    return _first("CHROMIUM", CHROMIUMS)


def bare_chromium() -> str | None:
    """The path of one that has no windows: it draws the same pages in two thirds of the time."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or chromium()


def firefox() -> str | None:
    return _first("FIREFOX", FIREFOXES)


def webkit_driver() -> str | None:
    return shutil.which("WebKitWebDriver")


def webkit() -> str | None:
    """The path of WebKitGTK's small browser, where its driver and a screen for it are there."""
    paths = (path for place in PLACES for name in MINI_BROWSERS for path in place.glob(name))
    return next(map(str, paths), None) if webkit_driver() and shutil.which("Xvfb") else None


ENGINES: Final[Mapping[str, Callable[[], str | None]]] = {
    "chromium": chromium,
    "firefox": firefox,
    "webkit": webkit,
}


def missing(wanted: Container[str] = ENGINES) -> list[str]:
    """A line for each engine that journeys have to do without."""
    if not chromium():
        return [MISSING]
    return [
        f"NO JOURNEY IN {engine.upper()}: it was not found. "
        f"On Debian: make browsers, or apt-get install {' '.join(PACKAGES[engine])}"
        for engine, find in ENGINES.items()
        if engine in wanted and not find()
    ]


def install(wanted: Container[str]) -> None:
    """Ask the machine's packages for them; only root may, and only Debian's are known here."""
    engines = [engine for engine, find in ENGINES.items() if engine in wanted and not find()]
    if not engines or os.geteuid() or not shutil.which("apt-get"):
        return
    print(
        f"installing {', '.join(engines)}, which the tests drive: a minute each, once", flush=True
    )
    for engine in engines:
        if not _get("install", *PACKAGES[engine]):
            _get("update")
            _get("install", *PACKAGES[engine])


def _get(*what: str) -> bool:
    return not subprocess.run(
        ["apt-get", "-qq", "-y", "--no-install-recommends", *what],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.DEVNULL,
        stderr=None if what == ("update",) else subprocess.DEVNULL,
        check=False,
    ).returncode


def main() -> int:
    which = "--which" in sys.argv
    wanted = sys.argv[1:] if sys.argv[1:] and not which else ENGINES
    if not which:
        install(wanted)
    for path in filter(None, (engine() for engine in ENGINES.values())):
        print(path)
    for line in missing(wanted):
        print(line)
    return 0 if chromium() or not which else 1


if __name__ == "__main__":
    sys.exit(main())
