"""Results of long runs in the documentation: each has a section of a page, which a run replaces."""

import re
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
NEXT_HEADING: Final = re.compile(r"^#+ ", re.MULTILINE)


def replace_section(page: str, heading: str, text: str) -> None:
    """Write this text below the heading of a page, in place of what is there."""
    path = DOCS / page
    before, heading_line, rest = path.read_text("utf-8").partition(f"\n{heading}\n")
    if not heading_line:
        raise ValueError(f"{page} has no heading {heading}")
    following = NEXT_HEADING.search(rest)
    after = f"\n{rest[following.start() :]}" if following else ""
    path.write_text(f"{before}{heading_line}\n{text.strip()}\n{after}", "utf-8")
