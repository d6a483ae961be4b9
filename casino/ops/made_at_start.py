"""What the first reader of a process would wait for: types, addresses, templates and statements.

`casino.asgi` makes it before the port opens.
"""

from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.forms.renderers import get_default_renderer
from django.template import engines
from django.urls import reverse
from django.utils import formats, translation

from casino.ops import struct_types
from wallets.values.at_start import AT_START

# The folders of templates that are no whole pages, or for those who work for the house.
NOT_FOR_PLAYERS: Final = ("admin", "backoffice", "pieces")


def make() -> None:
    # No visitor waits for the modules of the pages, nor meets another in a half-built type.
    import_module(settings.ROOT_URLCONF)
    struct_types.build()
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
