"""Styles of whole pages, put inside one element of another page.

A table in the back office is drawn by the styles of its own page. There they apply to nothing but
the element that holds it (`@scope`), whose width takes the place of the screen's (`@container`):
so the table looks as on a page as wide as this element, and its styles reach nothing else.

That needs no parser: each rule begins on a line of its own, as Prettier lays them out. Conditions
on the screen's height remain; in a list of conditions those that do not ask for a width alone are
left out.
"""

import re
from typing import Final

_MEDIA: Final = re.compile(r"^([ ]*)@media ([^{]+?)\s*\{$", re.MULTILINE)
_WIDTH: Final = re.compile(r"\((?:(?:min|max)-)?width[^)]+\)")
# Rules of the page itself: its variables become those of the element, and its type is the
# surrounding page's.
_PAGE: Final = re.compile(r"^(?:html|body) \{\n[^}]*\}\n", re.MULTILINE)
_ROOT: Final = re.compile(r"^:root \{$", re.MULTILINE)
_CHOSEN: Final = re.compile(r"^(:root\[[^\s{]+) \{$", re.MULTILINE)
_OF_THE_SCREEN: Final = re.compile(r"(?<=[0-9])vw\b")


def contained(text: str, holder: str) -> str:
    """The style for an element that the selector `holder` names, which is a container."""
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
