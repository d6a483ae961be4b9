"""Programs of the house as forks of a process that has loaded its code already.

A process that is killed every half a second must start in less: to load the code takes seconds, and
a storm of kills would meet only processes that have not begun. The programs are the same otherwise.
"""

import os
import runpy
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from socket import socket
from typing import Final

# What the fork server loads: the code of the house, and what leads a fork to its own function.
PRELOADED: Final = ("bench.faults_preload", "bench.faults_plan", "bench.crowd")


class Forked:
    """Such a process, with the methods of one that was started."""

    def __init__(self, process: ForkServerProcess) -> None:
        self.process = process
        self.pid = process.pid or 0

    def poll(self) -> int | None:
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self.process.join(timeout)
        if self.process.exitcode is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout or 0)
        return self.process.exitcode

    def terminate(self) -> None:
        self.process.terminate()

    def kill(self) -> None:
        self.process.kill()


class Forks:
    """The server that is forked; it takes its environment from the process that starts it."""

    def __init__(self, variables: dict[str, str]) -> None:
        os.environ.update(variables)
        self.context = get_context("forkserver")
        self.context.set_forkserver_preload(list(PRELOADED))

    def start(self, words: Sequence[str], log: Path, listening: socket) -> Forked:
        process = self.context.Process(
            target=run, args=(tuple(words), str(log), listening), name=words[0]
        )
        process.start()
        return Forked(process)


def run(words: tuple[str, ...], log: str, listening: socket) -> None:
    """Become the program: a process group, output and arguments of its own."""
    os.setsid()
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for number in (1, 2):
        os.dup2(out, number)
    module, *arguments = words
    if "--fd" in arguments:
        # The socket has another number here than where the words were made.
        arguments[arguments.index("--fd") + 1] = str(listening.fileno())
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
