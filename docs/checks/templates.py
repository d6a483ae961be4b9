"""Templates: shared markup is in one place, icons are drawn, the theme speaks Chinese."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import polib

from casino.office.frame.theme_templates import mend
from casino.ops.extraction import LANGUAGES
from docs.checks.translations import entries
from docs.checks.tree import Finding, Tree

# Markup that one template has, and all others include.
SHARED: Final = {
    r"<select": "templates/frame/select.html",
    r'hx-target="[^"]+"\s+hx-swap="morph:innerHTML"': "templates/frame/swap.html",
}
FIXED_DATE: Final = re.compile(r'\|date:"(?![A-Z_]+")[^"]*[YymndjMNF]')
PREFERENCES: Final = "casino/accounts/preferences.py"
SPRITE: Final = "static/casino/icons.svg"
ICON: Final = re.compile(r'{% icon "([^"]+)" %}|{{ icon\("([^"]+)"\) }}|icon="([^"]+)"')
SYMBOL: Final = re.compile(r'<symbol id="([^"]+)"')
# Forms that another package lays out, which the house does not use.
UNUSED: Final = "unfold_crispy/"
WORDS: Final = re.compile(r"""\{%\s*trans(?:late)?\s+(["'])(.+?)\1""")
# Django's own catalogues, which the back office uses as well.
DJANGO: Final = ("conf", "contrib/admin", "contrib/auth")
OURS: Final = "casino/office/frame/theme.py"


def dates(tree: Tree) -> Iterator[Finding]:
    """A date is written as the reader's language writes it; a field of a form sends its own."""
    for file in tree.under("templates/", ends=".html"):
        yield from file.finds(
            r'\|date:"(?![A-Z_]+")[^"]*[YymndjMNF]', "Use a format of the language."
        )


def shared_markup(tree: Tree) -> Iterator[Finding]:
    for pattern, home in SHARED.items():
        for file in tree.under("templates/", ends=".html"):
            if file.path != home:
                yield from file.finds(pattern, f"Include {home} in place of {{}}.")
        if not re.search(pattern, tree[home].text):
            yield Finding(home, 1, f"The template does not have {pattern}.")


def icons(tree: Tree) -> Iterator[Finding]:
    drawn, used = set(SYMBOL.findall(tree[SPRITE].text)), set()
    for file in (*tree.under("templates/", ends=".html"), *tree.under(PREFERENCES)):
        for match in ICON.finditer(file.text):
            name = match[1] or match[2] or match[3]
            used.add(name)
            if name not in drawn:
                yield file.finding(file.line_of(match.start()), f"{SPRITE} has no {name}.")
    for name in sorted(drawn - used):
        yield Finding(SPRITE, 1, f"No template uses the icon {name}.")


def theme(tree: Tree) -> Iterator[Finding]:
    """The theme of the back office brings no catalogue, so ours translates what it says."""
    said = set(_words_of_the_theme())
    for language in LANGUAGES:
        translated = {entry.msgid for entry in entries(tree, language)}
        for part in DJANGO:
            folder = _folder_of("django") / part / "locale" / language / "LC_MESSAGES"
            translated |= {entry.msgid for entry in polib.mofile(folder / "django.mo")}
        for word in sorted(said - translated):
            yield Finding(OURS, 1, f"{language} lacks {word!r}.")
    if not said:
        yield Finding(OURS, 1, "No word of the theme was found.")


def _words_of_the_theme() -> Iterator[str]:
    folder = _folder_of("unfold") / "templates"
    for file in folder.rglob("*.html"):
        name = file.relative_to(folder).as_posix()
        if not name.startswith(UNUSED):
            text = mend(name, file.read_text("utf-8"))
            yield from (match[2] for match in WORDS.finditer(text))


def _folder_of(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent
