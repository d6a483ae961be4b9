"""The deployment examples start the processes of the house, with variables that it reads."""

import re
from collections.abc import Iterator
from typing import Final

from docs.checks.tree import Finding, Tree

FOLDER: Final = "docs/deploy"
VARIABLES: Final = f"{FOLDER}/environment.example"
OPERATIONS: Final = "docs/operations.md"
UNITS: Final = ("web", "sweeper", "worker", "simulations", "beat")
COMMAND: Final = re.compile(r"^ExecStart=/srv/card-room/.venv/bin/(\S+) (.*)$", re.MULTILINE)
# It starts no program of the house, and a timer starts it.
BACKUP: Final = "card-room-backup"
NEEDED: Final = (
    "EnvironmentFile=/etc/card-room/environment",
    "Restart=always",
    "StateDirectoryMode=0700",
    "UMask=0077",
)


def variables(tree: Tree) -> Iterator[Finding]:
    for match in re.finditer(r"^([A-Z_]+)=", tree[VARIABLES].text, re.MULTILINE):
        if f"`{match[1]}`" not in tree[OPERATIONS].text:
            line = tree[VARIABLES].line_of(match.start())
            yield Finding(VARIABLES, line, f"{OPERATIONS} does not describe {match[1]}.")


def units(tree: Tree) -> Iterator[Finding]:
    """Each unit starts a program that is there, is enabled, and is described."""
    names = {f"card-room-{unit}" for unit in UNITS}
    files = {file.path for file in tree.under(f"{FOLDER}/systemd/", ends=".service")}
    enabled = re.findall(r"^systemctl enable --now (.*)$", tree[OPERATIONS].text, re.MULTILINE)
    described = re.findall(r"systemd/([\w-]+)\.service", tree[OPERATIONS].text)
    wanted = sorted([sorted(names), [f"{BACKUP}.timer"]])
    if sorted(sorted(arguments.split()) for arguments in enabled) != wanted or set(described) != {
        *names,
        BACKUP,
    }:
        yield Finding(OPERATIONS, 1, "The units that are enabled or described are others.")
    if files != {path_of(unit) for unit in (*UNITS, "backup")}:
        yield Finding(OPERATIONS, 1, "The folder systemd has other units.")
    for unit in UNITS:
        if not _starts(tree, unit):
            yield Finding(path_of(unit), 1, "The unit starts no program of the house.")
        if any(line not in tree[path_of(unit)].text for line in NEEDED):
            yield Finding(path_of(unit), 1, f"The unit needs {' and '.join(NEEDED)}.")


def containers(tree: Tree) -> Iterator[Finding]:
    """Containers and pods run the same commands as the units."""
    composed = tree[f"{FOLDER}/compose.yaml"].text
    manifests = tree[f"{FOLDER}/kubernetes/programs.yaml"].text
    commands = ["python -m casino.ops.sweeper"]
    for unit in ("worker", "simulations", "beat"):
        commands += [" ".join(parts) for parts in COMMAND.findall(tree[path_of(unit)].text)]
    for command in commands:
        if command not in composed:
            yield Finding(f"{FOLDER}/compose.yaml", 1, f"No container runs {command}.")
        # There data and beat's file are in the same place.
        if command not in manifests:
            yield Finding(f"{FOLDER}/kubernetes/programs.yaml", 1, f"No pod runs {command}.")
    # The version stands in one place, and is repeated where a tool cannot read it there.
    version = re.search(r'^version = "(.+)"$', tree["pyproject.toml"].text, re.MULTILINE)
    kustomized = tree[f"{FOLDER}/kubernetes/kustomization.yaml"]
    if version is None or f'newTag: "{version[1]}"' not in kustomized.text:
        yield kustomized.finding(1, "The image has another version than pyproject.toml.")
    if '"-m", "casino.ops.server.web"' not in tree[f"{FOLDER}/Dockerfile"].text:
        yield Finding(f"{FOLDER}/Dockerfile", 1, "The image does not start casino.ops.server.web.")


def path_of(unit: str) -> str:
    return f"{FOLDER}/systemd/card-room-{unit}.service"


def _starts(tree: Tree, unit: str) -> bool:
    commands = COMMAND.findall(tree[path_of(unit)].text)
    if len(commands) != 1:
        return False
    program, arguments = commands[0][0], commands[0][1].split()
    if program == "python":
        return arguments[0] == "-m" and f"{arguments[1].replace('.', '/')}.py" in tree
    does = {"simulations": "worker"}.get(unit, unit)
    return program == "celery" and arguments[:2] == ["-A", "casino"] and does in arguments
