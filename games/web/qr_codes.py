"""Drawing a text as a QR code, for a camera."""

from typing import NamedTuple

import segno

BORDER = 4


class QrCode(NamedTuple):
    """The width of a code with its quiet zone, and the path of its dark squares for an SVG."""

    width: int
    path: str


def qr_code(text: str) -> QrCode:
    matrix = segno.make_qr(text, error="m").matrix
    squares = [
        f"M{column + BORDER} {line + BORDER}h1v1h-1z"
        for line, cells in enumerate(matrix)
        for column, dark in enumerate(cells)
        if dark
    ]
    return QrCode(len(matrix) + 2 * BORDER, "".join(squares))
