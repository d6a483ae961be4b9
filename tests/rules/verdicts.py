"""The verdicts of `docs/verify.py` and `docs/verify_package.py`.

They run as a process, or the first of them in this one for many runs.
"""

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
VERIFIER = DOCS / "verify.py"
OF_PACKAGES = DOCS / "verify_package.py"
OF_SHOES = DOCS / "verify_shoe.py"
# How the scripts end.
PROVED, WRONG, NOT_PROVED = range(3)
CODE = compile(VERIFIER.read_text(), str(VERIFIER), "exec")


def run(text: str, *arguments: str, script: Path = VERIFIER) -> tuple[int, list[str]]:
    """Exit status and lines; only the standard library can be imported, and what is beside it."""
    done = subprocess.run(
        [sys.executable, "-E", "-s", "-S", "-B", str(script), *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def written(folder: Path, *files: dict[str, object]) -> list[str]:
    """The paths of these files, written down."""
    paths = [folder / f"{number}.json" for number in range(len(files))]
    for path, content in zip(paths, files, strict=True):
        path.write_text(json.dumps(content))
    return [str(path) for path in paths]


def answer(text: str, *arguments: str) -> tuple[int, list[str]]:
    """The same in this process."""
    hook, said = sys.excepthook, io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
        patch.setattr(sys, "argv", ["verify.py", *arguments])
        patch.setattr(sys, "stdin", io.StringIO(text))
        try:
            exec(CODE, {"__name__": "__main__"})
        except SystemExit as ended:
            return int(ended.code or 0), said.getvalue().splitlines()
        except Exception as failure:
            sys.excepthook(type(failure), failure, failure.__traceback__)
            return 1, said.getvalue().splitlines()
        finally:
            sys.excepthook = hook
    raise AssertionError("the verifier ends with a status")


def verdict(folder: Path, *files: dict[str, object]) -> tuple[bool, list[str]]:
    """Whether no step fails, and the lines that were printed."""
    status, lines = answer("", *written(folder, *files))
    return status != WRONG, lines


def holds(folder: Path, *files: dict[str, object]) -> bool:
    return verdict(folder, *files)[0]
