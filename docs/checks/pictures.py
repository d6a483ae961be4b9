"""The pictures in README: whether the pages that they show have the same templates and styles.

`make pictures` takes them, and notes beside them a digest of all that each page is made of.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import Final

from docs.checks.tree import Finding, Tree

FOLDER: Final = "docs/pictures"
DIGESTS: Final = f"{FOLDER}/digests.json"
DIGITS: Final = 16
# By picture: where the page begins; a name that ends with / is a folder.
PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "doudizhu": (
        "templates/games/table.html",
        "templates/pieces/board.html",
        "templates/pieces/families/doudizhu/",
        "static/pages/tables/doudizhu.css",
    ),
    "audit": (
        "templates/backoffice/hand.html",
        "templates/pieces/families/doudizhu/",
        "static/pages/office_hands/doudizhu.css",
    ),
    "office": ("templates/admin/index.html",),
}
# What a template or a style takes in, and the folders in which its name is looked for.
TEMPLATE: Final = re.compile(r'\{%-? *(?:extends|include|import|from) "([^"]+)"')
STYLE: Final = re.compile(r"\{% static '([^']+\.css)' %\}")
IMPORT: Final = re.compile(r'@import "([^"]+)"')
TEMPLATES: Final = ("templates", "templates/pieces")


def digest(tree: Tree, picture: str) -> str:
    """The digest of all files that the page of a picture is made of."""
    hasher = hashlib.sha256()
    for path in sorted(parts(tree, picture)):
        hasher.update(f"{path}\0{tree[path].text}\0".encode())
    return hasher.hexdigest()[:DIGITS]


def current(tree: Tree) -> Iterator[Finding]:
    noted = json.loads(tree[DIGESTS].text)
    for picture in PAGES:
        if noted.get(picture) != digest(tree, picture):
            yield Finding(
                f"{FOLDER}/{picture}.png", 1, "The page looks different now: run make pictures."
            )


def parts(tree: Tree, picture: str) -> set[str]:
    """The templates and styles that a page names, and all that these name."""
    waiting = [
        path
        for start in PAGES[picture]
        for path in ([file.path for file in tree.under(start, ends="")] or [start])
    ]
    parts = set[str]()
    while waiting:
        path = waiting.pop()
        if path in tree and path not in parts:
            parts.add(path)
            waiting += _taken_in(path, tree[path].text)
    return parts


def _taken_in(path: str, text: str) -> Iterator[str]:
    for match in TEMPLATE.finditer(text):
        yield from (f"{folder}/{match[1]}" for folder in TEMPLATES)
    for match in STYLE.finditer(text):
        yield f"static/{match[1]}"
    for match in IMPORT.finditer(text):
        yield normpath(join(dirname(path), match[1]))
