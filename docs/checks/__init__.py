"""Checks of names, texts and pages, which need no running house: `python -m docs.checks`.

Each module has checks of one kind. A check is a function that takes the tree and yields findings.
"""

from collections.abc import Callable, Iterator
from typing import Final

from docs.checks import (
    boundaries,
    compliance,
    deployment,
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
from docs.checks.tree import CannotCheck, Finding, Tree

Check = Callable[[Tree], Iterator[Finding]]


def findings_of(check: Check, tree: Tree) -> Iterator[Finding]:
    """What a check finds; where it cannot go on, the reason is its last finding."""
    try:
        yield from check(tree)
    except CannotCheck as error:
        yield error.finding
    except SyntaxError:
        # Another check, which reads the module as a file of the tree, says which one.
        yield Finding("docs/checks", 1, f"{check.__name__} stopped at a module that is no Python.")


CHECKS: Final[tuple[Check, ...]] = (
    boundaries.days,
    boundaries.on_commit,
    boundaries.staff_in_games,
    boundaries.organisers,
    boundaries.names_of_games,
    boundaries.types_of_games,
    boundaries.money_in_views,
    boundaries.money_verbs,
    boundaries.private_names_in_tests,
    compliance.items,
    compliance.answers,
    compliance.overview,
    deployment.variables,
    deployment.units,
    deployment.containers,
    ledger.kinds,
    ledger.reasons,
    locks.pins,
    locks.hashes,
    locks.installed,
    locks.installs,
    numbers.fields,
    numbers.patterns,
    pages.names_of_tests,
    pages.paths,
    pages.links,
    pages.commands,
    pages.overview,
    randomness.drawn_by_the_system,
    randomness.scripts,
    refusals.table_is_current,
    rules_pages.options,
    rules_pages.reasons,
    sizes.modules,
    sizes.template_lines,
    sizes.scripts,
    sizes.words,
    structure.limits,
    structure.layers,
    structure.page,
    structure.drawing_is_current,
    styles.colours,
    styles.values,
    styles.lines,
    styles.drawn,
    templates.dates,
    templates.shared_markup,
    templates.icons,
    templates.theme,
    translations.complete,
    translations.values,
    translations.scripts,
    verbs.declared,
    verbs.listed,
)

# What may wait for the next release: `make lint` names it, and does not fail.
CHECKS_OF_A_RELEASE: Final[tuple[Check, ...]] = (pictures.current,)
