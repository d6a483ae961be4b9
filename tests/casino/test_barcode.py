"""The bar code of a receipt and codes for a camera, read back from what is drawn."""

import re
from itertools import pairwise

import pytest
import segno

from casino.office.desk import receipts
from games.web.pages import qr_code


def read(bars: list[tuple[int, int]], modules: int) -> str:
    """What a scanner reads: the symbols by the widths of bars and spaces, and their check."""
    edges = [edge for at, width in bars for edge in (at, at + width)]
    assert edges[0] == modules - edges[-1] == receipts.QUIET
    widths = "".join(str(end - start) for start, end in pairwise(edges))
    symbols = [widths[at : at + 6] for at in range(0, len(widths) - 7, 6)] + [widths[-7:]]
    start, *signs, check, stop = map(receipts.PATTERNS.index, symbols)
    assert (start, stop) == (104, 106)
    assert check == (start + sum(at * sign for at, sign in enumerate(signs, 1))) % 103
    return "".join(chr(32 + sign) for sign in signs)


def test_every_symbol_is_of_its_own_and_eleven_modules_wide() -> None:
    *symbols, stop = receipts.PATTERNS
    assert len({*symbols, stop}) == 107
    assert stop == "2331112"
    for symbol in symbols:
        widths = [int(width) for width in symbol]
        assert (sum(widths), sum(widths[::2]) % 2) == (11, 0)


def test_a_known_code_has_its_symbols() -> None:
    assert receipts.values("PJJ123C") == [104, 48, 42, 42, 17, 18, 19, 35, 55, 106]


@pytest.mark.parametrize("text", ["R-260301-0002", "V-991231-9999", "~ a", "0"])
def test_what_is_written_is_read(text: str) -> None:
    assert read(receipts.bars(text), receipts.width_of(text)) == text
    assert f'aria-label="{text}"' in receipts.as_svg(text)


def test_other_letters_are_refused() -> None:
    with pytest.raises(ValueError, match="ASCII"):
        receipts.values("牌")


def test_a_code_for_a_camera_has_every_dark_square_within_a_quiet_zone_of_four() -> None:
    drawn = qr_code("https://club.example/join/")
    matrix = segno.make_qr("https://club.example/join/", error="m").matrix
    assert drawn.width == len(matrix) + 8
    dark = {
        (column + 4, line + 4)
        for line, cells in enumerate(matrix)
        for column, cell in enumerate(cells)
        if cell
    }
    squares = re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn.path)
    assert {(int(across), int(down)) for across, down in squares} == dark
