"""The compiled code of pieces, kept beside that of Python modules, and made before it is needed.

To compile the boards of all families in all languages takes a process seconds, to read what another
one has compiled a fraction of one. The code depends on templates, catalogues and the compiler alone
(`compiling.py` evaluates nothing while it compiles), so their contents name the folder where it is
kept. A house that may not write there compiles at each start: run `manage.py compile_pieces` when
you deploy.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from typing import Final

from django.conf import settings
from jinja2.bccache import Bucket, BytecodeCache

HERE: Final = Path(__file__).parent
FOLDERS: Final = [path / "pieces" for path in settings.TEMPLATE_FOLDERS]
KEPT_IN: Final = HERE / "__pycache__"
PREFIX: Final = "pieces-"


class KeptCode(BytecodeCache):
    """The code of the templates in one language, with those that a family puts into them."""

    def __init__(self, language: str, family: Iterable[object]) -> None:
        names = [name for name in family if isinstance(name, str)]
        self._whose = sha256("\0".join([language, *names]).encode()).hexdigest()

    def _file(self, bucket: Bucket) -> Path:
        return folder() / f"{bucket.key}-{self._whose}"

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            bucket.bytecode_from_string(self._file(bucket).read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        file = self._file(bucket)
        # Two processes may do this at once while a third one reads.
        made = file.with_name(f"{file.name}.{os.getpid()}")
        with suppress(OSError):
            if not folder().is_dir():
                forget()
                folder().mkdir(parents=True, exist_ok=True)
            made.write_bytes(bucket.bytecode_to_string())
            made.replace(file)


def forget() -> None:
    """Delete what was kept of other templates."""
    for earlier in KEPT_IN.glob(f"{PREFIX}*"):
        rmtree(earlier, ignore_errors=True)


@cache
def folder() -> Path:
    whole = sha256(version("jinja2").encode())
    for file in _made_of():
        whole.update(f"\0{file.name}\0{sha256(file.read_bytes()).hexdigest()}".encode())
    return KEPT_IN / f"{PREFIX}{whole.hexdigest()}"


def _made_of() -> Iterator[Path]:
    for path in FOLDERS:
        yield from sorted(path.rglob("*.html"))
    for path in settings.LOCALE_PATHS:
        yield from sorted(Path(path).glob("*/LC_MESSAGES/django.mo"))
    yield from (HERE / f"{name}.py" for name in ("compiling", "engine"))
