"""Modules that one can read, templates that fit a screen, scripts that load quickly."""

import gzip
from collections.abc import Iterator
from typing import Final

from docs.checks.tree import FOLDERS, FOLDERS_OF_MONEY, Finding, Tree

LINES_MAX: Final = 500
TEMPLATE_WIDTH_MAX: Final = 160
# A phone reads all of it, compressed: a script that does not fit has to replace another. A third
# is the browser's check of locks, records and the public chain; a fifth is for tournaments.
SCRIPT_BYTES_MAX: Final = 46_700
NOT_FOR_PLAYERS: Final = ("static/backoffice/",)


def modules(tree: Tree) -> Iterator[Finding]:
    folders = [f"{folder}/" for folder in (*FOLDERS, *FOLDERS_OF_MONEY)]
    for file in tree.under(*folders, ends=(".py", ".js", ".css", ".html")):
        lines = file.text.count("\n")
        if lines > LINES_MAX:
            yield file.finding(LINES_MAX + 1, f"The module has {lines} lines.")


def template_lines(tree: Tree) -> Iterator[Finding]:
    for file in tree.under("templates/", ends=".html"):
        for number, line in enumerate(file.text.splitlines(), 1):
            if len(line) > TEMPLATE_WIDTH_MAX:
                yield file.finding(number, f"The line is longer than {TEMPLATE_WIDTH_MAX}.")


def scripts(tree: Tree) -> Iterator[Finding]:
    own = [
        file.text
        for file in tree.under("static/", ends=".js")
        if not file.path.startswith(NOT_FOR_PLAYERS)
    ]
    size = sum(len(gzip.compress(text.encode())) for text in own)
    if size > SCRIPT_BYTES_MAX:
        yield Finding("static", 1, f"Scripts for players have {size} bytes, compressed.")
