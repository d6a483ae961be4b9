"""Each check of `python -m docs.checks` finds a fault that is planted for it."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.checks import (
    CHECKS,
    CHECKS_OF_A_RELEASE,
    Check,
    boundaries,
    compliance,
    deployment,
    findings_of,
    ledger,
    locks,
    numbers,
    pages,
    pictures,
    randomness,
    refusals,
    rules_pages,
    sizes,
    structure,
    styles,
    templates,
    translations,
    verbs,
)
from docs.checks.tree import File, Finding, Tree

# They say nothing about the house, so half of the runs do without.
pytestmark = pytest.mark.slow

Found = Callable[[Check, str, str], set[Finding]]

ZH = "casino/locale/zh_Hans/LC_MESSAGES/django.po"
VIEW = "games/views/table.py"
RULES = "from games.rules.blackjack.game import Blackjack\n"
# A check, the path of a new file, and its text.
NEW = [
    *[
        (boundaries.days, "games/a.py", text)
        for text in (
            "day = at.astimezone(UTC).date()",
            "day = timezone.now().date()",
            "day = moment.now.date()",
            "start = datetime.combine(day, time(), UTC)",
        )
    ],
    (boundaries.on_commit, "games/a.py", "transaction.on_commit(partial(f, 1), robust=True)"),
    (boundaries.staff_in_games, "templates/games/a.html", "{% if user.is_staff %}"),
    *[
        (boundaries.organisers, "games/tables/a.py", text)
        for text in (
            *("if not table.organiser: pass", "Table.objects.filter(organiser='')"),
            *("exclude(table__organiser__startswith='x')", "values('table__organiser')"),
        )
    ],
    (boundaries.organisers, "templates/a.html", "{{ table.organiser }}"),
    (boundaries.names_of_games, "games/tables/a.py", 'if key == "doudizhu": pass'),
    (boundaries.names_of_games, "templates/a.html", '{% if family == "thirteen" %}'),
    *[
        (boundaries.types_of_games, "games/tables/a.py", RULES + text)
        for text in (
            *("isinstance(game, str | Blackjack)", "issubclass(type(game), (int, Blackjack))"),
            "match game:\n    case Blackjack():\n        pass",
        )
    ],
    *[
        (boundaries.money_in_views, VIEW, text)
        for text in (
            *(
                "from wallets.money.cashier import deposit as pay",
                "from wallets.money.cashier import *",
            ),
            "from wallets.money import cashier as till\ntill.deposit()",
            "import wallets.money.ledger, wallets.money.cashier\nwallets.money.cashier.deposit()",
            "def view():\n    from wallets.money import cashier\n    return [cashier.deposit]",
            *("from ..tables.play_money import welcome", "import_module('wallets.money.cashier')"),
            "from games.tables.formats import format_of\nformat_of(table).fill(seat, 1)",
        )
    ],
    *[
        (boundaries.private_names_in_tests, "tests/a.py", text)
        for text in (
            *(
                "from games.tables.hand_verbs import _start",
                "monkeypatch.setattr(play, '_start', None)",
            ),
            "play._start()",
            *("patch('games.tables.hand_verbs._start')", "STEPS = [(play, '_start')]"),
        )
    ],
    (pages.names_of_tests, "docs/a.md", "`tests/test_checks.py::test_gone`"),
    (pages.names_of_tests, "docs/a.md", "`tests/test_gone.py::test_gone`"),
    (pages.names_of_tests, "docs/a.md", "see test_checks.py::test_every_check"),
    (pages.paths, "docs/a.md", "`games/tables/gone.py`"),
    (pages.links, "docs/a.md", "[gone](gone.md)"),
    (pages.links, "docs/a.md", "[gone](testing.md#gone)"),
    (pages.commands, "docs/a.md", "`make gone NOW=1`"),
    (pages.commands, "docs/a.md", "`python -m bench.gone`"),
    (pages.overview, "docs/a.md", ""),
    *[
        (numbers.fields, "games/a.py", text)
        for text in (
            "from django.forms import CharField, IntegerField",
            "from django import forms\nfield = forms.DecimalField()",
        )
    ],
    (numbers.patterns, "wallets/a.py", 'import re\nre.fullmatch(r"\\d+", "1")'),
    (randomness.scripts, "static/a.js", "Math.random()"),
    (ledger.kinds, "games/a.py", "post(book, 'gone', [])"),
    (ledger.reasons, "games/a.py", "from wallets.money.cashier import HOUSE\nGONE = _n('gone')\n"),
    (sizes.modules, "tests/a.py", "\n" * 501),
    (sizes.template_lines, "templates/a.html", "x" * 161),
    (sizes.scripts, "static/a.js", hex(7**200_000)),
    (sizes.words, "docs/a.md", "word " * 35_000),
    (structure.limits, "wallets/money/a.py", "from games.models import Table"),
    *[
        (styles.colours, "static/a.css", f"a {{\n  color: {colour};\n}}")
        for colour in ("#fff", "rgb(0 0 0)")
    ],
    *[
        (styles.values, "static/a.css", f"a {{\n  {declaration};\n}}\n" * 500)
        for declaration in ("font-size: 14px", "border-radius: 5px", "padding: 5px 0")
    ],
    (styles.lines, "static/a.css", "\n" * 20_000),
    (styles.drawn, "static/a.css", ".gone-by-now {\n  margin: 0;\n}"),
    (templates.dates, "templates/a.html", '{{ at|date:"Y-m-d H:i" }}'),
    (templates.shared_markup, "templates/a.html", "<select>"),
    (templates.icons, "templates/a.html", '{% icon "gone" %}'),
    (translations.complete, "games/a.py", '_("Gone, " "and away.")'),
    (translations.complete, "templates/a.html", "{% translate 'Gone.' %}"),
    (translations.complete, "games/a.py", 'raise Illegal("gone", "It is gone.")'),
]
# A check, a file, a pattern in it, and what the first match is replaced by.
CHANGED = [
    (boundaries.money_verbs, "wallets/money/cashier.py", "def withdraw", "def gone"),
    (compliance.items, compliance.PAGE, "## 7. ", "## 8. "),
    (compliance.answers, compliance.PAGE, r"\*\*Whole", "**Half"),
    (compliance.answers, compliance.PAGE, r"(?s)(## 3\. .*?\n\n).*?(\n## 4)", r"\1**Whole.**\2"),
    (compliance.overview, compliance.PAGE, r"\d+ are whole", "2 are whole"),
    (deployment.variables, deployment.VARIABLES, r"\Z", "GONE=1\n"),
    (deployment.units, deployment.path_of("web"), "casino.ops.server.web", "casino.gone"),
    (deployment.units, deployment.path_of("beat"), "Restart=always", ""),
    (deployment.containers, "docs/deploy/compose.yaml", "casino.ops.sweeper", "casino.gone"),
    (pictures.current, pictures.DIGESTS, r'"office": "', '"office": "0'),
    (locks.pins, "requirements.txt", "==", "==1"),
    (locks.hashes, "bench/requirements.lock", r"(?m)^(\w+==.*)\n( .*\n)+", r"\1\n"),
    (locks.installed, "tests/requirements.lock", "(?m)^django==", "django==1"),
    (locks.installs, "docs/deploy/Dockerfile", "--no-deps", ""),
    (ledger.kinds, ledger.PAGE, r"\| `grant` \|", "| `gone` |"),
    (randomness.drawn_by_the_system, "games/shoes/custody.py", r"secrets\.token_bytes", "gone"),
    (rules_pages.options, "docs/rules/baccarat.md", r"\| `min` \| 100", "| `min` | 1"),
    (rules_pages.reasons, "docs/rules/doudizhu.md", r"(a settlement\n(?:.*\n)*?\| )`", r"\1`gone"),
    (sizes.words, sizes.CHANGELOG, r"\Z", "word " * 1_500),
    (structure.layers, structure.CONTRACTS, "casino.care [|] ", ""),
    (structure.page, structure.PAGE, r"\| today \| \d", "| today | 9"),
    (verbs.declared, "casino/office/floor/closing.py", "floor.begin", "floor.began"),
    (verbs.listed, verbs.LIST, "alarm.take\n", ""),
    (structure.drawing_is_current, structure.DRAWING, "modules", "module"),
    (refusals.table_is_current, refusals.TABLE, "table_full\t", "table_lost\t"),
    (templates.icons, templates.SPRITE, '<symbol id="', '<symbol id="gone'),
    (templates.theme, ZH, 'msgid "Filters"', 'msgid "Gone"'),
    (translations.complete, ZH, r'(msgid "Take a seat"\nmsgstr) ".*"', r'\1 ""'),
    (translations.complete, ZH, r'(#: .*\n)(msgid "Take a seat")', r"#, fuzzy\n\1\2"),
    (translations.complete, ZH, "#: wallets/money/jackpots.py\n", "#: wallets/gone.py\n"),
    (translations.values, ZH, r'(msgstr ".*)\{amount\}', r"\1{gone}"),
    (translations.scripts, ZH, r'(msgid "Take a seat"\nmsgstr) "', r'\1 "銀'),
]


# The checks read these modules; all others are left out where they take long to read.
READ = {
    *(path for _check, path, *_ in CHANGED),
    *(f"{module.replace('.', '/')}.py" for module in boundaries.MOVES),
    *(*templates.SHARED.values(), *randomness.DRAWN),
    *("casino/ops/server/web.py", "casino/ops/sweeper.py"),
}
WHOLE = {
    pictures.current,
    refusals.table_is_current,
    structure.page,
    structure.drawing_is_current,
    structure.layers,
    structure.limits,
    verbs.declared,
    verbs.listed,
}


@pytest.fixture(scope="module")
def whole() -> Tree:
    return Tree.read()


@pytest.fixture(scope="module")
def part(whole: Tree) -> Tree:
    source = (".py", ".html", ".js", ".css")
    return Tree(
        {
            path: file
            for path, file in whole.files.items()
            if path in READ or not path.endswith(source)
        }
    )


@pytest.fixture(scope="module")
def new_findings(whole: Tree, part: Tree) -> Found:
    """What a check finds in addition when a file has another text."""

    def found(check: Check, path: str, text: str) -> set[Finding]:
        if check in WHOLE:
            return set(check(whole.edited(path, text)))
        return set(check(part.edited(path, text))) - set(check(part))

    return found


@pytest.mark.parametrize(("check", "path", "text"), NEW)
def test_a_fault_in_a_new_file_is_found(
    new_findings: Found, check: Check, path: str, text: str
) -> None:
    assert new_findings(check, path, text)


@pytest.mark.parametrize(("check", "path", "pattern", "instead"), CHANGED)
def test_a_fault_in_a_file_is_found(
    whole: Tree, new_findings: Found, check: Check, path: str, pattern: str, instead: str
) -> None:
    text, count = re.subn(pattern, instead, whole[path].text, count=1)
    assert count == 1
    assert new_findings(check, path, text)


@pytest.mark.parametrize(
    ("picture", "path"),
    [
        ("office", "templates/backoffice/overview/day.html"),
        ("office", "static/backoffice/overview.css"),
        ("doudizhu", "templates/pieces/outcome.html"),
        ("doudizhu", "static/games/felt.css"),
    ],
)
def test_a_picture_is_out_of_date_when_a_part_of_its_page_changes(
    whole: Tree, picture: str, path: str
) -> None:
    changed = whole.edited(path, whole[path].text + "\n")
    later = {
        page
        for page in pictures.PAGES
        if pictures.digest(changed, page) != pictures.digest(whole, page)
    }
    assert picture in later
    assert ("audit" in later) == (path in pictures.parts(whole, "audit"))


def test_every_check_has_a_fault_that_is_planted() -> None:
    assert {check for check, *_ in (*NEW, *CHANGED)} == {*CHECKS, *CHECKS_OF_A_RELEASE}


def test_the_lint_refuses_random_in_the_code_of_games(repository: Path) -> None:
    """In the whole house, but for three places that deal to no player (`pyproject.toml`)."""
    source = '"""A module."""\n\nfrom random import Random\n\nRandom()\n'
    words = [sys.executable, "-m", "ruff", "check", "--no-cache", "--stdin-filename"]
    for path in ("games/shoes/custody.py", "games/tables/deal.py", "tournaments/event/mixing.py"):
        done = subprocess.run(
            [*words, path, "-"], input=source, cwd=repository, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert "TID251" in done.stdout, path


class Asked(Tree):
    """A tree that notes which files a check asks for by name."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree.files)
        self.paths = set[str]()

    def __getitem__(self, path: str) -> File:
        self.paths.add(path)
        return super().__getitem__(path)


@pytest.mark.parametrize("check", [pages.overview, ledger.kinds, rules_pages.options, verbs.listed])
def test_a_missing_file_is_a_finding(part: Tree, check: Check) -> None:
    asked = Asked(part)
    list(findings_of(check, asked))
    assert asked.paths
    for path in asked.paths:
        left = {name: file for name, file in part.files.items() if name != path}
        assert path in {finding.path for finding in findings_of(check, Tree(left))}


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (ledger.kinds, ledger.PAGE, "# The ledger\n"),
        (rules_pages.options, "docs/rules/baccarat.md", ""),
        (numbers.fields, "games/a.py", "def f(:\n"),
    ],
)
def test_a_file_that_nothing_can_read_is_a_finding(
    part: Tree, check: Check, path: str, text: str
) -> None:
    assert path in {finding.path for finding in findings_of(check, part.edited(path, text))}
