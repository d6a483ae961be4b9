"""What the tests of this folder have in common: who comes with a browser, and of which size."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page

PHONE: Final = {"width": 390, "height": 844}
DESK: Final = {"width": 1440, "height": 900}

# Somebody who comes with a browser: `visitor()`, or `visitor("alice")` who is signed in.
Visitor = Callable[..., Page]
