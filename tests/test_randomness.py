"""Whatever is drawn comes from the operating system; `random` is where a seed has to repeat."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TREES = ("casino", "games", "tournaments", "wallets")
# Where it is allowed, and why. Nothing here deals to anybody.
REPEATED_BY_A_SEED = {
    "casino/reports/seeding": "fills an empty house with a history; its shoes are sealed as always",
    "games/rules/casino_holdem/figures.py": "a sampled edge, the same for every reader",
    "games/rules/analysis/casino_holdem_edges.py": "the sampling itself",
}
# Noise that is heard, and no card.
HEARD = {"static/games/sounds.js"}


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def lint(source: str, path: str, repository: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename", path, "-"]
    return subprocess.run(
        words, input=source, cwd=repository, capture_output=True, text=True, check=False
    )


def test_nothing_but_what_a_seed_repeats_imports_random(repository: Path) -> None:
    found = {
        str(path.relative_to(repository))
        for tree in TREES
        for path in (repository / tree).rglob("*.py")
        if "random" in (text := path.read_text("utf-8"))
        and {"random", "numpy.random"} & set(imported(text))
    }
    unexplained = {path for path in found if not path.startswith(tuple(REPEATED_BY_A_SEED))}
    assert not unexplained
    assert all(any(path.startswith(one) for path in found) for one in REPEATED_BY_A_SEED)


@pytest.mark.parametrize("line", ["import random", "from random import Random, shuffle"])
@pytest.mark.parametrize(
    "path", ["games/shoes/custody.py", "games/tables/deal.py", "tournaments/mixing.py"]
)
def test_the_lint_refuses_random_in_the_code_of_games(
    repository: Path, line: str, path: str
) -> None:
    done = lint(f'"""A module."""\n\n{line}\n', path, repository)
    assert done.returncode == 1
    assert "TID251" in done.stdout


@pytest.mark.parametrize(
    ("path", "drawn"),
    [
        ("games/shoes/custody.py", "secrets.token_bytes(32)"),
        ("games/tables/jackpots.py", "secrets."),
        ("tournaments/mixing.py", "secrets."),
        ("static/games/notes.js", "crypto.getRandomValues(new Uint8Array(32))"),
    ],
)
def test_what_decides_a_deal_is_drawn_by_the_operating_system(
    repository: Path, path: str, drawn: str
) -> None:
    assert drawn in (repository / path).read_text("utf-8")


def test_no_script_draws_by_the_generator_of_the_browser(repository: Path) -> None:
    found = {
        str(path.relative_to(repository))
        for path in (repository / "static").rglob("*.js")
        if "vendor" not in path.parts and "Math.random" in path.read_text("utf-8")
    }
    assert found == HEARD
