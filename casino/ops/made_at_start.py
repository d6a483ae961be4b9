"""What the first reader of a process would wait for: types, addresses, templates, statements.

`casino.asgi` makes it before the port opens, and the server then looks at the pages that most
visitors see first.

msgspec builds what it knows of a type when that is first decoded, and lets other threads use it
while it is half built: two visitors who are the first to need the same type can end the process
(msgspec 0.22.0). Each program with threads calls `build` before its first thread works. Types are
found by walking the subclasses of `Struct`, after every module that declares one has been imported.
"""

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.forms.renderers import get_default_renderer
from django.http import HttpRequest
from django.template import engines
from django.urls import resolve, reverse
from django.utils import formats, translation

from casino.ops.private_files import TOP
from casino.ops.running_code import PACKAGES
from games.rules.catalogue import GAMES, game_type, installed_folders
from games.rules.contract import action_decoder
from games.rules.record import record_decoder
from wallets.values.registry import AT_START

# A module that declares a type names this class; the others need not be imported.
NAMED: Final = re.compile(rb"\bStruct\b")
# Programs do something when they are imported.
PROGRAM: Final = "__main__"


def build() -> None:
    """Import all modules with types, and build every type; a second call finds them built."""
    for name in _modules_to_import():
        # What cannot be imported is used by no thread.
        with suppress(ImportError):
            import_module(name)
    for key in GAMES:
        # The types of records are made here, and so are the unions of actions.
        action_decoder(game_type(key))
        record_decoder(key)
    for kind in subclasses(msgspec.Struct):
        # What cannot be built is refused whenever it is decoded.
        with suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)


def subclasses(of: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """All classes below this one; one that has two parents among them comes twice."""
    for kind in of.__subclasses__():
        yield kind
        yield from subclasses(kind)


def _modules_to_import() -> Iterator[str]:
    for package, folder in _folders().items():
        for file in folder.rglob("*.py"):
            parts = file.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            if name not in sys.modules and file.stem != PROGRAM and NAMED.search(file.read_bytes()):
                yield name


def _folders() -> dict[str, Path]:
    """By name: all packages of the house, the apps that it has besides, and packages of games."""
    installed = {app.name: Path(app.path) for app in apps.get_app_configs()}
    return {**installed, **{name: TOP / name for name in PACKAGES}, **installed_folders()}


# The folders of templates that are no whole pages, or for those who work for the house.
NOT_FOR_PLAYERS: Final = ("admin", "backoffice", "pieces")
FIRST_PAGES: Final = ("front", "lobby")
# A player whom the database does not know, as the numbers of players begin with 1.
UNKNOWN: Final = -1

log: Final = logging.getLogger(__name__)


def make() -> None:
    # No visitor waits for the modules of the pages, nor meets another in a half-built type.
    import_module(settings.ROOT_URLCONF)
    build()
    pages()
    for made in AT_START.values():
        made()


def pages() -> None:
    """Addresses, sentences and numbers of each language, and the templates of players' pages."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            reverse("lobby")
            translation.gettext("Lobby")
            formats.number_format(1)
    # Modules that the first page would import.
    engine: Any = engines["django"]
    assert engine.engine.template_context_processors
    for widget in ("select", "select_option", "input", "text"):
        get_default_renderer().get_template(f"django/forms/widgets/{widget}.html")
    for folder in settings.TEMPLATE_FOLDERS:
        for file in folder.rglob("*.*"):
            name = file.relative_to(folder)
            if file.is_file() and name.parts[0] not in NOT_FOR_PLAYERS:
                engine.get_template(name.as_posix())


def visit() -> None:
    """Look at the first pages as a stranger and as a player, in each language.

    The process makes the rest at the first look: markup that it keeps, and what Django knows of
    forms and models. Nothing of it is stored. Where it cannot be made, readers are told why.
    """
    try:
        with transaction.atomic():
            for language, _name in settings.LANGUAGES:
                with translation.override(language):
                    _look_around()
            transaction.set_rollback(True)
    except Exception:
        log.exception("the first pages could not be made at the start")


def _look_around() -> None:
    for viewer in (AnonymousUser(), get_user_model()(pk=UNKNOWN)):
        for page in FIRST_PAGES:
            _look(viewer, reverse(page))


def _look(viewer: Any, path: str) -> None:
    request = HttpRequest()
    request.method, request.path, request.user = "GET", path, viewer
    # The host that readers ask for: pages name it in their links, and others are refused.
    host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")
    request.META = {"SERVER_NAME": host, "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1"}
    request.session = {}  # type: ignore[assignment]
    match = resolve(path)
    request.resolver_match = match
    match.func(request, *match.args, **match.kwargs)
