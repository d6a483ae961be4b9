"""Paper as a PDF file, made by the house itself; `docs/decisions.md` says which font, and why.

Import it where a file is made: the library takes a third of a second, and few requests need it.
"""

import logging
from importlib.resources import files
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import FontFace

# Latin, Greek, Cyrillic and Chinese of both scripts. Only the glyphs that are used are embedded.
FONT: Final = str(files("paperang_p2_fonts_cjk") / "fonts" / "wqy-microhei.ttc")
FAMILY: Final = "paper"
GREY: Final = 110
SHADE: Final = (236, 239, 234)
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

    def write_table(
        self, head: list[str], rows: list[list[str]], foot: list[str], right: list[bool]
    ) -> None:
        """A table as wide as the page; long words wrap, and each page repeats the head.

        `right` says which columns are figures.
        """
        self.set_font(FAMILY, size=7)
        aligned = tuple("RIGHT" if is_figure else "LEFT" for is_figure in right)
        widths = tuple(
            max(self.get_string_width(text) for text in ("0000", *self._longest(column)))
            for column in zip(head, *rows, foot or head, strict=True)
        )
        shaded = FontFace(family=FAMILY, fill_color=SHADE, emphasis="")
        with self.table(
            borders_layout="HORIZONTAL_LINES",
            col_widths=widths,
            text_align=aligned,
            headings_style=shaded,
            line_height=4,
            padding=0.6,
        ) as table:
            for cells in (head, *rows):
                table.row(cells)
            if foot:
                table.row(foot, style=shaded)
        self.set_font(FAMILY, size=9)

    @staticmethod
    def _longest(column: tuple[str, ...]) -> list[str]:
        """The longest cell of a column, and the longest word of its head, which may wrap."""
        head, *cells = column
        return [max(cells, key=len, default=""), max(head.split(), key=len, default="")]

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

    def write_bars(self, bars: list[tuple[int, int]], modules: int, *, height: float = 9) -> None:
        """A bar code over the width of the page: places and widths in so many modules."""
        module, top = self.epw / modules, self.get_y() + 1
        self.set_fill_color(0)
        for at, width in bars:
            self.rect(self.l_margin + at * module, top, width * module, height, style="F")
        self.set_y(top + height + 2)

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
