"""Installed packages are pinned with their hashes and match the short lists."""

import re
from collections.abc import Iterator
from importlib import metadata
from typing import Final

from docs.checks.tree import Finding, Tree

LISTS: Final = ("requirements", "tests/requirements", "bench/requirements")
PIN: Final = re.compile(r"^([\w.-]+)(?:\[.*?\])?==([^\s;]+)", re.MULTILINE)
# Where packages are installed from a lock.
INSTALLS: Final = ("Makefile", "docs/operations.md", "docs/deploy/Dockerfile")


def pins(tree: Tree) -> Iterator[Finding]:
    """A lock pins every package of its list."""
    for name in LISTS:
        named, locked = versions(tree, f"{name}.txt"), versions(tree, f"{name}.lock")
        for package, version in named.items():
            if locked.get(package) != version:
                yield Finding(f"{name}.lock", 1, f"{package}=={version} is missing.")
        if not named:
            yield Finding(f"{name}.txt", 1, "The list names no package.")


def hashes(tree: Tree) -> Iterator[Finding]:
    for name in LISTS:
        for package in re.split(r"^(?=[\w.-]+==)", tree[f"{name}.lock"].text, flags=re.M)[1:]:
            if "--hash=sha256:" not in package:
                yield Finding(f"{name}.lock", 1, f"{package.split()[0]} has no hash.")


def installed(tree: Tree) -> Iterator[Finding]:
    lock = "tests/requirements.lock"
    for package, version in versions(tree, lock).items():
        try:
            installed_version = metadata.version(package)
        except metadata.PackageNotFoundError:
            # The lock is for every Python and system; some packages are not for this one.
            continue
        if installed_version != version:
            yield Finding(lock, 1, f"{package} {installed_version} is installed, not {version}.")


def installs(tree: Tree) -> Iterator[Finding]:
    """A lock is installed as it is: pip looks for no other package."""
    for path in INSTALLS:
        lines = [
            (number, line)
            for number, line in enumerate(tree[path].text.splitlines(), 1)
            if " install " in line and "--require-hashes" in line
        ]
        if not lines:
            yield Finding(path, 1, "No line installs a lock with --require-hashes.")
        for number, line in lines:
            if "--no-deps" not in line:
                yield Finding(path, number, "A lock is installed with --no-deps.")


def versions(tree: Tree, path: str) -> dict[str, str]:
    """The packages of a list or lock, each with its version."""
    pinned = PIN.findall(tree[path].text)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pinned}
