"""Styles are a system: values have a name in one file, and what has none yet becomes less."""

import re
from collections.abc import Iterator
from typing import Final

from docs.checks.tree import PRODUCT, File, Finding, Tree

TOKENS: Final = "static/casino/tokens.css"
COLOUR: Final = r"(?<!&)#[0-9a-fA-F]{3,8}\b(?![^;{]*\{)|\b(?:rgba?|hsla?)\([^)]*\)"
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# What follows the property on its line, and how many of it are left. The bounds only fall.
SIZE: Final = re.compile(r"\bfont(?:-size)?:[^;]*?\b\d[\d.]*(?:px|rem)\b")
CORNER: Final = re.compile(r"\bborder-radius:[^;/]*?\b[1-9]\d*px\b[^;/]*;")
SPACE: Final = re.compile(
    r"^\s+(?:padding|margin|gap|row-gap|column-gap)[\w-]*:[^;]*?\b\d+px", re.M
)
BREAK: Final = re.compile(r"\((?:min|max)-width: (\d+)px\)|width [<>]=? (\d+)")
LEFT: Final = {"sizes of type": 4, "corners": 9, "spaces": 342, "widths that break": 19}
LINES_MAX: Final = 17_590
# A class or an identifier in a selector, and the words of pages and scripts, or how they begin.
NAME: Final = re.compile(r"(?<=[.#])[A-Za-z_][\w-]*(?=[^;{}]*\{)")
WORD: Final = re.compile(r"[A-Za-z_](?:[\w-]*-(?=\{))|[A-Za-z_][\w-]*")
DRAWN_BY_LIBRARIES: Final = ("htmx-", "nav-sidebar-apps", "simplebar-")


def colours(tree: Tree) -> Iterator[Finding]:
    """A colour has a name, and its value for each theme stands beside those of the others."""
    for file in _sheets(tree):
        yield from file.finds(COLOUR, f"Give the colour {{}} a name in {TOKENS}.")


def values(tree: Tree) -> Iterator[Finding]:
    """Sizes of type, corners, spaces and breaks that are in no scale: not more than were left."""
    texts = [COMMENT.sub("", file.text) for file in _sheets(tree)]
    breaks = {match[1] or match[2] for text in texts for match in BREAK.finditer(text)}
    values = {
        "sizes of type": sum(len(SIZE.findall(text)) for text in texts),
        "corners": sum(len(CORNER.findall(text)) for text in texts),
        "spaces": sum(len(SPACE.findall(text)) for text in texts),
        "widths that break": len(breaks),
    }
    for what, number in values.items():
        if number > LEFT[what]:
            yield Finding("static", 1, f"{number} {what} are in no scale, more than {LEFT[what]}.")


def lines(tree: Tree) -> Iterator[Finding]:
    """Old rules go as new ones come."""
    total = sum(file.text.count("\n") for file in tree.under("static/", ends=".css"))
    if total > LINES_MAX:
        yield Finding("static", 1, f"Styles have {total} lines, more than {LINES_MAX}.")


def drawn(tree: Tree) -> Iterator[Finding]:
    """No rule is for what no page draws any more."""
    words = {
        word
        for folder in ("templates/", "static/", *PRODUCT)
        for file in tree.under(folder, ends=(".html", ".js", ".py"))
        for word in WORD.findall(file.text)
    }
    for file in tree.under("static/", ends=".css"):
        text = COMMENT.sub(lambda match: "\n" * match[0].count("\n"), file.text)
        for match in NAME.finditer(text):
            name, parts = match[0], match[0].split("-")
            heads = {"-".join(parts[:number]) + "-" for number in range(1, len(parts))}
            is_ours = not name.startswith(DRAWN_BY_LIBRARIES)
            if is_ours and words.isdisjoint({name, name.replace("-", "_"), *heads}):
                line = text.count("\n", 0, match.start()) + 1
                yield file.finding(line, f"No page draws {name}.")


def _sheets(tree: Tree) -> Iterator[File]:
    return (file for file in tree.under("static/", ends=".css") if file.path != TOKENS)
