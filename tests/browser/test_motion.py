"""Motion: a result waits for the cards that it tells of, and no moment holds a player up."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.release

STATIC = Path(__file__).parents[2] / "static"
MOTION = STATIC / "games" / "motion.css"
MOVING = (
    STATIC / "casino" / "casino.css",
    STATIC / "casino" / "bar.css",
    MOTION,
    STATIC / "games" / "podium.css",
    *(
        STATIC / "games" / "families" / family / "moments.css"
        for family in ("thirteen", "doudizhu")
    ),
)
FEAT = (
    "<div class='revealing'><ul class='feats'><li class='{0}' data-moment='{0}'>!</li></ul></div>"
)
# Each moment that has weight, and the part of a page that carries it.
MOMENTS = {
    "scoop": FEAT.format("scoop"),
    "home_run": FEAT.format("home_run"),
    "natural": FEAT.format("natural"),
    "bomb": "<div class='cards lands blast bomb' data-moment='bomb'>!</div>",
    "rocket": "<div class='cards lands blast rocket' data-moment='rocket'>!</div>",
    "spring": "<p class='badge tells spring' data-moment='spring'>!</p>",
    "blackjack": "<p class='box-hand'><b class='tells' data-moment='blackjack'>!</b></p>",
    "jackpot": "<p class='prize tells' data-moment='jackpot'>!</p>",
    "win": "<ol class='podium'><li><i data-moment='win'></i></li></ol>",
}
LONGEST_MILLISECONDS = 1_200
DURATIONS = "document.getAnimations().map((one) => one.effect.getComputedTiming().duration)"
WHEEL = '<div class="wheel-spun" id="wheel"><svg><g class="spins"></g></svg></div>'


@pytest.mark.parametrize("game", ["blackjack", "russian_poker", "casino_holdem"])
def test_result_is_hidden_until_the_wheel_stops(browser: Browser, game: str) -> None:
    page = browser.new_page()
    for cards in range(1, 7):
        page.set_content(
            f"<style>{MOTION.read_text()}</style><div class='board'><div class='{game}'>"
            f"<p id='dealer-cards'>{'<i class=card></i>' * cards}</p>{WHEEL}</div></div>"
        )
        waits = "getComputedStyle(document.querySelector('.board')).getPropertyValue"
        assert page.evaluate(f"{waits}('--shown-after')") == "1200ms", cards
    page.close()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_is_short_is_heard_and_keeps_still_on_request(
    browser: Browser, moment: str
) -> None:
    page = browser.new_page()
    styles = "".join(f"<style>{file.read_text()}</style>" for file in MOVING)
    page.set_content(f"{styles}<body>{MOMENTS[moment]}</body>")
    durations = page.evaluate(DURATIONS)
    assert durations
    assert 0 < max(durations) <= LONGEST_MILLISECONDS
    assert f"\n  {moment}: [" in (STATIC / "games" / "sounds.js").read_text()
    page.evaluate("document.documentElement.dataset.motion = 'off'")
    assert page.evaluate(DURATIONS) == []
    page.evaluate("delete document.documentElement.dataset.motion")
    assert page.evaluate(DURATIONS) != []
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(DURATIONS) == []
    page.close()
