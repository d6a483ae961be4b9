"""The files of the project, each read once, and what the checks share."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple, Self

TOP: Final = Path(__file__).resolve().parents[2]
PRODUCT: Final = ("casino/", "games/", "tournaments/", "wallets/")
FOLDERS: Final = ("bench", "casino", "docs", "games", "static", "templates", "tests")
FOLDERS_OF_MONEY: Final = ("tournaments", "wallets")
BESIDE: Final = ("*.md", "Makefile", "pyproject.toml", "requirements.*")
NO_SOURCE: Final = frozenset({"__pycache__", "node_modules", "vendor"})
BINARY: Final = frozenset({".ico", ".jpg", ".mo", ".mp3", ".png", ".woff2"})
# Strings and comments of Python. An `r` or `f` before a string stays behind, as a name.
NOT_CODE: Final = re.compile(
    r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'|#[^\n]*"
)


class Finding(NamedTuple):
    """A place, and a sentence that says what is wrong there."""

    path: str
    line: int
    sentence: str


class CannotCheck(Exception):
    """A check needs a file that is not there, or that nothing can read."""

    def __init__(self, path: str, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.finding = Finding(path, line, sentence)


@dataclass(frozen=True)
class File:
    """A file by its path from the top of the project; what a check derives from it is kept."""

    path: str
    text: str

    @cached_property
    def code(self) -> str:
        """A module without strings and comments; the lines keep their numbers."""
        return NOT_CODE.sub(lambda match: "\n" * match[0].count("\n") or " ", self.text)

    @cached_property
    def syntax(self) -> tuple[ast.AST, ...]:
        """Every node of a module's syntax tree."""
        try:
            return tuple(ast.walk(ast.parse(self.text)))
        except SyntaxError as error:
            raise CannotCheck(self.path, error.lineno or 1, f"No Python: {error.msg}.") from error

    def line_of(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def finding(self, line: int, sentence: str) -> Finding:
        return Finding(self.path, line, sentence)

    def finds(self, pattern: str | re.Pattern[str], sentence: str) -> Iterator[Finding]:
        """A finding for each match of a pattern; the sentence may contain `{}` for the match."""
        for match in re.finditer(pattern, self.text):
            yield self.finding(self.line_of(match.start()), sentence.format(match[0]))


class Tree:
    """All files that are checked, by path."""

    def __init__(self, files: Mapping[str, File]) -> None:
        self.files = files

    @classmethod
    def read(cls, top: Path = TOP) -> Self:
        paths = [path for name in BESIDE for path in top.glob(name)]
        for folder in (*FOLDERS, *FOLDERS_OF_MONEY):
            paths += [path for path in (top / folder).rglob("*") if path.suffix not in BINARY]
        files = {}
        for path in sorted(paths):
            if path.is_file() and NO_SOURCE.isdisjoint(path.parts):
                name = path.relative_to(top).as_posix()
                files[name] = File(name, path.read_text("utf-8"))
        return cls(files)

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, path: str) -> File:
        if path not in self.files:
            raise CannotCheck(path, 1, "The file is missing.")
        return self.files[path]

    def __contains__(self, path: str) -> bool:
        return path in self.files

    def under(self, *starts: str, ends: str | tuple[str, ...] = ".py") -> Iterator[File]:
        """The files whose path begins and ends so."""
        for path, file in self.files.items():
            if path.startswith(starts) and path.endswith(ends):
                yield file

    def product(self) -> Iterator[File]:
        """The modules of the house."""
        return self.under(*PRODUCT)

    def edited(self, path: str, text: str) -> "Tree":
        """The same tree with another text of one file."""
        return Tree({**self.files, path: File(path, text)})


def section(page: File, heading: str) -> str:
    """What a page says below a heading, up to the next heading of its level or above."""
    level = heading.partition(" ")[0]
    _before, heading_line, rest = page.text.partition(f"\n{heading}\n")
    if not heading_line:
        raise CannotCheck(page.path, 1, f"There is no section {heading}.")
    return re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]
