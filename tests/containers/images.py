"""The images of a run: those that the registry has, or as much of them as Debian's packages make.

The house's own is built of these files, and once more for a next version with one more migration.
"""

import os
import shutil
import subprocess
from typing import Final

from tests.containers.podman import PROJECT, ROOT, Failed, Podman

IMAGES: Final = ROOT / "tests/containers/images"
SUITE: Final = "bookworm"
PACKAGES: Final = (
    "ca-certificates",
    "postgresql-15",
    "python-is-python3",
    "python3-pip",
    "redis-server",
)
CERTIFICATES: Final = "/etc/ssl/certs/ca-certificates.crt"
REGISTRY: Final = {
    "python": "docker.io/library/python:3.13-slim",
    "postgres": "docker.io/library/postgres:16",
    "valkey": "docker.io/valkey/valkey:8",
}


def name_of(image: str) -> str:
    return f"localhost/{PROJECT}-{image}"


def exists(podman: Podman, image: str) -> bool:
    return image in podman("images", "--format", "{{.Repository}}", check=False).split()


def bases(podman: Podman, *, registry: bool) -> dict[str, str]:
    """The names of the images that others have made, by what they are."""
    if registry:
        return REGISTRY
    made = {kind: name_of(kind) for kind in REGISTRY}
    if all(exists(podman, name) for name in made.values()):
        return made
    if not shutil.which("mmdebstrap"):
        raise Failed("mmdebstrap makes the base images; or name the registry's: --registry")
    archive, context = podman.folder / "debian.tar", podman.folder / "context"
    podman.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE,
         str(archive)]
    )  # fmt: skip
    podman("import", archive, name_of("debian"))
    archive.unlink()
    shutil.copytree(IMAGES, context)
    (context / "pip.conf").write_text(f"[global]\ncert = {CERTIFICATES}\n{_index()}")
    trusted = os.environ.get("PIP_CERT", CERTIFICATES)
    shutil.copy(trusted, context / "certificates.crt")
    for kind, name in made.items():
        base = f"DEBIAN={name_of('debian')}"
        file = context / f"{kind}.Dockerfile"
        podman("build", "--build-arg", base, "--file", file, "--tag", name, context)
    return made


def _index() -> str:
    """The package index that pip is told to use here, if it is another than the usual one."""
    said = subprocess.run(
        ["pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    address = os.environ.get("PIP_INDEX_URL") or said.stdout.strip()
    return f"index-url = {address}\n" if address else ""


def following(podman: Podman, now: str) -> str:
    """The next version of the house; its image."""
    image, context = name_of("next"), podman.folder / "next"
    (context / "bench").mkdir(parents=True)
    shutil.copy(ROOT / "bench/__init__.py", context / "bench")
    shutil.copytree(ROOT / "bench/upgrade", context / "bench/upgrade")
    podman(
        "build", "--build-arg", f"NOW={now}", "--file", IMAGES / "next.Dockerfile",
        "--tag", image, context,
    )  # fmt: skip
    return image
