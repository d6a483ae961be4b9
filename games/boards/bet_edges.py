"""The house's share of each bet, and what comes back, as players read it."""

from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.boards.rule_tables import Row, RuleTable
from games.models import ProfileVersion
from games.profiles.figures import Figure
from games.profiles.public_figures import known_figures
from games.profiles.warnings import bet_words
from games.rules.analysis.edges import NO_SEEDS
from games.rules.analysis.pools import PoolTerms
from games.rules.contract import AnyGame


def edge_tables(
    game: AnyGame, version: ProfileVersion | None, terms: PoolTerms = NO_SEEDS
) -> tuple[RuleTable, ...]:
    """A table of the bets whose shares are known; none where players play one another."""
    rows = tuple(_row(figure) for figure in known_figures(game, version, terms))
    if not rows:
        return ()
    columns = (_("House edge"), _("Return to player"))
    return (RuleTable(_("On average, in percent of the bet"), rows, columns),)


def _row(figure: Figure) -> Row:
    note = "" if figure.error is None else f"± {_percent(figure.error)}"
    values = (_percent(figure.mean), _percent(1 - figure.mean))
    return Row(capfirst(str(bet_words(figure.key))), values, note)


def _percent(share: float) -> str:
    # Less than half a hundredth of a percent on the wrong side of nothing is nothing.
    shown = number_format(round(100 * share, 2) + 0.0, 2)
    return f"{shown}%".replace("-", "\N{MINUS SIGN}")
