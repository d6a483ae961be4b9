"""The name of a browser in words that its owner recognises: `Firefox on Windows`."""

import re
from typing import Final

from django.utils.translation import gettext as _

# The first that fits: browsers name those before them that they want to be taken for.
BROWSERS: Final = (
    ("Edge", r"Edg(?:e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("WeChat", r"MicroMessenger/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|Chromium/|CriOS/"),
    ("Safari", r"Safari/"),
)
SYSTEMS: Final = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("HarmonyOS", r"HarmonyOS|OpenHarmony"),
    ("Windows", r"Windows"),
    ("Mac", r"Macintosh|Mac OS X"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux|X11"),
)
# A program gives its own name, such as `python-requests/2.32`.
PROGRAM: Final = re.compile(r"[A-Za-z][\w.-]{1,30}")


def in_words(user_agent: str) -> str:
    browser = _first(BROWSERS, user_agent)
    system = _first(SYSTEMS, user_agent)
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    if browser or system:
        return browser or system
    program = PROGRAM.match(user_agent)
    if program and not user_agent.startswith("Mozilla"):
        return _("The program {name}").format(name=program.group())
    return _("Unknown device")


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for name, pattern in names if re.search(pattern, user_agent)), "")
