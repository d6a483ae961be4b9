"""Installed packages are pinned with their hashes and match the short lists."""

import re
from importlib import metadata
from pathlib import Path

import pytest

LISTS = ("requirements", "tests/requirements", "bench/requirements")


def name_of(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def pins(path: Path) -> dict[str, str]:
    """The packages of a list or a lock, each with its version."""
    found = re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^\s;]+)", path.read_text(), re.MULTILINE)
    return {name_of(name): version for name, version in found}


@pytest.mark.parametrize("name", LISTS)
def test_a_lock_pins_all_that_its_list_names(repository: Path, name: str) -> None:
    named = pins(repository / f"{name}.txt")
    assert named
    assert named.items() <= pins(repository / f"{name}.lock").items()


@pytest.mark.parametrize("name", LISTS)
def test_every_package_of_a_lock_has_hashes(repository: Path, name: str) -> None:
    text = (repository / f"{name}.lock").read_text()
    packages = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(packages) == len(pins(repository / f"{name}.lock"))
    assert all("--hash=sha256:" in package for package in packages)


def test_installed_packages_match_the_lock_file(repository: Path) -> None:
    locked = pins(repository / "tests" / "requirements.lock")
    installed = {name_of(one.name): one.version for one in metadata.distributions()}
    both = locked.keys() & installed.keys()
    assert len(both) > len(pins(repository / "requirements.txt"))
    assert {name: installed[name] for name in both} == {name: locked[name] for name in both}


@pytest.mark.parametrize("name", ["Makefile", "docs/operations.md", "docs/deploy/Dockerfile"])
def test_a_lock_is_installed_as_it_is(repository: Path, name: str) -> None:
    """A package that appears tomorrow changes nothing, as pip looks for none beside the lock."""
    lines = (repository / name).read_text().splitlines()
    installs = [line for line in lines if " install " in line and "--require-hashes" in line]
    assert installs
    assert [line for line in installs if "--no-deps" not in line] == []
