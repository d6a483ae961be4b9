"""Code 128 (ISO/IEC 15417), code set B: the letters, digits and signs of a receipt's number."""

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString

# By value, the widths of three bars and three spaces, in modules; the last one is the stop.
_WIDTHS: Final = (
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132"
    "122231113222123122123221223211221132221231213212223112312131311222321122321221312212"
    "322112322211212123212321232121111323131123131321112313132113132311211313231113231311"
    "112133112331132131113123113321133121313121211331231131213113213311213131311123311321"
    "331121312113312311332111314111221411431111111224111422121124121421141122141221112214"
    "112412122114122411142112142211241211221114413111241112134111111242121142121241114212"
    "124112124211411212421112421211212141214121412121111143111341131141114113114311411113"
    "411311113141114131311141411131211412211214211232"
)
PATTERNS: Final = (*(_WIDTHS[at : at + 6] for at in range(0, len(_WIDTHS), 6)), "2331112")
START_B, STOP = 104, 106
MODULUS: Final = 103
FIRST: Final = " "
# The quiet zone at each side, in modules.
QUIET: Final = 10


def values(text: str) -> list[int]:
    """The symbols: the start, each sign, the check symbol, and the stop."""
    signs = [ord(sign) - ord(FIRST) for sign in text]
    if not all(0 <= sign < 95 for sign in signs):
        raise ValueError("Code set B has the printable signs of ASCII alone.")
    check = (START_B + sum(place * sign for place, sign in enumerate(signs, 1))) % MODULUS
    return [START_B, *signs, check, STOP]


def bars(text: str) -> list[tuple[int, int]]:
    """The place and the width of each bar, in modules from the left edge of the quiet zone."""
    found, at = [], QUIET
    for number, width in enumerate("".join(PATTERNS[value] for value in values(text))):
        if number % 2 == 0:
            found.append((at, int(width)))
        at += int(width)
    return found


def width_of(text: str) -> int:
    last, width = bars(text)[-1]
    return last + width + QUIET


def as_svg(text: str) -> SafeString:
    """The bars as one path, stretched to the width of the paper."""
    path = "".join(f"M{at} 0h{width}v24h-{width}z" for at, width in bars(text))
    return format_html(
        '<svg class="bars" viewBox="0 0 {} 24" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><path d="{}"/></svg>',
        width_of(text),
        text,
        path,
    )
