"""Each drawing beside the page of the house, and a list of what still differs.

    make compare DRAWINGS=folder [ONLY=phone-lobby]

Both stand in one picture in docs/pictures/compare, the drawing on the left; its README says what
differs, as the scene says it. States that nobody has drawn stand there alone. Look at each of them:
would a stranger want to come in?
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import launch
from tests.houses import open_house

if TYPE_CHECKING:
    from tests.compared.scenes import Scene

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures" / "compare"
QUALITY: Final = 62
# A page down to its end is smaller, so that a picture stays small.
STYLE: Final = """
body { margin: 8px; width: max-content; background: #777 }
div { display: flex; gap: 8px; align-items: start }
img { width: 390px } .desk img { width: 760px } .full img { width: 260px }
"""
HEAD: Final = """# The drawings and the house

`make compare` makes the state of each drawing in a house, and lays both side by side: the drawing
on the left, the page on the right. `make strips` takes what moves in six frames each:
[a deal](../strips/deal.jpg), [a play](../strips/play.jpg), [a win](../strips/win.jpg),
[a squeeze](../strips/squeeze.jpg) and [a podium](../strips/podium.jpg).

| drawing | what still differs, and why |
| --- | --- |
"""
UNDRAWN: Final = "stress-"
UNDRAWN_HEAD: Final = """
States that no drawing shows stand alone: as much as a table holds, and what goes wrong.

| state | what it shows |
| --- | --- |
"""


def beside(browser: Browser, drawing: Path, picture: Path, path: Path) -> None:
    """Lay a drawing and a picture side by side."""
    kind = " ".join(kind for kind in ("desk", "full") if kind in drawing.stem.split("-"))
    shown = [path for path in (drawing, picture) if path.exists()]
    images = "".join(f"<img src='{escape(path.resolve().as_uri())}'>" for path in shown)
    page = picture.with_suffix(".html")
    page.write_text(f"<!doctype html><style>{STYLE}</style><div class='{kind}'>{images}</div>")
    sheet = browser.new_page()
    sheet.goto(page.as_uri())
    sheet.locator("body").screenshot(path=path, type="jpeg", quality=QUALITY)
    sheet.close()


def compare(drawings: Path, chosen: Sequence[str]) -> bool:
    """Compare these scenes; whether each has its picture now."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    failed = []
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        for name in chosen:
            picture = Path(folder) / f"{name}.png"
            words = [sys.executable, "-m", "tests.compared", "--scene", name, "--out", str(picture)]
            if subprocess.run(words, check=False).returncode:
                failed.append(name)
                continue
            path = FOLDER / f"{name}.jpg"
            beside(browser, drawings / f"{name}.png", picture, path)
            print(f"{path}: {path.stat().st_size // 1024} KB", flush=True)
        browser.close()
    print(f"without a picture: {', '.join(failed)}" if failed else "all have their picture")
    return not failed


def write_list(scenes: "Sequence[Scene]") -> None:
    rows: dict[bool, list[str]] = {False: [], True: []}
    for scene in scenes:
        if (FOLDER / f"{scene.drawing}.jpg").exists():
            words = scene.differs or "not looked at yet"
            is_drawn = not scene.drawing.startswith(UNDRAWN)
            rows[is_drawn].append(f"| [{scene.drawing}]({scene.drawing}.jpg) | {words} |\n")
    text = HEAD + "".join(rows[True]) + UNDRAWN_HEAD + "".join(rows[False])
    (FOLDER / "README.md").write_text(text)


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.compared")
    words.add_argument("drawings", nargs="?", type=Path)
    words.add_argument("--only", default="")
    words.add_argument("--scene")
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    # A scene's module knows models, so that a house is open before it is read.
    with open_house(settings="tests.settings") as house:
        from tests.compared import camera, house_tables, pages, stress, tables

        scenes = {
            scene.drawing: scene
            for module in (pages, tables, house_tables, stress)
            for scene in module.SCENES
        }
        if given.scene:
            camera.take(house, scenes[given.scene], given.out)
            return 0
        passed = compare(given.drawings, [name for name in scenes if given.only in name])
        write_list(tuple(scenes.values()))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
