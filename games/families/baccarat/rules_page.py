"""The rules' page of baccarat: what bets pay, when the banker draws, what a table asks for."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.boards.paytables import odds_in_words
from games.boards.rule_tables import NONE, Row, RuleTable, bound_rows, number, percent
from games.rules.baccarat.coup import banker_draws
from games.rules.baccarat.game import PAIR, SPOTS, TIE, BaccaratTable
from games.words.naming import term
from wallets.models import Currency


def winnings(game: BaccaratTable) -> Iterator[RuleTable]:
    six, others = game.banker_odds(6), game.banker_odds(7)
    rows = []
    for spot in SPOTS:
        odds = {"tie": TIE, "player": game.side_odds("player", 0), "banker": others}.get(spot, PAIR)
        rows.append(Row(term(spot), (odds_in_words(odds),)))
        if spot == "banker" and six != others:
            rows.append(Row(_("Banker, winning with 6"), (odds_in_words(six),)))
        if spot == "banker" and game.commission_bp:
            rows.append(Row(_("Commission on a win of banker"), (percent(game.commission_bp),)))
    yield RuleTable(_("What bets pay"), tuple(rows))
    yield RuleTable(
        _("When the banker draws"),
        tuple(Row(str(total), _banker_draws(game, total)) for total in range(8)),
        (_("player stood"), _("player's third card counts")),
    )


def _banker_draws(game: BaccaratTable, total: int) -> tuple[str, str]:
    """Whether the banker draws on a total: when the player stood, and after which third cards."""
    stood = banker_draws(total, 6, None, game.banker_note_literal)
    thirds = [third for third in range(10) if banker_draws(total, 0, third, False)]
    runs: list[list[int]] = []
    for third in thirds:
        if runs and runs[-1][-1] == third - 1:
            runs[-1].append(third)
        else:
            runs.append([third])
    spans = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return _("draws") if stood else NONE, _(", ").join(spans) or NONE


def limits(game: BaccaratTable, currency: Currency) -> tuple[Row, ...]:
    bounds: dict[str, tuple[int, ...]] = {
        _("On player and on banker"): (game.min, game.most_on("player")),
        _("On the tie"): (game.min, game.most_on("tie")),
        _("On each pair"): (game.min, game.most_on("player_pair")),
        _("Paid at most in a round"): (game.max_payout,),
    }
    cut = Row(_("Cards behind the cut card"), (number(game.cut_cards),))
    return (*bound_rows(bounds, currency), cut)
