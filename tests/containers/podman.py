"""Podman and podman-compose, on a machine with systemd or without."""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
# All that a run makes has this name, and is removed by it.
PROJECT: Final = "card-room-tried"
COMPOSE: Final = "podman-compose==1.6.0"
COMPOSE_FOLDER: Final = Path(sys.prefix) / "containers"
# Of the logs of a container that did not do what it should.
LINES_SHOWN: Final = 30
PROCESSES_MAX: Final = 16_384
LABEL: Final = f"label=com.docker.compose.project={PROJECT}"
NONE: Final = (
    "NO CONTAINER WAS RUN: no podman was found.\n"
    "On Debian: apt-get install podman runc netavark aardvark-dns mmdebstrap"
)


class Failed(Exception):
    """A command failed; the text is what it said."""


def missing() -> str:
    """What stands in the way of a run on this machine, or ""."""
    return "" if shutil.which("podman") else NONE


def settings_of_podman() -> str:
    """What podman needs to be told where it may not raise limits and no systemd runs."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    processes = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if processes == resource.RLIM_INFINITY or processes > PROCESSES_MAX:
        processes = PROCESSES_MAX
    lines = [
        "[containers]",
        f'default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]',
        'log_driver = "k8s-file"',
        "[engine]",
    ]
    if not Path("/run/systemd/system").exists():
        lines += ['cgroup_manager = "cgroupfs"', 'events_logger = "file"']
    # crun refuses a machine that has both versions of control groups.
    if Path("/sys/fs/cgroup/unified").exists() and shutil.which("runc"):
        lines.append('runtime = "runc"')
    return "\n".join(lines)


class Podman:
    """Runs commands, each with the variables that compose.yaml is given."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        file = folder / "containers.conf"
        file.write_text(settings_of_podman())
        self.folder = folder
        self.variables = {**os.environ, "CONTAINERS_CONF": str(file), **variables}
        self.compose_program = ""
        self.others = set(self._unnamed_images())

    def __call__(self, *words: str | Path, check: bool = True) -> str:
        """A command of podman; what it prints."""
        return self.run(["podman", *map(str, words)], check=check)

    def run(self, words: list[str], *, check: bool = True) -> str:
        done = subprocess.run(
            words, env=self.variables, cwd=self.folder, capture_output=True, text=True, check=False
        )
        if check and done.returncode:
            raise Failed(f"{' '.join(words)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout.strip()

    def shell(self, command: str) -> str:
        """A line of the document, in whose commands `compose` is the program and its file."""
        return self.run(["bash", "-euc", f"{self._function()}\numask 077\n{command}"])

    def compose(self, *words: str) -> str:
        return self.shell(f"compose {' '.join(words)}")

    def _function(self) -> str:
        file = ROOT / "docs/deploy/compose.yaml"
        words = f"{self.compose_program} --project-name {PROJECT} --file {file}"
        return f'compose() {{ {words} "$@"; }}'

    def fetch_compose(self) -> None:
        """The program of the package index, in a folder of the virtual environment."""
        if not (COMPOSE_FOLDER / "bin/podman-compose").exists():
            self.run([sys.executable, "-m", "venv", str(COMPOSE_FOLDER)])
            pip = [str(COMPOSE_FOLDER / "bin/pip"), "install", "--quiet"]
            self.run([*pip, "--disable-pip-version-check", COMPOSE])
        self.compose_program = str(COMPOSE_FOLDER / "bin/podman-compose")

    # What runs.

    def container(self, service: str) -> str:
        """The name of the container of a service; "" where there is none."""
        wanted = f"label=com.docker.compose.service={service}"
        names = self(
            "ps", "--all", "--filter", LABEL, "--filter", wanted, "--format", "{{.Names}}"
        ).splitlines()
        return next((name for name in names if "_tmp" not in name), "")

    def state(self, service: str, field: str) -> str:
        """A field of the state of a container, such as `Status`, `ExitCode` or `Pid`."""
        return self("inspect", "--format", f"{{{{.State.{field}}}}}", self.container(service))

    def address(self, service: str) -> str:
        """Where this machine reaches a container."""
        form = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}"
        return self("inspect", "--format", form, self.container(service))

    def healthy(self, service: str) -> bool:
        """Run the check of the file itself: podman leaves that to systemd."""
        try:
            self("healthcheck", "run", self.container(service))
        except Failed:
            return False
        return True

    def said(self, service: str) -> str:
        """The end of what a container has logged."""
        done = subprocess.run(
            ["podman", "logs", "--tail", str(LINES_SHOWN), self.container(service)],
            env=self.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.stdout

    def clear(self, *, images: bool) -> None:
        """Remove what has the project's name: containers, volumes, networks, and the images."""
        # podman-compose puts its containers into a pod.
        self("pod", "rm", "--force", "--time", "0", f"pod_{PROJECT}", check=False)
        for kind, names in self._named(images=images).items():
            if names:
                timeless = ("--time", "0") if kind == "container" else ()
                self(kind, "rm", "--force", *timeless, *names, check=False)
        # A build that failed leaves what it had done.
        if images and (unnamed := set(self._unnamed_images()) - self.others):
            self("image", "rm", "--force", *unnamed, check=False)

    def _unnamed_images(self) -> list[str]:
        return self("images", "--quiet", "--filter", "dangling=true", check=False).split()

    def left(self) -> list[str]:
        """What of the project's name is still there."""
        return [f"{kind} {name}" for kind, names in self._named().items() for name in names]

    def _named(self, *, images: bool = True) -> dict[str, list[str]]:
        """What there is of the project's name, by its kind."""
        listed: dict[str, tuple[str, ...]] = {
            "container": ("ps", "--all", "--filter", f"name=^{PROJECT}_"),
            "volume": ("volume", "ls", "--filter", f"name=^{PROJECT}_"),
            "network": ("network", "ls", "--filter", f"name=^{PROJECT}_"),
        }
        if images:
            listed["image"] = ("images", "--filter", f"reference=localhost/{PROJECT}-*")
        names = {kind: self(*words, "--quiet").split() for kind, words in listed.items()}
        return {kind: list(dict.fromkeys(several)) for kind, several in names.items()}
