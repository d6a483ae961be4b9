"""Warnings that a manager must answer, with a reason, before proposing a version."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Max
from django.utils.translation import gettext as _

from games.models import ProfileVersion, Seat
from games.profiles.figures import DECISIONS, RAKE, Figure
from games.profiles.options import share_text
from games.profiles.reckoning import game_of
from games.words.naming import term
from wallets.values.amounts import show_amount

# So many standard errors of a sampled edge may lie on the players' side before it is quiet.
SURE: Final = 2.0
ANSWER_MAX: Final = 200


class Warned(NamedTuple):
    """A code that the answer is stored under, what is the matter, and by how much."""

    code: str
    title: str
    sentence: str


class Checked(NamedTuple):
    """One thing that was looked at, and what was found, if anything."""

    # What is true where nothing was found.
    quiet_words: str
    found: list[Warned]

    @property
    def words(self) -> str:
        """What is true of the version: all is quiet, or what is the matter, each thing once."""
        return (
            " · ".join(dict.fromkeys(warning.title for warning in self.found)) or self.quiet_words
        )


def checks(version: ProfileVersion, figures: Mapping[str, Figure]) -> list[Checked]:
    """Everything that is looked at, quiet or not."""
    return [
        Checked(_("Every bet stays with the house"), list(_players_edges(figures))),
        Checked(
            _("The smallest stack that is dealt in can pay the smallest stake"),
            list(_above_stacks(version)),
        ),
        Checked(_("The rake is below the usual legal limit"), list(_rake(version))),
        Checked(_("The house games take no rake on top of their edge"), list(_on_top(version))),
    ]


def warnings(version: ProfileVersion, figures: Mapping[str, Figure]) -> list[Warned]:
    return [warned for checked in checks(version, figures) for warned in checked.found]


def unanswered(warneds: Iterable[Warned], answers: Mapping[str, str]) -> list[Warned]:
    return [warned for warned in warneds if not str(answers.get(warned.code, "")).strip()]


def title_of(code: str) -> str:
    """A warning by its code, for one that was answered."""
    kind, _dot, bet = code.partition(".")
    if kind == "edge":
        return f"{_('Players have the edge')}: {bet_words(bet)}"
    return {
        "stake.smallest_stack": _("The stake is above the smallest stack"),
        "stake.every_stack": _("The stake is above every stack"),
        "rake.bound": _("The rake reaches the usual legal limit"),
        "rake.on_top": _("Rake on top of an edge"),
    }.get(code, code)


def bet_words(key: str) -> str:
    """A bet, or what is averaged, as people read it."""
    names = {
        "main": _("main bet"),
        RAKE: _("rake per hand"),
        DECISIONS: _("decisions in a row per hand"),
    }
    return str(names.get(key) or term(key))


def _players_edges(figures: Mapping[str, Figure]) -> Iterator[Warned]:
    for key, figure in figures.items():
        if key in (RAKE, DECISIONS):
            continue
        lower = figure.mean - SURE * (figure.error or 0)
        if lower >= 0:
            continue
        bet = bet_words(key)
        if figure.mean < 0:
            sentence = _("On average the house loses {share} of every 100 bet: {bet}.")
        else:
            sentence = _("The house may lose up to {share} of every 100 bet: {bet}.")
        loss = -figure.mean if figure.mean < 0 else -lower
        yield Warned(
            f"edge.{key}",
            _("Players have the edge"),
            sentence.format(share=f"{100 * loss:.2f}", bet=bet),
        )


def _above_stacks(version: ProfileVersion) -> Iterator[Warned]:
    least, currency = game_of(version).least_stake, version.profile.currency
    bound = version.table_settings["stack_min"]
    if least > bound:
        yield Warned(
            "stake.smallest_stack",
            _("The stake is above the smallest stack"),
            _("The smallest stake is {least}, but players with only {stack} are dealt in.").format(
                least=show_amount(least, currency), stack=show_amount(bound, currency)
            ),
        )
    seated = Seat.objects.filter(table__profile=version.profile_id, left_at__isnull=True)
    most = seated.aggregate(most=Max("stack__balance"))["most"]
    tallest = version.table_settings["buy_in_max"] if most is None else most
    if least > tallest:
        yield Warned(
            "stake.every_stack",
            _("The stake is above every stack"),
            _("The smallest stake is {least}; no stack is above {stack}.").format(
                least=show_amount(least, currency), stack=show_amount(tallest, currency)
            ),
        )


def _rake(version: ProfileVersion) -> Iterator[Warned]:
    game: Any = game_of(version)
    bound = settings.RAKE_WARNED_BP
    if game.rake_bp >= bound:
        yield Warned(
            "rake.bound",
            _("The rake reaches the usual legal limit"),
            _("It takes {rake} % of a net win; from {bound} % on, a reason is required.").format(
                rake=share_text(game.rake_bp), bound=share_text(bound)
            ),
        )


def _on_top(version: ProfileVersion) -> Iterator[Warned]:
    game: Any = game_of(version)
    if hasattr(game, "max_payout") and game.rake_bp:
        yield Warned(
            "rake.on_top",
            _("Rake on top of an edge"),
            _("Players pay {rake} % of a net win on top of the edge of each bet.").format(
                rake=share_text(game.rake_bp)
            ),
        )
