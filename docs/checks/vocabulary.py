"""One word for one thing: no name in the code has a word that docs/glossary.md retired.

Names are the identifiers of Python and of scripts, the classes and ids of styles, the ids, classes
and data attributes of templates and the variables in them, and the names of files.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from docs.checks.tree import File, Finding, Tree, section, words_of

GLOSSARY: Final = "docs/glossary.md"
TREES: Final = (
    *("bench/", "casino/", "docs/", "games/", "static/", "templates/"),
    *("tests/", "tournaments/", "wallets/"),
)
# A tournament may be in its opening, where the lobby no longer has a module of that name.
FREE_IN_MODULES: Final = ("tournaments/", "tests/tournaments/")
IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
# What is no name: comments, also those of templates, and in templates whatever is in quotes.
COMMENT: Final = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.S)
TEMPLATE_COMMENT: Final = re.compile(
    r"\{#.*?#\}|<!--.*?-->|\{% comment .*?\{% endcomment %\}", re.S
)
TEMPLATE_CODE: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
# The attributes whose values are names, and those that are names themselves.
NAMING: Final = re.compile(r"\s(?:id|class|for|form|name|headers|aria-[a-z]+by)=\"([^\"]*)\"")
DATA: Final = re.compile(r"\s(data-[a-z-]+)")
# Where a retired word is allowed, and why.
EXCEPTIONS: Final = {
    ("games/api/hands.py", "purse"): "a field of the published API",
    ("games/api/table_json.py", "purse"): "a field of the published API",
    ("games/api/table_json.py", "trustee"): "a field of the published API",
    ("games/api/table_payloads.py", "purse"): "a field of the published API",
    ("games/api/table_payloads.py", "trustee"): "a field of the published API",
    ("games/rules/doudizhu/paying.py", "doubling"): "a bomb or a spring doubles what a hand pays",
    ("games/families/doudizhu/rules_page.py", "doubling"): "the rules name what doubles a hand",
}


def identifiers(tree: Tree) -> Iterator[Finding]:
    """Identifiers of Python, and the names of classes that are retired as a whole."""
    words, classes = retired(tree, "In no name"), retired(tree, "Names of classes")
    for file in tree.under(*TREES):
        some = file.words & words
        if not some and not any(name in file.text for name in classes):
            continue
        for number, line in enumerate(file.code.splitlines(), 1):
            for name in IDENTIFIER.findall(line):
                if name in classes or refused(file, name, some):
                    yield file.finding(number, f"The name {name} has a retired word.")


def markup(tree: Tree) -> Iterator[Finding]:
    """Names in scripts, styles and templates."""
    words = retired(tree, "In no name")
    for file in tree.under(*TREES, ends=(".js", ".css", ".html")):
        if some := file.words & words:
            for number, name in names_in_markup(file):
                if refused(file, name, some):
                    yield file.finding(number, f"A name here has a retired word: {name}")


def file_names(tree: Tree) -> Iterator[Finding]:
    words, modules = retired(tree, "In no name"), retired(tree, "Names of modules")
    for file in tree.under(*TREES, ends=""):
        path = PurePosixPath(file.path)
        is_module = path.suffix == ".py" and not file.path.startswith(FREE_IN_MODULES)
        folders = words.intersection(words_of(str(path)))
        if folders or (is_module and path.stem in modules):
            yield file.finding(1, "The name of the file has a retired word.")


def exceptions(tree: Tree) -> Iterator[Finding]:
    """An exception has to go when nothing needs it any more."""
    words = retired(tree, "In no name")
    for path, word in EXCEPTIONS:
        if word not in words or word not in words_of(tree[path].code):
            yield tree[path].finding(1, f"The exception for {word} is not needed.")


def retired(tree: Tree, heading: str) -> frozenset[str]:
    """The first column of the table below a heading of the glossary."""
    rows = section(tree[GLOSSARY].text, f"### {heading}").splitlines()
    cells = [row.split("|")[1] for row in rows if row.startswith("| `")]
    return frozenset(word for cell in cells for word in re.findall("`([^`]+)`", cell))


def refused(file: File, name: str, words: frozenset[str]) -> bool:
    found = words.intersection(words_of(name))
    return any((file.path, word) not in EXCEPTIONS for word in found)


def names_in_markup(file: File) -> Iterator[tuple[int, str]]:
    """Names with their lines. All of a script or style counts except comments."""
    if not file.path.endswith(".html"):
        lines = blank(COMMENT, file.text).splitlines()
        yield from ((number, line.strip()) for number, line in enumerate(lines, 1))
        return
    source = blank(TEMPLATE_COMMENT, file.text)
    for code in TEMPLATE_CODE.finditer(source):
        yield source.count("\n", 0, code.start()) + 1, QUOTED.sub(" ", code[0])
    html = blank(TEMPLATE_CODE, source)
    for pattern in (NAMING, DATA):
        for name in pattern.finditer(html):
            yield html.count("\n", 0, name.start()) + 1, name[1].strip()


def blank(pattern: re.Pattern[str], source: str) -> str:
    """Replace each match by as many line ends as it has, so that lines keep their numbers."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n") or " ", source)
