"""docs/compliance.md answers every item in order, and says how far each answer goes."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from docs.checks.pages import NAMED
from docs.checks.tree import Finding, Tree

PAGE: Final = "docs/compliance.md"
ITEMS: Final = 47
WHOLE, PART, MISSING = DEGREES = ("**Whole.**", "**In part.**", "**Not yet.**")
SECTION: Final = re.compile(r"^## (\d+)\. (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class Item(NamedTuple):
    line: int
    number: int
    title: str
    answer: str


def items(tree: Tree) -> Iterator[Finding]:
    listed_items = _items(tree)
    if [requirement.number for requirement in listed_items] != list(range(1, ITEMS + 1)):
        yield Finding(PAGE, 1, f"The items are not 1 to {ITEMS}, in order.")
    if len({requirement.title for requirement in listed_items}) < len(listed_items):
        yield Finding(PAGE, 1, "Two items have the same title.")


def answers(tree: Tree) -> Iterator[Finding]:
    for item in _items(tree):
        if not item.answer.startswith(DEGREES):
            yield Finding(PAGE, item.line, f"The answer begins with none of {', '.join(DEGREES)}")
        if not item.answer.startswith(MISSING) and not NAMED.search(item.answer):
            yield Finding(PAGE, item.line, "The answer names no test and no check.")
        if not item.answer.startswith(WHOLE) and "Not there:" not in item.answer:
            yield Finding(PAGE, item.line, "The answer does not say what is missing.")


def overview(tree: Tree) -> Iterator[Finding]:
    counts = [sum(item.answer.startswith(degree) for item in _items(tree)) for degree in DEGREES]
    sentence = "{} are whole, {} in part, {} not yet there".format(*counts)
    if sentence not in tree[PAGE].text:
        yield Finding(PAGE, 1, f"The page does not say: {sentence}.")


def _items(tree: Tree) -> list[Item]:
    file = tree[PAGE]
    return [
        Item(file.line_of(match.start()), int(match[1]), match[2], match[3].strip())
        for match in SECTION.finditer(file.text)
    ]
