"""The code that a report names: its files decide the hash, and one process names one."""

import re
from pathlib import Path

import pytest

from casino.ops import running_code
from casino.ops.running_code import sha256_of
from games.rules.catalogue import EDITIONS, GAMES


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for package in running_code.PACKAGES:
        (tmp_path / package / "deep").mkdir(parents=True)
        (tmp_path / package / "deep" / "module.py").write_text("ONE = 1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("games/deep/module.py", "ONE = 2\n"),
        ("games/deep/module.py", ""),
        ("wallets/deep/more.py", ""),
        ("wallets/deep/post.sql", "SELECT 1"),
    ],
)
def test_any_change_of_the_code_changes_the_hash(tree: Path, name: str, content: str) -> None:
    before = sha256_of(tree)
    (tree / name).write_text(content)
    assert sha256_of(tree) != before


def test_a_file_of_another_name_is_another_code(tree: Path) -> None:
    before = sha256_of(tree)
    (tree / "games" / "deep" / "module.py").rename(tree / "games" / "deep" / "other.py")
    assert sha256_of(tree) != before


def test_an_installed_game_belongs_to_the_code(tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site" / "a_game"
    folder.mkdir(parents=True)
    (folder / "game.py").write_text("rules")
    before = sha256_of(tree, {"a_game": folder})
    assert before != sha256_of(tree)
    (folder / "game.py").write_text("other rules")
    assert sha256_of(tree, {"a_game": folder}) != before


@pytest.mark.parametrize("name", ["casino/__pycache__/a.pyc", "casino/x.po", "docs/a.py", "b.py"])
def test_what_no_process_runs_changes_nothing(tree: Path, name: str) -> None:
    before = sha256_of(tree)
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).write_text("anything")
    assert sha256_of(tree) == before


def test_the_code_names_version_rules_and_files(repository: Path) -> None:
    code = running_code.running_code()
    assert f'version = "{code.version}"' in (repository / "pyproject.toml").read_text()
    assert code.rules.keys() == GAMES.keys()
    assert all(code.rules[game].endswith(f".{edition}") for game, edition in EDITIONS.items())
    assert code.sha256 == sha256_of(repository)
    assert re.fullmatch(r"card-room \S+; rules [\w=. ]+; code sha256:[0-9a-f]{64}", code.line)
    assert "," not in code.line
