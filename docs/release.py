"""Make the files of a release: `make release`.

    dist/card-room-1.1.0.tar.gz   the tree of the commit
    dist/sbom.cdx.json            what it is made of, in CycloneDX 1.6: packages with their hashes,
                                  the optional ones among them
    dist/notes.md                 the newest section of the changelog
    dist/SHA256SUMS               the hashes of these files

The version stands in `pyproject.toml` alone. The same commit makes the same bytes.
"""

import gzip
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docs.checks.tree import TOP

DIST: Final = TOP / "dist"
_LOCKED: Final = re.compile(r"^([\w.-]+)==([\w.]+)(.*(?:\n    --hash=.*)*)", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# What npm calls the scripts that pages load beside ours.
_NPM: Final = {"alpinejs-csp": "%40alpinejs/csp", "htmx": "htmx.org", "idiomorph-ext": "idiomorph"}
_VENDORED: Final = re.compile(r"(.+)-(\d+(?:\.\d+)+)(?:\.min)?\.js")


class NotReady(Exception):
    """Something is missing for a release."""


def version() -> str:
    return str(tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["version"])


def notes(changelog: str, wanted: str) -> str:
    """The section of a version, which must be the newest."""
    _head, *sections = re.split(r"^## ", changelog, flags=re.MULTILINE)
    title, _newline, body = sections[0].partition("\n") if sections else ("", "", "")
    if title.split()[:1] != [wanted]:
        raise NotReady(f"The newest section of CHANGELOG.md is not that of {wanted}.")
    return body.strip() + "\n"


def components(lock: str, vendored: Path) -> Iterator[dict[str, Any]]:
    """The packages of a lock file, and the scripts that pages load beside ours."""
    for name, number, rest in _LOCKED.findall(lock):
        # A package has a file for each system, with a hash of its own.
        page = f"https://pypi.org/project/{name}/{number}/"
        files = [
            {"type": "distribution", "url": page, "hashes": [_sha256(digest)]}
            for digest in _HASH.findall(rest)
        ]
        yield _component("pypi", name, number) | {"externalReferences": files}
    for file in sorted(vendored.glob("*.js")):
        if match := _VENDORED.fullmatch(file.name):
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            yield _component("npm", _NPM[match[1]], match[2]) | {"hashes": [_sha256(digest)]}


def _sha256(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}


def _component(kind: str, name: str, number: str) -> dict[str, Any]:
    purl = f"pkg:{kind}/{name.lower()}@{number}"
    return {"type": "library", "name": name, "version": number, "purl": purl, "bom-ref": purl}


def sbom(found: Iterator[dict[str, Any]], wanted: str) -> str:
    product = {
        "type": "application",
        "name": "card-room",
        "version": wanted,
        "bom-ref": "card-room",
    }
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": list(found),
    }
    return json.dumps(whole, indent=1) + "\n"


def _git(*words: str) -> bytes:
    return subprocess.run(  # noqa: S603 - no word comes from elsewhere
        ["git", *words],  # noqa: S607 - the one of this machine
        cwd=TOP,
        check=True,
        capture_output=True,
    ).stdout


def release() -> list[Path]:
    """Write all files, of a commit without changes beside it."""
    if _git("status", "--porcelain"):
        raise NotReady("There are changes that are not committed.")
    wanted = version()
    name = f"card-room-{wanted}"
    made = {
        f"{name}.tar.gz": gzip.compress(
            _git("archive", "--format=tar", f"--prefix={name}/", "HEAD"), mtime=0
        ),
        "sbom.cdx.json": sbom(
            components((TOP / "extras.lock").read_text(), TOP / "static" / "vendor"), wanted
        ).encode(),
        "notes.md": notes((TOP / "CHANGELOG.md").read_text(), wanted).encode(),
    }
    sums = [f"{hashlib.sha256(content).hexdigest()}  {file}\n" for file, content in made.items()]
    made["SHA256SUMS"] = "".join(sums).encode()
    DIST.mkdir(exist_ok=True)
    for file, content in made.items():
        (DIST / file).write_bytes(content)
    return [DIST / file for file in made]


if __name__ == "__main__":
    try:
        for path in release():
            sys.stdout.write(f"{path.relative_to(TOP)}\n")
    except NotReady as error:
        sys.exit(str(error))
