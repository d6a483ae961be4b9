"""The sentences of settlement lines."""

from typing import Final

SENTENCES: Final = {
    "higher_card": "{target} has a higher card than {source}: {points} points",
    "folded_card": "{source} has folded and pays {target} {points} point",
}
