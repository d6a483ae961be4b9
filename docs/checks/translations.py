"""The catalogues: everything that is said is translated, with its values, in one script."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import polib
from django.utils.translation.template import templatize

from casino.ops.extraction import ENGLISH, KEYWORDS, LANGUAGES, REFUSALS
from docs.checks.tree import PRODUCT, Finding, Tree

CALLED: Final = (
    *("_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext", "npgettext"),
    *(keyword.removeprefix("--keyword=").partition(":")[0] for keyword in KEYWORDS),
)
WITH_CONTEXT: Final = ("_p", "pgettext", "npgettext")
STRINGS: Final = r"(?:u?(?:'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")\s*)+"
CALL: Final = re.compile(
    rf"(?<![\w.])({'|'.join(CALLED)})\(\s*({STRINGS})(?:,\s*({STRINGS}))?\s*[,)]"
)
SAYS: Final = re.compile(r"translate|trans |_\(")
VALUES: Final = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
# The languages have these names in every language.
OWN_NAMES: Final = ("简体中文", "繁體中文")
SCRIPTS: Final = {"zh_Hans": "庄闲枪垒银点没头换张请于", "zh_Hant": "莊閒槍壘銀點沒頭換張請於"}

Text = tuple[str | None, str]


def path_of(language: str) -> str:
    return f"casino/locale/{language}/LC_MESSAGES/django.po"


@lru_cache(maxsize=8)
def _parsed(text: str) -> Any:
    return polib.pofile(text)


def entries(tree: Tree, language: str) -> Any:
    return _parsed(tree[path_of(language)].text)


def complete(tree: Tree) -> Iterator[Finding]:
    """Every text of modules and templates is in the catalogues, and every entry is translated."""
    everything = dict(said(tree))
    for language in LANGUAGES:
        path, catalogue = path_of(language), entries(tree, language)
        known = {(entry.msgctxt, entry.msgid) for entry in catalogue}
        for text in everything.keys() - known:
            yield everything[text]._replace(
                sentence=f"{path} lacks {text[1]!r}: run make messages, and translate."
            )
        for entry in catalogue:
            if entry.obsolete or entry.fuzzy or not entry.translated():
                yield Finding(path, entry.linenum, f"{entry.msgid!r} is not translated.")
            if not entry.occurrences or any(file not in tree for file, _line in entry.occurrences):
                yield Finding(path, entry.linenum, f"{entry.msgid!r} names no file that says it.")
        if "nplurals=1" not in catalogue.metadata["Plural-Forms"]:
            yield Finding(path, 1, "Chinese has one plural form.")


def values(tree: Tree) -> Iterator[Finding]:
    """The Chinese form serves every number, so it says what the English plural says."""
    for language in LANGUAGES:
        for entry in entries(tree, language):
            source = sorted(VALUES.findall(entry.msgid_plural or entry.msgid))
            for translated in filter(None, [entry.msgstr, *entry.msgstr_plural.values()]):
                if sorted(VALUES.findall(translated)) != source:
                    yield Finding(path_of(language), entry.linenum, "The values differ.")


def scripts(tree: Tree) -> Iterator[Finding]:
    """Neither catalogue has a character of the other script."""
    for language, other in zip(LANGUAGES, reversed(LANGUAGES), strict=True):
        foreign = set(SCRIPTS[other]) - set(SCRIPTS[language])
        for entry in entries(tree, language):
            mixed = foreign.intersection(entry.msgstr)
            if mixed and entry.msgid not in OWN_NAMES:
                yield Finding(
                    path_of(language), entry.linenum, f"{''.join(mixed)} is of the other script."
                )


def said(tree: Tree) -> Iterator[tuple[Text, Finding]]:
    """Each text that a module or template has translated, with its place."""
    for file in tree.under(*PRODUCT):
        if file.path.startswith(f"{ENGLISH}/"):
            continue
        for context, text, place in texts_in(file.text):
            yield (context, text), Finding(file.path, file.line_of(place), "")
    for file in tree.under("templates/", ends=".html"):
        if SAYS.search(file.text):
            for context, text, _place in texts_in(templatize(file.text, origin=file.path)):
                yield (context, text), Finding(file.path, 1, "")


def texts_in(source: str) -> Iterator[tuple[str | None, str, int]]:
    """Context, text and place of each call of gettext with literal strings."""
    for call in CALL.finditer(source):
        first = joined(call[2])
        if call[1] in REFUSALS:
            if call[3]:
                yield None, joined(call[3]), call.start()
        elif call[1] not in WITH_CONTEXT:
            yield None, first, call.start()
        elif call[3]:
            yield first, joined(call[3]), call.start()


def joined(strings: str) -> str:
    return str(ast.literal_eval(f"({strings})"))
