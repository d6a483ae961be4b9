"""Pages that all people can use: what axe finds on a table and in the back office, by WCAG 2.2."""

from importlib.resources import files
from typing import Final

from playwright.sync_api import Page

from tests.browser.driver import go
from tests.browser.journeys.house_table import sit_down
from tests.browser.visitors import DESK, Visitor

AXE: Final = (files("axe_playwright_python") / "axe.min.js").read_text()
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FIND: Final = """async ([part, rules]) => {
  const found = await axe.run(part, { runOnly: rules, resultTypes: ["violations"] });
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.html.slice(0, 120)}`));
}"""


def hinders(page: Page, part: str) -> list[str]:
    """The faults of a part of the present page."""
    page.evaluate(AXE)
    faults: list[str] = page.evaluate(FIND, [part, RULES])
    return faults


def test_all_people_can_use_a_table_and_the_office(visitor: Visitor) -> None:
    player = visitor("dave", phone=True)
    sit_down(player, "blackjack")
    assert hinders(player, "body") == []
    operator = visitor("operator", viewport=DESK)
    go(operator, "/admin/floor/")
    assert hinders(operator, "#content") == []
