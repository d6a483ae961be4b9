"""An operator sets pools and tables so that money goes to an insider."""

import os
import re
from typing import Any

from tests.attack.registry import Outcome, attack, broken, noticed, refused, unless
from tests.attack.target import STAFF

REASON = "the club wants it"
JACKPOT: dict[str, Any] = {
    "name": "Attack",
    "kind": "progressive",
    "currency": "PLAY",
    "seed": "10",
    "reserve": 0,
    "share_bp": "5",
    "lowest": 1,
    "highest": 2,
    "active": "on",
    "reason": REASON,
}
# What a draft of a profile says of its tables.
SETTINGS: dict[str, Any] = {
    "buy_in_min": "100",
    "buy_in_max": "900",
    "stack_min": "1",
    "decision_seconds": 20,
    "betting_seconds": 15,
    "pause_seconds": 5,
    "grace_seconds": 60,
    "idle_seconds": 600,
    "bots_max": 0,
    "reason": REASON,
}
# Rules of a table as a form once set them.
ALONE: dict[str, Any] = {**SETTINGS, "places": 2, "options-rake_bp": "9", "jackpots": "1"}
ADD_JACKPOT = "/admin/wallets/jackpot/add/"


def moved(house: Any) -> int:
    """How many postings there are of what the house puts into pools and takes out of them."""
    statement = "SELECT count(*) FROM wallets_transaction WHERE kind IN ('seed', 'drain')"
    return int(house.sql(statement)[0][0])


@attack(
    "money",
    "move the house's money into a pool",
    "seeds of billions, without a reason, below nothing; by staff who may and who may not",
    "jackpots",
)
def _(house: Any) -> Outcome:
    before = moved(house)
    wrong: tuple[dict[str, Any], ...] = (
        {"seed": "9000000000"},
        {"seed": "50000", "reserve": "90000"},
        {"seed": -5},
        {"seed": "9" * 30},
        {"reason": ""},
        {"reason": " \t"},
    )
    tries = {
        f"operator {form}": house.browser("operator").post(ADD_JACKPOT, JACKPOT | form)
        for form in wrong
    }
    tries |= {
        name: house.browser(name).post(ADD_JACKPOT, JACKPOT) for name in STAFF if name != "operator"
    }
    holes = [f"{what} is taken" for what, response in tries.items() if response.status == 302]
    if moved(house) != before:
        holes.append("money has moved")
    return unless(holes, refused(f"{len(tries)} forms, and no money has moved"))


@attack(
    "money",
    "seed and drain in silence",
    "a pool seeded and drained within the bounds: who and why, and not while it is played for",
    "jackpots",
    "true-actors",
)
def _(house: Any) -> Outcome:
    browser = house.browser("operator")
    if (answer := browser.post(ADD_JACKPOT, JACKPOT)).status != 302:
        return broken(f"an honest form is refused: {answer.status}")
    ((number,),) = house.sql("SELECT id FROM wallets_jackpot WHERE name = 'Attack'")
    address = f"/admin/wallets/jackpot/{number}"
    holes, before = [], moved(house)
    form = {"amount": "5", "reason": REASON}
    browser.post(f"{address}/drain/", form)
    if moved(house) != before:
        holes.append("a pool is drained that is played for")
    resting = {**JACKPOT, "active": ""}
    browser.post(f"{address}/change/", resting)
    for wrong in ({"reason": ""}, {"amount": "1000000"}, {"amount": "-5"}):
        browser.post(f"{address}/drain/", form | wrong)
    if moved(house) != before:
        holes.append("drained without a reason, or for more than it holds")
    browser.post(f"{address}/drain/", form)
    posted = house.sql(
        "SELECT kind, actor, reason FROM wallets_transaction WHERE reason = ? ORDER BY id", REASON
    )
    kinds = [kind for kind, actor, _ in posted if actor.startswith("player:")]
    if kinds != ["seed", "drain"]:
        holes.append(f"the ledger tells {posted}")
    return unless(holes, noticed(f"{' and '.join(kinds)}, each by {posted[0][1]} with the reason"))


@attack(
    "money",
    "open a table that takes everything",
    "rake of 10,000, no point, no time, tiny shares; and the rules of a table by one alone",
    "settings",
)
def _(house: Any) -> Outcome:
    wrong: tuple[tuple[str, dict[str, Any]], ...] = (
        ("doudizhu", {"options-rake_bp": "100"}),
        ("doudizhu", {"options-rake_bp": "10.01"}),
        ("doudizhu", {"options-point": "0"}),
        ("doudizhu", {"pause_seconds": 0}),
        ("doudizhu", {"decision_seconds": 0}),
        ("doudizhu", {"stack_min": "950"}),
        ("blackjack", {"options-rake_bp": "100"}),
        ("blackjack", {"options-spades_bp": "0.01"}),
        ("blackjack", {"options-min": "950", "options-max": "900"}),
    )
    browser, holes = house.browser("operator"), []
    paths = {game: drafted(browser, game) for game in ("doudizhu", "blackjack")}
    # Each form differs from one that is taken in that alone for which it should be refused.
    for game, path in paths.items():
        if not path or saved(browser, path, {}).status != 302:
            return broken(f"an honest draft of {game} is refused")
    for game, form in wrong:
        if saved(browser, paths[game], form).status != 200:
            holes.append(f"{game}: {form} is taken")
    rows = "SELECT options, places, buy_in_min, decision_seconds FROM games_table WHERE id = 1"
    before = house.sql(rows)
    browser.post("/admin/games/table/1/change/", {**ALONE, "name": "Attack", "status": "open"})
    if house.sql(rows) != before:
        holes.append("one manager changes the rules of a table")
    return unless(holes, refused(f"{len(wrong)} drafts, and a table's rules by one alone"))


def drafted(browser: Any, game: str) -> str:
    """The address of a new draft's form; empty where none is made."""
    wanted = {"name": f"Attack at {game} {os.urandom(4).hex()}", "game": game, "currency": "PLAY"}
    answer = browser.post("/admin/profiles/new/", {**wanted, "reason": REASON})
    return str(answer.headers.get("location", ""))


def saved(browser: Any, path: str, form: dict[str, Any]) -> Any:
    """The answer to a draft with these values, and otherwise as it is."""
    revision = re.search(r'name="revision" value="([0-9]+)"', browser.get(path).text)
    known = {"revision": revision[1] if revision else ""}
    return browser.post(path, {**SETTINGS, **known, **form})


@attack(
    "money",
    "give money away by a form",
    "options by which a bet pays its players, proposed without an answer",
    "edges",
)
def _(house: Any) -> Outcome:
    gifts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("blackjack", {"options-third_card": "dealer_up"}),
        ("baccarat", {"options-banker_note_literal": "yes"}),
        ("russian_poker", {"options-bonus_card": "yes", "options-bonus_card_count": "5"}),
    )
    browser, holes = house.browser("operator"), []
    for game, form in gifts:
        path = drafted(browser, game)
        if not path or saved(browser, path, form).status != 302:
            return broken(f"no draft of {game} is made")
        version = path.removesuffix("edit/")
        browser.post(version, {"propose": "1", "revision": "2", "reason": REASON})
        number = int(version.rstrip("/").rpartition("/")[2])
        states = house.sql("SELECT state FROM games_profileversion WHERE id = ?", number)
        if states != [("draft",)]:
            holes.append(f"{game}: {form} is proposed without an answer")
    return unless(holes, refused("each wants its figures and an answer, and a second person"))


@attack(
    "money",
    "promise another share than is taken",
    "the shares of a table's pools on its rules page, in the API and in the records",
    "one-source",
)
def _(house: Any) -> Outcome:
    holes = []
    pools = house.sql(
        "SELECT t.id, t.game, j.kind, j.share_bp FROM games_table t JOIN games_table_jackpots tj"
        " ON tj.table_id = t.id JOIN wallets_jackpot j ON j.id = tj.jackpot_id WHERE j.active"
    )
    for table, game, kind, share in pools:
        name = "jackpot_bp" if kind == "progressive" else "mystery_bp"
        page = re.sub(r"<[^>]*>|\s+", " ", house.visit(f"/tables/{table}/rules/").text)
        words = "to the jackpot" if kind == "progressive" else "to the mystery prize"
        match = re.search(rf"{words}\s+([0-9.]+|–)", page)
        if not match or match[1] != f"{share / 100:g}":
            holes.append(f"{game}: the page says {match[1] if match else 'nothing'}, not {share}")
        options = house.program().get(f"tables/{table}/").content["options"]
        if options[name] != share:
            holes.append(f"{game}: the API says {options[name]}, not {share}")
        hands = house.sql("SELECT options FROM games_hand WHERE table_id = ?", table)
        holes += [f"{game}: a hand has none" for (then,) in hands if f'"{name}"' not in then]
    if not pools:
        return broken("no table has a pool")
    return unless(holes, noticed(f"{len(pools)} pools, everywhere the same"))
