"""Icons on a page."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r'{% icon "([^"]+)" %}')


def test_the_icons_that_pages_ask_for_are_drawn_and_no_others() -> None:
    drawn = re.findall(
        '<symbol id="([^"]+)"', (ROOT / "static" / "casino" / "icons.svg").read_text()
    )
    used = {
        name
        for page in (ROOT / "templates").rglob("*.html")
        for name in NAMED.findall(page.read_text())
    }
    assert sorted(used) == sorted(drawn)
