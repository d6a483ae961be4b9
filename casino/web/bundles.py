"""One file of all that a page's script or style imports.

The files in `static/pages/` name what a kind of page needs. A browser could follow these names by
itself, with a request for each file; in front of players each page has one file, which is made here
when static files are collected. That needs no parser, as our modules are written in a small part of
the language: they have their imports first, export constants and functions by name, and know one
another in one direction. Anything else is refused (`docs/decisions.md`).
"""

import re
from collections.abc import Callable, Iterator
from posixpath import dirname, join, normpath, relpath
from typing import Final

Read = Callable[[str], str]

FOLDER: Final = "pages/"
# The layers whose styles are those of another page, and the element that holds a part of it.
HOLDERS: Final = {"felt": ".office-hand"}

_IMPORT: Final = re.compile(r'^import (?:(\{[^}]*\}) from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ((?:async )?(?:const|function) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export|await)\b.*|\bimport\s*[(.].*", re.MULTILINE)
_LINE_COMMENT: Final = re.compile(r"^[ \t]*(?://.*|/\*\*.*\*/)\n", re.MULTILINE)

_STYLE_IMPORT: Final = re.compile(r'^@import "(\.[^"]+)"(?: layer\((\w+)\))?;\n', re.MULTILINE)
# A file beside the styles, by a quoted address from where the style stands.
_FILE: Final = re.compile(r'\burl\("(\.[^"]+)"\)')
_STYLE_LEFT: Final = re.compile(r"@import\b.*|\burl\((?!\"\.).*", re.MULTILINE)
_STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/\n?", re.DOTALL)


class CannotBundle(Exception):
    """A file is outside what can be put together here."""


def bundle(name: str, read: Read) -> str:
    """The script or style of this name with all that it imports; `read` returns a file's text."""
    files = in_order(name, read).items()
    if name.endswith(".css"):
        return "".join(_style(*file, dirname(name)) for file in files)
    return "".join(_module(*file) for file in files)


def in_order(name: str, read: Read) -> dict[str, str]:
    """The texts of a file and of all that it imports, in the order in which a browser runs them."""
    texts: dict[str, str] = {}
    _add(name, read, texts, ())
    return texts


def _add(
    name: str, read: Read, found: dict[str, str], importers: tuple[str, ...], layer: str = ""
) -> None:
    if name in importers:
        raise CannotBundle(f"{name} imports itself by way of {importers[-1]}.")
    if name in found:
        return
    text = read(name)
    for address, inner in _imports(name, text):
        _add(_named(name, address), read, found, (*importers, name), inner or layer)
    if layer:
        text = _STYLE_IMPORT.sub("", _STYLE_COMMENT.sub("", text))
        text = contained(text, HOLDERS[layer]) if layer in HOLDERS else text
        text = f"@layer {layer} {{\n{text}}}\n"
    found[name] = text


def _imports(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The imports of a file, each with the cascade layer into which a style puts it."""
    if name.endswith(".css"):
        yield from ((match[1], match[2] or "") for match in _STYLE_IMPORT.finditer(text))
    else:
        yield from ((match[2], "") for match in _IMPORT.finditer(text))


def _named(importer: str, address: str) -> str:
    return normpath(join(dirname(importer), address))


def without_comments(script: str) -> str:
    """A script without the comments that stand on lines of their own."""
    return _LINE_COMMENT.sub("", script)


def _module(name: str, text: str) -> str:
    """A module as an immediately called function: its names stay its own."""

    def taken(match: re.Match[str]) -> str:
        names, address = match.groups()
        if not names:
            return ""
        return f"const {names.replace(' as ', ': ')} = {_constant(_named(name, address))};\n"

    text = without_comments(text)
    exported = [match[2] for match in _EXPORT.finditer(text)]
    text = _EXPORT.sub(r"\1", _IMPORT.sub(taken, text))
    if left := _LEFT.search(text):
        raise CannotBundle(f"{name}: {left[0]}")
    if not text.strip():
        return ""
    given = f"const {_constant(name)} = " if exported else ""
    answer = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"{given}(() => {{\n{text}{answer}}})();\n"


def _constant(name: str) -> str:
    return re.sub(r"\W", "_", name.removesuffix(".js"))


def _style(name: str, text: str, folder: str) -> str:
    """A style as it stands in another folder, from where addresses of files lead elsewhere."""

    def moved(match: re.Match[str]) -> str:
        return f'url("{relpath(_named(name, match[1]), folder or ".")}")'

    text = _STYLE_IMPORT.sub("", _STYLE_COMMENT.sub("", text))
    if left := _STYLE_LEFT.search(text):
        raise CannotBundle(f"{name}: {left[0]}")
    return _FILE.sub(moved, text)


_MEDIA: Final = re.compile(r"^([ ]*)@media ([^{]+?)\s*\{$", re.MULTILINE)
_WIDTH: Final = re.compile(r"\((?:(?:min|max)-)?width[^)]+\)")
# Rules of the page itself: its variables become those of the element, and its type is the
# surrounding page's.
_PAGE: Final = re.compile(r"^(?:html|body) \{\n[^}]*\}\n", re.MULTILINE)
_ROOT: Final = re.compile(r"^:root \{$", re.MULTILINE)
_CHOSEN: Final = re.compile(r"^(:root\[[^\s{]+) \{$", re.MULTILINE)
_OF_THE_SCREEN: Final = re.compile(r"(?<=[0-9])vw\b")


def contained(text: str, holder: str) -> str:
    """The style for an element that the selector `holder` names, which is a container.

    A table in the back office is drawn by the styles of its own page. There they apply to nothing
    but the element that holds it (`@scope`), whose width takes the place of the screen's
    (`@container`): so the table looks as on a page as wide as this element, and its styles reach
    nothing else.

    That needs no parser: each rule begins on a line of its own, as Prettier lays them out.
    Conditions on the screen's height remain; in a list of conditions those that do not ask for a
    width alone are left out.
    """
    text = _PAGE.sub("", text)
    text = _CHOSEN.sub(r"\1 :scope {", _ROOT.sub(":scope {", text))
    text = _with_containers(_OF_THE_SCREEN.sub("cqi", text))
    return f"@scope ({holder}) {{\n{text}}}\n"


def _with_containers(text: str) -> str:
    made, at = [], 0
    while match := _MEDIA.search(text, at):
        end = text.index(f"\n{match[1]}}}", match.end()) + 1
        inside = _with_containers(text[match.end() + 1 : end])
        rest, widths = _conditions(" ".join(match[2].split()))
        made.append(text[at : match.start()])
        opens = [f"@media {rest} {{\n"] * bool(rest) + [f"@container {widths} {{\n"] * bool(widths)
        made.append(f"{''.join(opens)}{inside}{'}' * len(opens)}\n")
        at = text.index("\n", end) + 1
    return "".join(made) + text[at:]


def _conditions(query: str) -> tuple[str, str]:
    """Split a media query into what is asked of the screen, and of the container's width."""
    parts = [part.strip() for part in query.split(",")]
    if len(parts) > 1:
        of_width = [part for part in parts if not _WIDTH.sub("", part).replace("and", "").strip()]
        if not of_width:
            return query, ""
        return "", " or ".join(f"({part})" for part in of_width)
    widths = _WIDTH.findall(query)
    others = [part for part in query.split(" and ") if not _WIDTH.fullmatch(part)]
    return " and ".join(others), " and ".join(widths)
