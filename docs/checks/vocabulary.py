"""One word for one thing: no name in the code has a word that was retired.

Names are the identifiers of Python and of scripts, the classes and ids of styles, the ids, classes
and data attributes of templates and the variables in them, and the names of files.
"""

import re
from collections.abc import Iterator, Set
from pathlib import PurePosixPath
from typing import Final

from docs.checks.tree import File, Finding, Tree, words_of

# Retired words, and what to say instead. Stored rows, addresses, the hand record and the API keep
# the names that they were published with.
WORDS: Final = {
    "told": "data, payload, view, shown, or what the value is",
    "asked": "requested, query, filters",
    **dict.fromkeys(("purse", "purses"), "stack, starting_stack, stack_min; a player's wallet"),
    "hosting": "games/tables/between_hands.py",
    "stays": "games/tables/buy_in.py",
    **dict.fromkeys(("keeping", "heir"), "games/tables/reservations.py, reserved_for"),
    "trustee": "auto_play",
    **dict.fromkeys(("twin", "twins", "doubling"), "overflow_of, overflow_max"),
    "ceremony": "games/tables/device_links.py",
    "barred": "disabled_actions.py, DisabledAction",
    **dict.fromkeys(
        ("premises", "pace"), "casino/ops/server/data_dir.py, casino/web/rate_limits.py"
    ),
}
# Words that no Python module is called by; elsewhere they are ordinary ones.
MODULES: Final = {
    "mixing": "device_links.py, shoe_status.py",
    **dict.fromkeys(("attendance", "hiding"), "missed_turns.py, hidden_moves.py"),
    "books": "games/records",
    **dict.fromkeys(
        ("voiding", "accounting", "inspection"), "reversals.py, closed_days.py, auditor_view.py"
    ),
    "good_roads": "road_patterns.py",
    **dict.fromkeys(("around", "standing"), "seat_layout.py, live_hand.py"),
    **dict.fromkeys(("board", "lines"), "table_view.py, settlement_text.py"),
    "rooms": "coach.py of a family",
    **dict.fromkeys(("opening", "choosing"), "private_tables.py, filters.py"),
    **dict.fromkeys(("room", "running", "finding"), "listing.py, status_strip.py, seat_finder.py"),
    **dict.fromkeys(("asking", "telling"), "requests.py, payloads.py"),
    **dict.fromkeys(("alarm", "watching"), "wake_ups.py, spectators.py"),
    "sealing": "encryption.py",
    **dict.fromkeys(("guard", "patience"), "reaper.py, timeouts.py"),
    "look": "theme.py",
    **dict.fromkeys(("half_signed_in", "works_here"), "pending_sign_in.py, staff_members.py"),
    **dict.fromkeys(("outs", "pulse"), "eliminations.py, process_heartbeat.py"),
    **dict.fromkeys(
        ("ways", "rounds", "visits", "opened"),
        "play_hand.py, play_round.py, visitors.py, processes.py",
    ),
}
CLASSES: Final = {"Around": "SeatLayout", "Stake": "SeatStack"}
TREES: Final = (
    *("bench/", "casino/", "docs/", "games/", "static/", "templates/"),
    *("tests/", "tournaments/", "wallets/"),
)
# A tournament may be in its opening, where the lobby no longer has a module of that name.
FREE_IN_MODULES: Final = ("tournaments/", "tests/tournaments/")
IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*")
# What is no name: comments, also those of templates, and quoted text in templates.
COMMENT: Final = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.S)
TEMPLATE_COMMENT: Final = re.compile(
    r"\{#.*?#\}|<!--.*?-->|\{% comment .*?\{% endcomment %\}", re.S
)
TEMPLATE_CODE: Final = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
# The attributes whose values are names, and those that are names themselves.
NAMING: Final = re.compile(r"\s(?:id|class|for|form|name|headers|aria-[a-z]+by)=\"([^\"]*)\"")
DATA: Final = re.compile(r"\s(data-[a-z-]+)")
# Where a retired word is allowed, and why.
EXCEPTIONS: Final = {
    ("games/api/hands.py", "purse"): "a field of the published API",
    ("games/api/table_json.py", "purse"): "a field of the published API",
    ("games/api/table_json.py", "trustee"): "a field of the published API",
    ("games/api/table_payloads.py", "purse"): "a field of the published API",
    ("games/api/table_payloads.py", "trustee"): "a field of the published API",
    ("games/rules/doudizhu/paying.py", "doubling"): "a bomb or a spring doubles what a hand pays",
    ("games/families/doudizhu/family.py", "doubling"): "the rules name what doubles a hand",
}


def identifiers(tree: Tree) -> Iterator[Finding]:
    """Identifiers of Python, and the names of classes that are retired as a whole."""
    for file in tree.under(*TREES):
        some = file.words & WORDS.keys()
        if not some and not any(name in file.text for name in CLASSES):
            continue
        for number, line in enumerate(file.code.splitlines(), 1):
            for name in IDENTIFIER.findall(line):
                if name in CLASSES or refused(file, name, some):
                    yield file.finding(
                        number, f"The name {name} has a retired word{instead(name)}."
                    )


def markup(tree: Tree) -> Iterator[Finding]:
    """Names in scripts, styles and templates."""
    for file in tree.under(*TREES, ends=(".js", ".css", ".html")):
        if some := file.words & WORDS.keys():
            for number, name in names_in_markup(file):
                if refused(file, name, some):
                    yield file.finding(number, f"A name here has a retired word: {name}")


def file_names(tree: Tree) -> Iterator[Finding]:
    for file in tree.under(*TREES, ends=""):
        path = PurePosixPath(file.path)
        is_module = path.suffix == ".py" and not file.path.startswith(FREE_IN_MODULES)
        folders = words_of(str(path)) & WORDS.keys()
        if folders or (is_module and path.stem in MODULES):
            said = MODULES.get(path.stem) or WORDS[min(folders)]
            yield file.finding(1, f"The name of the file has a retired word: say {said}.")


def exceptions(tree: Tree) -> Iterator[Finding]:
    """An exception has to go when nothing needs it any more."""
    for path, word in EXCEPTIONS:
        if word not in WORDS or word not in words_of(tree[path].code):
            yield tree[path].finding(1, f"The exception for {word} is not needed.")


def instead(name: str) -> str:
    """What to say instead of a name with a retired word."""
    said = [CLASSES.get(name), *(WORDS.get(word) for word in sorted(words_of(name)))]
    return "; ".join(filter(None, said))


def refused(file: File, name: str, words: Set[str]) -> bool:
    found = words & words_of(name)
    return any((file.path, word) not in EXCEPTIONS for word in found)


def names_in_markup(file: File) -> Iterator[tuple[int, str]]:
    """Names with their lines. All of a script or style counts except comments."""
    if not file.path.endswith(".html"):
        lines = blank(COMMENT, file.text).splitlines()
        yield from ((number, line.strip()) for number, line in enumerate(lines, 1))
        return
    source = blank(TEMPLATE_COMMENT, file.text)
    for code in TEMPLATE_CODE.finditer(source):
        yield source.count("\n", 0, code.start()) + 1, QUOTED.sub(" ", code[0])
    html = blank(TEMPLATE_CODE, source)
    for pattern in (NAMING, DATA):
        for name in pattern.finditer(html):
            yield html.count("\n", 0, name.start()) + 1, name[1].strip()


def blank(pattern: re.Pattern[str], source: str) -> str:
    """Replace each match by as many line ends as it has, so that lines keep their numbers."""
    return pattern.sub(lambda match: "\n" * match[0].count("\n") or " ", source)
