"""Pages: tests, files, commands and other pages that they name are there."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from docs.checks.tree import File, Finding, Tree

# A test, or a check of this package.
NAMED: Final = re.compile(r"`((?:tests|docs)/[\w/]+\.py)::((?:Test\w+::)?\w+)`")
DEFINED: Final = re.compile(r"^(?:class (Test\w+)|( *)def (\w+)\()", re.MULTILINE)
PATH: Final = re.compile(
    r"`((?:bench|casino|docs|games|static|templates|tests|tournaments|wallets)/[\w./-]+)`"
)
FROM: Final = ("static/", "templates/", "tests/")
LINK: Final = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING: Final = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
MAKE: Final = re.compile(r"`make ([a-z-]+)[^`]*`")
MODULE: Final = re.compile(
    r"python -m ((?:bench|casino|docs|games|tests|tournaments|wallets)[\w.]*)"
)
OVERVIEW: Final = "docs/architecture.md"


def names_of_tests(tree: Tree) -> Iterator[Finding]:
    """A test that a page names is there, and is written so that this check finds it."""
    for page in _pages(tree):
        for match in NAMED.finditer(page.text):
            file, name = match[1], match[2]
            if file not in tree or name not in _defined(tree[file]):
                yield _at(page, match, f"There is no {file}::{name}.")
        rest = NAMED.sub(lambda match: " " * len(match[0]), page.text)
        for match in re.finditer(r"::\w*test_\w+", rest):
            yield _at(page, match, "Write `tests/file.py::test_name`.")


def paths(tree: Tree) -> Iterator[Finding]:
    """A path begins at the top of the project, or at the folder that the page is about."""
    files = {path.removeprefix(start) for path in tree.files for start in ("", *FROM)}
    known = files | {str(folder) for path in files for folder in PurePosixPath(path).parents}
    for page in _pages(tree):
        for match in PATH.finditer(page.text):
            if match[1].rstrip("/") not in known and "vendor" not in match[1]:
                yield _at(page, match, f"There is no {match[1]}.")


def links(tree: Tree) -> Iterator[Finding]:
    """A link leads to a file of the project, and to a heading of the page."""
    for page in _pages(tree):
        for match in LINK.finditer(page.text):
            target = page.path
            if match[1]:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), match[1]))
            if target.endswith(".md") and target in tree:
                if match[2] and match[2] not in _anchors(tree[target]):
                    yield _at(page, match, f"{target} has no heading {match[2]}.")
            elif target.endswith(".md"):
                yield _at(page, match, f"There is no {target}.")


def commands(tree: Tree) -> Iterator[Finding]:
    targets = set(re.findall(r"^([a-z-]+):", tree["Makefile"].text, re.MULTILINE))
    for page in _pages(tree):
        for match in MAKE.finditer(page.text):
            if match[1] not in targets:
                yield _at(page, match, f"The Makefile has no {match[1]}.")
        for match in MODULE.finditer(page.text):
            path = match[1].rstrip(".").replace(".", "/")
            if f"{path}.py" not in tree and f"{path}/__main__.py" not in tree:
                yield _at(page, match, f"There is no module {match[1]}.")


def overview(tree: Tree) -> Iterator[Finding]:
    """docs/architecture.md leads to every other page of its folder."""
    linked = {match[1] for match in LINK.finditer(tree[OVERVIEW].text)}
    for page in tree.under("docs/", ends=".md"):
        name = page.path.removeprefix("docs/")
        if "/" not in name and page.path != OVERVIEW and name not in linked:
            yield tree[OVERVIEW].finding(1, f"The page does not lead to {name}.")


def _pages(tree: Tree) -> Iterator[File]:
    return tree.under("", ends=".md")


def _at(page: File, match: re.Match[str], sentence: str) -> Finding:
    return page.finding(page.line_of(match.start()), sentence)


def _defined(file: File) -> set[str]:
    """Functions by their names, methods behind those of their classes."""
    names, group = set(), ""
    for test_class, indent, name in DEFINED.findall(file.text):
        if test_class:
            group = test_class
        else:
            names.add(f"{group}::{name}" if indent else name)
    return names


def _anchors(page: File) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = HEADING.findall(FENCED.sub("", page.text))
    texts = (re.sub(r"[^\w\- ]", "", heading.strip().lower()) for heading in headings)
    return {text.replace(" ", "-") for text in texts}
