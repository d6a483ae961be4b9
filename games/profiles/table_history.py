"""The versions of a table's rules in words: what each changed, and its effect on the players."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import ProfileVersion, Table, TableRules
from games.profiles import reckoning, warnings
from games.profiles.differences import Content, changed, label_of, show_setting
from games.profiles.figures import DECISIONS, Figure, figure_text
from games.profiles.option_form import in_words
from games.tables.table_rules import jackpots_of, settings_of
from games.words.naming import jackpot_title
from wallets.models import Currency, Jackpot
from wallets.staff.approvals import Change
from wallets.values.errors import Refused


class Entry(NamedTuple):
    """One version of a table's rules, with what it changed and what that does."""

    rules: TableRules
    changes: list[Change]


def history(table: Table) -> list[Entry]:
    """All versions, the newest first."""
    rows = list(table.rules.select_related("profile_version__profile").order_by("number"))
    first = [Entry(row, []) for row in rows[:1]]
    later = [Entry(row, list(changes(table, before, row))) for before, row in pairwise(rows)]
    return [*first, *later][::-1]


def coming_lines(table: Table) -> tuple[str, ...]:
    """What the next hand's rules change, as the players at the table read it."""
    if table.coming_rules_id is None:
        return ()
    waits = TableRules.objects.select_related("profile_version").filter(pk=table.coming_rules_id)
    after = waits.first()
    before = table.rules.filter(applied_at__isnull=False).order_by("-number").first()
    if after is None or before is None:
        return ()
    return tuple(
        f"{change.words} {change.before} → {change.after}"
        for change in changes(table, before, after)
    )


def changes(table: Table, before: TableRules, after: TableRules) -> Iterator[Change]:
    """Rules, settings, seats and jackpots that differ, and the figures that differ with them."""
    for difference in changed(_content(table, before), _content(table, after)):
        yield Change(difference.label, difference.before, difference.after)
    if before.places != after.places:
        yield Change(_("Seats"), str(before.places), str(after.places))
    if before.jackpots != after.jackpots:
        yield Change(_("Jackpots"), jackpot_names(before.jackpots), jackpot_names(after.jackpots))
    yield from figure_changes(before.profile_version, after.profile_version, table.currency)


def _content(table: Table, rules: TableRules) -> Content:
    return Content(table.game, table.currency, rules.options, rules.table_settings)


def jackpot_names(numbers: list[int]) -> str:
    names = Jackpot.objects.filter(pk__in=numbers).order_by("name").values_list("name", flat=True)
    return ", ".join(jackpot_title(name) for name in names) or _("none")


def figure_changes(
    before: ProfileVersion | None, after: ProfileVersion | None, currency: Currency
) -> Iterator[Change]:
    """The figures that both versions have and that differ: what the house keeps, or its rake."""
    if before is None or after is None or before.pk == after.pk:
        return
    was, now = _figures(before), _figures(after)
    for key, figure in now.items():
        if key == DECISIONS or key not in was:
            continue
        texts = [figure_text(value, currency) for value in (was[key], figure)]
        if texts[0] != texts[1]:
            words = _("House's share, {bet}").format(bet=warnings.bet_words(key))
            yield Change(words, *texts)


def _figures(version: ProfileVersion) -> dict[str, Figure]:
    try:
        return reckoning.figures_of_version(version)
    except Refused:
        # The rules read the options of this version no more.
        return {}


def rules_in_words(table: Table) -> list[tuple[str, str]]:
    """The rules of a table as they are: each with its label, as people read it."""
    currency = table.currency
    return [
        *in_words(table.game, table.options, currency),
        *(
            (label_of(name), show_setting(name, value, currency))
            for name, value in settings_of(table).items()
        ),
        (_("Seats"), str(table.places)),
        (_("Jackpots"), jackpot_names(jackpots_of(table))),
    ]
