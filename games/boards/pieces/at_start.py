"""The pieces of all boards in each language, compiled before anyone asks for a board.

What another process has compiled is read (`kept_code.py`).
"""

import re
from functools import cache
from typing import Final

from django.conf import settings

from games.boards.family import family_of
from games.boards.pieces.engine import INCLUDED, pieces_in
from games.boards.pieces.kept_code import FOLDERS
from games.rules.catalogue import GAMES

# A template that another one shows as a part that is made once.
REMEMBERED: Final = re.compile(r'\bremembered\("([^"]+)"')
OF_FAMILY: Final = "family_templates."


def compile_boards() -> None:
    families = [family_of(game).templates(game) for game in GAMES]
    for language, _name in settings.LANGUAGES:
        for template in _shown_alone():
            pieces_in(language).get_template(template)
        for family in families:
            panels = (panel.template for panel in family.panels)
            for template in ("board.html", "my_seat.html", *panels):
                pieces_in(language, family).get_template(template)


@cache
def _shown_alone() -> list[str]:
    """The templates that are not within others, but for those of boards, which families have."""
    texts = {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for folder in FOLDERS
        for file in folder.rglob("*.html")
    }
    whole = "\n".join(texts.values())
    included = {match[1] for match in INCLUDED.finditer(whole)} - set(REMEMBERED.findall(whole))
    return [name for name in texts if name not in included and OF_FAMILY not in texts[name]]
