"""Before and after, side by side: one picture a table, from two folders of screenshots.

    make gallery BEFORE=folder [SHOTS=folder]

`make screenshots` fills such a folder; for the one before, run it in a work tree of the older
version. Each picture shows a table when there is something to do and when the hand has ended, on a
phone and on a desk. A state that either folder lacks is left out.
"""

import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import sync_playwright

from tests.browser.house import launch

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures" / "gallery"
GAMES: Final = (
    "doudizhu",
    "chinese_poker",
    "blackjack",
    "casino_holdem",
    "baccarat",
    "russian_poker",
)
STATES: Final = ("1-turn", "2-over")
SIZES: Final = ("phone", "desk")
LOOK: Final = "en-light"
QUALITY: Final = 72
STYLE: Final = """
body { margin: 16px; width: max-content; font: 15px sans-serif; background: #fff }
div { display: flex; gap: 12px; margin-bottom: 12px }
figure { margin: 0 } figcaption { margin-bottom: 4px }
img { height: 320px; border: 1px solid #ccc }
"""


def page(folders: dict[str, Path], game: str) -> str:
    """The page that shows all pictures of a table; empty if there is no pair."""
    rows = []
    for state in STATES:
        for size in SIZES:
            name = f"{game}-{state}-{size}-{LOOK}.png"
            if all((folder / name).exists() for folder in folders.values()):
                figures = (
                    f"<figure><figcaption>{when}</figcaption>"
                    f"<img src='{escape((folder / name).resolve().as_uri())}'></figure>"
                    for when, folder in folders.items()
                )
                rows.append("".join(figures))
    lines = ["".join(rows[at : at + len(SIZES)]) for at in range(0, len(rows), len(SIZES))]
    shown = "".join(f"<div>{line}</div>" for line in lines)
    return f"<!doctype html><style>{STYLE}</style>{shown}" if rows else ""


def main(before: Path, after: Path) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        shown = browser.new_page()
        for game in GAMES:
            html = page({"before": before, "after": after}, game)
            if not html:
                print(f"{game}: no pair of pictures")
                continue
            file = Path(folder) / f"{game}.html"
            file.write_text(html)
            shown.goto(file.as_uri())
            path = PICTURES / f"{game}.jpg"
            shown.locator("body").screenshot(path=path, type="jpeg", quality=QUALITY)
            print(f"{path}: {path.stat().st_size // 1024} KB")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
