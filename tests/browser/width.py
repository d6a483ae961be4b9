"""Whether a page fits its window."""

from typing import Final

from playwright.sync_api import Page

# All that glides has come to its place.
LANDED: Final = """() => Promise.all(
  document.getAnimations().filter(({ id }) => id === "glide").map(({ finished }) => finished))"""
TOO_WIDE: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def too_wide(page: Page) -> int:
    """Return by how much a page is wider than its window.

    What a page says can be read before its styles have come, and then it still has any width.
    """
    page.wait_for_load_state()
    page.evaluate(LANDED)
    width: int = page.evaluate(TOO_WIDE)
    return width
