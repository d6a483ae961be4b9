"""What moves at a table, as strips of six frames: a deal, a play, a win, a squeeze, a podium.

    make strips [ONLY=deal]

Each motion is stopped where it begins, and taken at six moments of it, however busy the machine is.
The strips stand in docs/pictures/strips.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.house import launch
from tests.houses import open_house

if TYPE_CHECKING:
    from tests.games.house import House

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures" / "strips"
FRAMES: Final = 6
WIDTH: Final = 260
QUALITY: Final = 60
# How long motions may take to begin.
BEGUN_MILLISECONDS: Final = 600
# Stops every motion as it begins, once `filming` is set.
STOP: Final = """(() => {
  const stopped = (window.stopped = new Set());
  const look = () => {
    if (window.filming) for (const motion of document.getAnimations())
      if (!stopped.has(motion)) { stopped.add(motion); motion.pause(); motion.currentTime = 0; }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
# When the last of them ends; a clock's ring does not count.
LAST: Final = """() => Math.max(1, ...[...stopped].map((motion) =>
  motion.effect.getComputedTiming().endTime).filter((end) => end < 1500))"""
AT: Final = "(moment) => stopped.forEach((motion) => (motion.currentTime = moment))"
NEW_BOARD: Final = "document.getElementById('board').dispatchEvent(new Event('renew'))"

Made = tuple[str, Callable[[], object] | None]


class Strip(NamedTuple):
    """A table before the motion, and what then happens; without that the page itself moves."""

    make: Callable[["House", pytest.MonkeyPatch], Made]
    who: str
    frames: Callable[[Page], Iterator[bytes]]
    language: str = "en"


def motions(page: Page) -> Iterator[bytes]:
    page.wait_for_timeout(BEGUN_MILLISECONDS)
    last = page.evaluate(LAST)
    for number in range(FRAMES):
        page.evaluate(AT, last * number / (FRAMES - 1))
        yield page.screenshot()


def pulled(page: Page) -> Iterator[bytes]:
    """A finger pulls the cover off a card."""
    card = page.locator("#coup .pull.down").first
    card.wait_for()
    page.wait_for_timeout(BEGUN_MILLISECONDS)
    place: Any = card.bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] * 0.8
    page.mouse.move(x, y)
    page.mouse.down()
    for number in range(FRAMES - 1):
        page.mouse.move(x, y - place["height"] * 0.2 * number)
        yield page.screenshot()
    page.mouse.up()
    yield page.screenshot()


def deal(house: "House", patch: pytest.MonkeyPatch) -> Made:
    from games.models import Table
    from tests.compared.tables import THIRTEEN
    from tests.repeating import repeat_draws

    repeat_draws(patch, "filmed")
    table = house.table("chinese_poker", name="Harbour")
    for number, name in enumerate(THIRTEEN, 1):
        house.sit(house.player(name), table, number)
    return address(table), lambda: house.until(table, lambda one: one.phase == Table.Phase.PLAY)


def play(house: "House", patch: pytest.MonkeyPatch) -> Made:
    from tests.compared import tables

    table = tables.doudizhu(house, patch, tables.LANDLORD_AND_FARMERS, tables.MIDDLE)
    return address(table), lambda: tables.play(house, table, tables.ME, "3c3s3d")


def win(house: "House", patch: pytest.MonkeyPatch) -> Made:
    from tests.compared import tables

    table = tables.doudizhu(house, patch, tables.LAST_CARDS, "2d3c4d")
    *plays, (name, cards) = tables.PLAYED_TO_THE_END
    for who, played in plays:
        tables.play(house, table, who, played)
    return address(table), lambda: tables.play(house, table, name, cards)


def squeeze(house: "House", patch: pytest.MonkeyPatch) -> Made:
    from tests.compared import house_tables

    table = house_tables.after_a_coup(house, patch)

    def close() -> None:
        house_tables.close(house, table, house_tables.BACCARAT_BETS)
        house.until(table, lambda one: one.hand_id is None)

    return address(table), close


def podium(house: "House", patch: pytest.MonkeyPatch) -> Made:
    from tests.browser import positions
    from tests.repeating import repeat_draws

    repeat_draws(patch, "filmed")
    house.player(positions.VIEWER)
    *_before, end = positions.in_an_event(house, "chinese_poker")
    return end.address, None


def address(table: Any) -> str:
    return f"/tables/{table.pk}/"


STRIPS: Final = {
    "deal": Strip(deal, "alice", motions),
    "play": Strip(play, "alice", motions, "zh-hans"),
    "win": Strip(win, "alice", motions, "zh-hans"),
    "squeeze": Strip(squeeze, "alice", pulled),
    "podium": Strip(podium, "Alexandra", motions),
}


def film(house: "House", strip: Strip) -> list[bytes]:
    """Make the table in this house, let it happen, and take the frames."""
    from django.utils import timezone

    from tests.compared import camera
    from tests.compared.scenes import Scene

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        house.now = timezone.now()
        path, happens = strip.make(house, patch)
        scene = Scene("", lambda *_: path, strip.who, language=strip.language)
        context = launch(playwright).new_context(base_url=camera.serve(), viewport=scene.size)
        context.add_cookies(camera.cookies(scene))  # type: ignore[arg-type]
        page = context.new_page()
        page.add_init_script(STOP)
        page.route(camera.STREAMS, lambda _route: None)
        if happens is None:
            page.add_init_script("window.filming = true")
        page.goto(path)
        if happens is not None:
            page.wait_for_timeout(BEGUN_MILLISECONDS)
            happens()
            if strip.frames is motions:
                page.evaluate("window.filming = true")
            page.evaluate(NEW_BOARD)
        return list(strip.frames(page))


def save(frames: list[bytes], path: Path) -> None:
    """Lay the frames side by side."""
    pictures = [Image.open(BytesIO(frame)).convert("RGB") for frame in frames]
    height = WIDTH * pictures[0].height // pictures[0].width
    sheet = Image.new("RGB", ((WIDTH + 4) * len(pictures) - 4, height))
    for number, picture in enumerate(pictures):
        small = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
        sheet.paste(small, ((WIDTH + 4) * number, 0))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, quality=QUALITY, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} KB", flush=True)


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.compared.strips")
    words.add_argument("--only", default="")
    words.add_argument("--strip")
    given = words.parse_args()
    if not given.strip:
        command = [sys.executable, "-m", "tests.compared.strips", "--strip"]
        chosen = [name for name in STRIPS if given.only in name]
        return max(subprocess.run([*command, name], check=False).returncode for name in chosen)
    with open_house(settings="tests.settings") as house:
        save(film(house, STRIPS[given.strip]), FOLDER / f"{given.strip}.jpg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
