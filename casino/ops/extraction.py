"""Collect translatable sentences from the code: `python -m casino.ops.extraction`.

New sentences are added untranslated to the catalogues below `casino/locale`, and those that left
the code are removed. Only this step needs GNU gettext.
"""

import shutil
import sys
from pathlib import Path
from typing import Any, Final

import polib
from django.conf import settings
from django.core.management import call_command
from django.core.management.commands import makemessages

from casino.ops.private_files import TOP

LOCALE: Final = TOP / "casino" / "locale"
LANGUAGES: Final = ["zh_Hans", "zh_Hant"]
# Refusals: a code, then a sentence, which rules that know no Django write as plain text.
REFUSALS: Final = ("Hidden", "Illegal", "Refused", "Stale", "Unreadable")
# Command-line programs, which are in English only.
ENGLISH: Final = "games/bots"
# Aliases under which modules import gettext's functions, in addition to the usual ones.
KEYWORDS: Final = [
    *("--keyword=_l", "--keyword=_n", "--keyword=_p:1c,2", "--keyword=_t"),
    *(f"--keyword={refusal}:2" for refusal in REFUSALS),
]
IGNORED: Final = ["bench", "docs", "static", "tests", ".venv", ENGLISH]
# The header of a catalogue; dates and program names would only add noise.
HEADER: Final = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=1; plural=0;",
}


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
