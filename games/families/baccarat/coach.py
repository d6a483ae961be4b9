"""Baccarat: nothing is decided but what to bet on, and each bet has its price."""

from collections.abc import Iterator
from functools import cache

from django.utils.translation import gettext as _

from games.boards.advice import Advice, Deed, Moment, Path, summed_up
from games.rules.analysis.baccarat import BaccaratOdds, exact_odds
from games.rules.baccarat.game import BaccaratTable
from games.words.naming import term


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    edges = odds_of(path.game).edges
    cheapest = min(edges, key=lambda spot: edges[spot])
    for decision in path.decisions():
        if decision.do == "bet":
            step, bet = decision.step, decision.action
            edge = edges[bet.on]
            situation = _("A bet of {amount}").format(amount=path.money(bet.amount))
            done = Deed(term(bet.on), worth=_share(edge))
            if edge == edges[cheapest]:
                yield Moment(step, situation, done)
            else:
                cost = path.money(float((edge - edges[cheapest]) * bet.amount))
                yield Moment(
                    step, situation, done, Deed(term(cheapest), worth=_share(edges[cheapest])), cost
                )


@cache
def odds_of(game: BaccaratTable) -> BaccaratOdds:
    """The odds of a full shoe; the cards already dealt hardly change them."""
    return exact_odds(game, game.composition())


def _share(edge: object) -> str:
    return _("the house keeps {percent} % on average").format(percent=f"{100 * float(edge):.2f}")  # type: ignore[arg-type]
