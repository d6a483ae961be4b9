"""What the fixtures of this folder give to its tests."""

from collections.abc import Callable

from playwright.sync_api import Page

# Somebody who comes with a browser: `visitor()`, or `visitor("alice")` who is signed in.
Visitor = Callable[..., Page]
