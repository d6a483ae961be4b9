"""Cards are drawn by the operating system. Ruff bans `random` in modules (`pyproject.toml`)."""

from collections.abc import Iterator
from typing import Final

from docs.checks.tree import Finding, Tree

# What decides a deal, and the call that draws there.
DRAWN: Final = {
    "games/shoes/custody.py": "secrets.token_bytes(32)",
    "games/tables/jackpots.py": "secrets.",
    "tournaments/event/mixing.py": "secrets.",
    "static/games/evidence.js": "crypto.getRandomValues(new Uint8Array(32))",
}
# It makes noise for the ear, and no cards.
SOUNDS: Final = "static/games/sounds.js"


def drawn_by_the_system(tree: Tree) -> Iterator[Finding]:
    for path, call in DRAWN.items():
        if call not in tree[path].text:
            yield tree[path].finding(1, f"The module has to draw by {call}.")


def scripts(tree: Tree) -> Iterator[Finding]:
    for file in tree.under("static/", ends=".js"):
        if file.path != SOUNDS:
            yield from file.finds(r"Math\.random", "Draw by crypto.getRandomValues, not by {}.")
