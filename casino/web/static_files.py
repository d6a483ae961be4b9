"""Files of pages, as browsers get them: few, compressed once, under names that change with them."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

from casino.web import bundles

# Files that a demonstration does not collect: they are large and rarely requested.
LEFT: Final = ("drf_spectacular_sidecar", "rest_framework", "*.map")
# The state of a demonstration's files, to notice when they change.
COLLECTED: Final = "collected"
# A change of these makes other files of the same sources.
MAKERS: Final = (Path(__file__), Path(bundles.__file__))


class CollectedFiles(CompressedManifestStaticFilesStorage):
    """Puts a page's script or style together with what it imports, and compresses it once."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._addresses: dict[tuple[object, ...], str] = {}

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        pages = [name for name in paths if name.startswith(bundles.FOLDER)]
        for name in [] if dry_run else pages:
            Path(self.path(name)).write_text(put_together(name))
        # They are read from here now, and no longer from their sources.
        paths = paths | {name: (self, name) for name in pages}
        yield from super().post_process(paths, dry_run=dry_run, **options)
        self._addresses.clear()

    def url(self, name: str | None, force: bool = False) -> str:
        """Templates name the same few files on each page, whose addresses stay as they are."""
        key = (name, settings.DEBUG, settings.DEMO, force)
        address = self._addresses.get(key)
        if address is None:
            address = self._addresses[key] = str(super().url(name, force))
        return address

    def stored_name(self, name: str) -> str:
        """In a demonstration, files that were not collected are served from their sources."""
        if settings.DEMO and self.clean_name(name) not in self.hashed_files:
            return name
        return str(super().stored_name(name))


def source(name: str) -> str:
    """The text of a file as we write it."""
    return Path(str(finders.find(name))).read_text()


def put_together(name: str) -> str:
    """A script or style of a page, with all that it imports."""
    return bundles.bundle(name, source)


def collect_if_changed() -> None:
    """Collect the files of a demonstration; one that is opened again has them already."""
    known, state = settings.STATIC_ROOT / COLLECTED, _state()
    if known.exists() and known.read_text() == state:
        return
    options = {"clear": True, "interactive": False, "verbosity": 0}
    call_command("collectstatic", ignore_patterns=[*LEFT], **options)
    known.write_text(state)


def _state() -> str:
    """A hash over when all files were changed last."""
    listed = [
        storage.path(path)
        for finder in finders.get_finders()
        for path, storage in finder.list(LEFT)
    ]
    changed = [(str(path), Path(path).stat().st_mtime_ns) for path in (*MAKERS, *sorted(listed))]
    return sha256(repr(changed).encode()).hexdigest()
