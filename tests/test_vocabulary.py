"""One word for one thing: no name in the code has a word that docs/glossary.md retired.

Names are the identifiers of Python and of scripts, the classes and ids of styles, the ids, classes
and data attributes of templates and the variables in them, and the names of files.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
TREES = (
    "bench",
    "casino",
    "docs",
    "games",
    "static",
    "templates",
    "tests",
    "tournaments",
    "wallets",
)
# A tournament may be in its opening, where the lobby no longer has a module of that name.
FREE_IN_MODULES = ("tournaments", "tests/tournaments")
# Words run together in camel case, or joined by anything that is no letter.
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What is no name: comments, also those of templates, and in templates whatever stands in quotes.
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.S)
TEMPLATE_COMMENT = re.compile(r"\{#.*?#\}|<!--.*?-->|\{% comment .*?\{% endcomment %\}", re.S)
TEMPLATE_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
# The attributes whose values are names, and those that are names themselves.
NAMING = re.compile(r"\s(?:id|class|for|form|name|headers|aria-[a-z]+by)=\"([^\"]*)\"")
DATA = re.compile(r"\s(data-[a-z-]+)")
# Where a retired word is allowed, and why.
EXCEPTIONS = {
    ("games/api/hands.py", "purse"): "a field of the published API",
    ("games/api/payloads.py", "purse"): "a field of the published API",
    ("games/api/payloads.py", "trustee"): "a field of the published API",
    ("games/rules/doudizhu/paying.py", "doubling"): "a bomb or a spring doubles what a hand pays",
    ("games/families/doudizhu/rules_page.py", "doubling"): "the rules name what doubles a hand",
}


class Named(NamedTuple):
    """A name in the tree, and where it stands."""

    path: str
    line: int
    name: str


def retired(section: str) -> frozenset[str]:
    """The first column of the table below a heading of the glossary."""
    text = GLOSSARY.read_text("utf-8").split(f"\n### {section}\n")[1].split("\n#")[0]
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return frozenset(word for row in rows for word in re.findall("`([^`]+)`", row.split("|")[1]))


def words(name: str) -> set[str]:
    return {word.lower() for word in WORD.findall(name)}


def names_of(node: ast.AST) -> Iterator[str]:
    """The names that a node of a syntax tree gives or uses."""
    for field in ("id", "arg", "attr", "name", "asname", "rest", "module"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names


def identifiers(path: str, source: str) -> Iterator[Named]:
    for node in ast.walk(ast.parse(source)):
        for name in names_of(node):
            yield Named(path, getattr(node, "lineno", 0), name)


def blank(pattern: re.Pattern[str], source: str) -> str:
    """Replace each match by as many line ends as it has, so that lines keep their numbers."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n") or " ", source)


def names_of_template(source: str) -> Iterator[tuple[int, str]]:
    """The names in a template, and the line of each."""
    source = blank(TEMPLATE_COMMENT, source)
    for code in TEMPLATE_CODE.finditer(source):
        yield source.count("\n", 0, code.start()) + 1, QUOTED.sub(" ", code[0])
    markup = blank(TEMPLATE_CODE, source)
    for pattern in (NAMING, DATA):
        for name in pattern.finditer(markup):
            yield markup.count("\n", 0, name.start()) + 1, name[1]


def names_in_text(path: str, source: str) -> Iterator[Named]:
    """The names in a script, a style or a template. All of a script counts but its comments."""
    if not path.endswith(".html"):
        for number, line in enumerate(blank(COMMENT, source).splitlines(), start=1):
            yield Named(path, number, line.strip())
        return
    for number, name in names_of_template(source):
        yield Named(path, number, name.strip())


def files() -> list[Path]:
    found = [ROOT / tree for tree in TREES]
    return [
        path
        for tree in found
        for path in sorted(tree.rglob("*"))
        if not {"__pycache__", "vendor"} & set(path.parts) and path.suffix != ".mo"
    ]


def refused(name: Named, vocabulary: frozenset[str]) -> set[str]:
    found = words(name.name) & vocabulary
    return {word for word in found if (name.path, word) not in EXCEPTIONS}


def test_the_glossary_lists_what_is_retired() -> None:
    assert {
        "told",
        "asked",
        "hosting",
        "stays",
        "keeping",
        "ceremony",
        "premises",
        "pace",
    } < retired("In no name")
    assert {"board", "running", "sealing"} < retired("Names of modules")
    assert not retired("In no name") & retired("Names of modules")


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("told = 1", "told"),
        ("class SeatTold: ...", "told"),
        ("def f(*, _asked_of): ...", "asked"),
        ("f(twins_max=1)", "twins"),
        ("x.PURSE", "purse"),
        ("from a import b as stays", "stays"),
        ("from a.hosting import b", "hosting"),
        ("import a.hosting", "hosting"),
        ("try: ...\nexcept E as told: ...", "told"),
        ("match x:\n case {'a': 1, **told}: ...", "told"),
        ("match x:\n case [*told]: ...", "told"),
        ("def f():\n global told", "told"),
        ("untold = overhang = spaces = 'told'  # told", None),
    ],
)
def test_a_retired_word_is_found_in_every_kind_of_name(source: str, word: str | None) -> None:
    vocabulary = retired("In no name")
    found = {one for name in identifiers("a.py", source) for one in refused(name, vocabulary)}
    assert found == ({word} if word else set())


@pytest.mark.parametrize(
    ("path", "source", "word"),
    [
        ("a.js", "const told = 1;", "told"),
        ("a.js", "seatTold();", "told"),
        ("a.js", 'every(".moves-told .at")', "told"),
        ("a.js", "go(); // told\n/* told\n told */", None),
        ("a.css", ".row .pace { }", "pace"),
        ("a.css", "/* told */ .row { }", None),
        ("a.html", '<p id="seat-told">', "told"),
        ("a.html", '<p {% if a %}hidden{% endif %} class="{{ b }} barred">', "barred"),
        ("a.html", '<p data-purse="1">', "purse"),
        ("a.html", "{{ row.purse|money }}", "purse"),
        ("a.html", '{% include "a.html" with told=mine %}', "told"),
        ("a.html", '{# told #}<p title="told">told {% translate "told" %}</p>', None),
    ],
)
def test_a_retired_word_is_found_in_scripts_styles_and_templates(
    path: str, source: str, word: str | None
) -> None:
    vocabulary = retired("In no name")
    found = {one for name in names_in_text(path, source) for one in refused(name, vocabulary)}
    assert found == ({word} if word else set())


def test_no_script_style_or_template_has_a_retired_word() -> None:
    vocabulary = retired("In no name")
    found = [
        f"{name.path}:{name.line}: {name.name}"
        for path in files()
        if path.suffix in {".js", ".css", ".html"}
        for name in names_in_text(str(path.relative_to(ROOT)), path.read_text("utf-8"))
        if refused(name, vocabulary)
    ]
    assert not found


def test_no_identifier_has_a_retired_word() -> None:
    vocabulary, classes = retired("In no name"), retired("Names of classes")
    assert classes
    found = [
        f"{name.path}:{name.line}: {name.name}"
        for path in files()
        if path.suffix == ".py"
        for name in identifiers(str(path.relative_to(ROOT)), path.read_text("utf-8"))
        if refused(name, vocabulary) or name.name in classes
    ]
    assert not found


def test_no_file_has_a_retired_name() -> None:
    vocabulary, modules = retired("In no name"), retired("Names of modules")
    found = []
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        is_module = path.suffix == ".py" and not name.startswith(FREE_IN_MODULES)
        if words(path.name) & vocabulary or (is_module and path.stem in modules):
            found.append(name)
    assert not found


def test_every_exception_is_needed() -> None:
    vocabulary = retired("In no name")
    for path, word in EXCEPTIONS:
        assert word in vocabulary
        source = (ROOT / path).read_text("utf-8")
        assert any(word in words(name.name) for name in identifiers(path, source)), (path, word)
