"""Modules that one can read, templates that fit a screen, scripts that load quickly."""

import gzip
from collections.abc import Iterator
from typing import Final

from casino.web.bundles import without_comments
from docs.checks.tree import FOLDERS, FOLDERS_OF_MONEY, Finding, Tree

LINES_MAX: Final = 500
TEMPLATE_WIDTH_MAX: Final = 160
# A phone reads all of it, compressed and without comments: a script that does not fit has to
# replace another. A third is the browser's check of locks, records and the public chain; a fifth is
# for tournaments.
SCRIPT_BYTES_MAX: Final = 40_000
NOT_FOR_PLAYERS: Final = ("static/backoffice/", "static/pages/")
# What operators and auditors can read in a day; rules and examples have other readers.
WORDS_MAX: Final = 35_000
CHANGELOG: Final = "CHANGELOG.md"
CHANGELOG_WORDS_MAX: Final = 1_500
NOT_COUNTED: Final = ("docs/rules/", "docs/examples/", "docs/pictures/")


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
        without_comments(file.text)
        for file in tree.under("static/", ends=".js")
        if not file.path.startswith(NOT_FOR_PLAYERS)
    ]
    size = sum(len(gzip.compress(text.encode())) for text in own)
    if size > SCRIPT_BYTES_MAX:
        yield Finding("static", 1, f"Scripts for players have {size} bytes, compressed.")


def words(tree: Tree) -> Iterator[Finding]:
    """Documentation that grows has to say the old things in fewer words."""
    pages = {file.path: len(file.text.split()) for file in tree.under("", ends=".md")}
    total = sum(number for path, number in pages.items() if not path.startswith(NOT_COUNTED))
    if total > WORDS_MAX:
        yield Finding("docs", 1, f"The pages have {total} words, more than {WORDS_MAX}.")
    if pages[CHANGELOG] > CHANGELOG_WORDS_MAX:
        yield Finding(CHANGELOG, 1, f"The changelog has {pages[CHANGELOG]} words.")
