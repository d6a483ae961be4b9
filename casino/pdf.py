"""Paper as a PDF file, made by the house itself; `docs/desk.md` says which font, and why.

Import it where a file is made: the library takes a third of a second, and few requests need it.
"""

import logging
from importlib.resources import files
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import XPos, YPos

# Latin, Greek, Cyrillic and Chinese of both scripts. Only the glyphs that are used are embedded.
FONT: Final = str(files("paperang_p2_fonts_cjk") / "fonts" / "wqy-microhei.ttc")
FAMILY: Final = "paper"
GREY: Final = 110
# The library logs a line for each step of cutting a font to the glyphs in use.
logging.getLogger("fontTools").setLevel(logging.WARNING)


class Paper(FPDF):
    """Pages of one size, in millimetres, filled from the top line by line."""

    def __init__(self, title: str, size: tuple[float, float], margin: float) -> None:
        super().__init__(format=size)
        self.is_numbered = False
        self.add_font(FAMILY, fname=FONT)
        self.set_title(title)
        self.set_lang(get_language() or "en")
        self.set_margin(margin)
        self.set_auto_page_break(True, margin)
        self.add_page()

    def write_line(self, left: str, right: str = "", *, size: float = 9, align: str = "L") -> None:
        """One line: words at the left, and what they name at the right; long words are wrapped."""
        self.set_font(FAMILY, size=size)
        height = size * 0.5
        beside = self.get_string_width(right) + 2 if right else 0
        if self.will_page_break(height):
            self.add_page()
        top, page = self.get_y(), self.page
        self.multi_cell(
            self.epw - beside,
            height,
            left,
            align=align,
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
        )
        below = self.get_y()
        if right and self.page == page:
            self.set_xy(self.w - self.r_margin - beside, top)
            self.cell(beside, height, right, align="R")
            self.set_xy(self.l_margin, max(below, top + height))

    def write_row(self, cells: list[str], widths: list[float], *, size: float = 8) -> None:
        """One row of a table: shares of the width, the last two to the right; no cell wraps."""
        self.set_font(FAMILY, size=size)
        for number, (text, share) in enumerate(zip(cells, widths, strict=True)):
            width = self.epw * share
            to_the_right = number >= len(cells) - 2
            self.cell(width, size * 0.6, self._cut(text, width), align="R" if to_the_right else "L")
        self.ln(size * 0.6)

    def _cut(self, text: str, width: float) -> str:
        """Cut a text that would run into the next cell."""
        room = width - 2 * self.c_margin
        if self.get_string_width(text) <= room:
            return text
        while text and self.get_string_width(f"{text}…") > room:
            text = text[:-1]
        return f"{text}…"

    def rule(self) -> None:
        y = self.get_y() + 1.5
        self.set_draw_color(GREY)
        self.line(self.l_margin, y, self.w - self.r_margin, y)
        self.set_y(y + 1.5)

    def footer(self) -> None:
        if self.is_numbered:
            self.set_y(-self.b_margin + 3)
            self.set_font(FAMILY, size=7)
            here = _("Page %(number)s of %(count)s") % {"number": self.page, "count": "{nb}"}
            self.cell(self.epw, 4, here, align="R")

    def content(self) -> bytes:
        return bytes(self.output())
