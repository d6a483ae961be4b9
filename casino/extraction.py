"""Collect translatable sentences from the code: `python -m casino.extraction`.

The rules do not know Django, so gettext does not find their sentences: templates of refusals and of
settlement lines. This module gathers them in `games/words/phrases.py`, which nothing imports;
gettext reads it like any module. New sentences are added untranslated to the catalogues below
`casino/locale`, and those that left the code are removed. Only this step needs GNU gettext.
"""

import ast
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import polib
from django.conf import settings
from django.core.management import call_command
from django.core.management.commands import makemessages

TOP: Final = Path(__file__).resolve().parent.parent
PHRASES: Final = TOP / "games" / "words" / "phrases.py"
LOCALE: Final = TOP / "casino" / "locale"
LANGUAGES: Final = ["zh_Hans", "zh_Hant"]
# Where modules have sentences without knowing Django.
RULES: Final = ("games", "tournaments")
# Errors of rules and games: a code, then a template.
REFUSALS: Final = frozenset(("Hidden", "Illegal", "Refused", "Stale", "Unreadable"))
# Tables of templates have this name everywhere.
TABLE: Final = "SENTENCES"
# Command-line programs, which are in English only.
ENGLISH: Final = ("games/bots/",)
# Aliases under which modules import gettext's functions, in addition to the usual ones.
KEYWORDS: Final = ["--keyword=_l", "--keyword=_n", "--keyword=_p:1c,2", "--keyword=_t"]
IGNORED: Final = ["bench", "docs", "static", "tests", ".venv"]
# The header of a catalogue; dates and program names would only add noise.
HEADER: Final = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=1; plural=0;",
}
OPENING: Final = '''"""Words of the rules, for gettext; made by `python -m casino.extraction`."""

from django.utils.translation import gettext_noop as _n

'''


def phrases() -> str:
    """Return the text that `games/words/phrases.py` must have."""
    found: set[str] = set()
    for file in sorted(file for tree in RULES for file in (TOP / tree).rglob("*.py")):
        if not file.relative_to(TOP).as_posix().startswith(ENGLISH):
            found.update(templates(file.read_text()))
    return OPENING + "".join(f"_n({_quoted(text)})\n" for text in sorted(found))


def templates(source: str) -> Iterator[str]:
    """Yield the templates in a module's refusals and tables of sentences."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _called(node) in REFUSALS and len(node.args) > 1:
            if isinstance(node.args[1], ast.Constant):
                yield str(node.args[1].value)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Name) and one.id == TABLE for one in targets):
                yield from (str(ast.literal_eval(value)) for value in node.value.values)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Collecting(makemessages.Command):
    """Django's command; new entries are left empty, without fuzzy matches."""

    def handle(self, *args: object, **options: object) -> None:
        self.xgettext_options = [*self.xgettext_options, *KEYWORDS]
        self.msgmerge_options = [*self.msgmerge_options, "--no-fuzzy-matching"]
        super().handle(*args, **options)


def write_header(catalogue: Path) -> int:
    """Give a catalogue our header and one plural form; return how many entries are untranslated."""
    entries: Any = polib.pofile(catalogue, wrapwidth=0)
    entries.metadata = HEADER | {"Language": catalogue.parent.parent.name}
    entries.header, entries.metadata_is_fuzzy = "", False
    for entry in entries:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: entry.msgstr_plural.get(0, "")}
    entries.save()
    return len(entries.untranslated_entries())


def main() -> int:
    missing = [name for name in ("xgettext", "msgmerge") if not shutil.which(name)]
    if missing:
        print(f"GNU gettext is needed to collect sentences, and {missing[0]} was not found.")
        print("On Debian: apt-get install gettext")
        return 1
    PHRASES.write_text(phrases())
    settings.configure(LOCALE_PATHS=[LOCALE], USE_I18N=True)
    call_command(
        Collecting(),
        locale=LANGUAGES,
        ignore_patterns=IGNORED,
        no_obsolete=True,
        no_wrap=True,
        add_location="file",
        verbosity=0,
    )
    for language in LANGUAGES:
        left = write_header(LOCALE / language / "LC_MESSAGES" / "django.po")
        print(f"{language}: {left} to be translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
