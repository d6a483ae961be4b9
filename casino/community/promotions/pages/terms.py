"""The terms of a promotion in words: written from its values, in the reader's language.

What cannot be said here cannot be paid, so terms and behaviour are the same in every language.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext

from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.kinds import BASIS_POINTS
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import (
    CashBack,
    Friend,
    HappyHour,
    Mission,
    RakeBack,
    TicketMission,
)
from games.words.naming import game_name
from games.words.players import LEVEL_NAMES
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.days import house_time

KIND_NAMES: Final[dict[str, str | Promise]] = {
    "race": _("Race"),
    "mission": _("Mission"),
    "ticket": _("Ticket"),
    "tasks": _("Tasks of the day"),
    "cash_back": _("Cash back"),
    "rake_back": _("Rake back"),
    "high_hand": _("High hand"),
    "happy_hour": _("Happy hour"),
    "bonus": _("Bonus"),
    "friend": _("Invite a friend"),
}
WINDOWS: Final[dict[str, str | Promise]] = {
    "hour": _("each hour"),
    "day": _("each day"),
    "week": _("each week"),
    "all": _("once"),
}
FEATS: Final[dict[str, str | Promise]] = {
    "bomb": _("a bomb"),
    "rocket": _("the rocket"),
    "natural": _("a natural"),
    "home_run": _("a sweep"),
    "spring": _("a spring"),
    "twenty_one": _("a blackjack"),
    "showdown": _("a call"),
    "coup": _("player or banker"),
}


class Line(NamedTuple):
    label: str
    text: str


class Writer:
    """Amounts as readers of a currency read them."""

    def __init__(self, code: str) -> None:
        self.currency = Currency.objects.get(pk=code)

    def amount(self, value: int) -> str:
        return f"{show_amount(value, self.currency)} {self.currency.unit}"


def percent(share_bp: int) -> str:
    return f"{number_format(Decimal(share_bp * 100) / BASIS_POINTS)} %"


def sentence(terms: Declaration) -> str:
    """What a promotion asks and gives, in one sentence."""
    return _SENTENCES[terms.kind.key](terms.kind, Writer(terms.currency))


def lines(terms: Declaration) -> list[Line]:
    """All terms on one screen."""
    return list(_lines(terms))


def _lines(terms: Declaration) -> Iterator[Line]:
    write = Writer(terms.currency)
    yield Line(_t("What counts"), sentence(terms))
    yield Line(_t("Games"), games(terms.kind))
    yield Line(_t("From"), house_time(terms.starts))
    yield Line(_t("Until"), house_time(terms.ends))
    if isinstance(terms.kind, Bonus):
        yield from _of_bonus(terms.kind, write)
    if isinstance(terms.kind, Race):
        yield Line(_t("Prizes"), " · ".join(map(write.amount, terms.kind.prizes)))
        yield Line(_t("Hands at least"), str(terms.kind.hands_min))
    yield Line(_t("Budget"), write.amount(terms.budget))
    if terms.player_max:
        yield Line(_t("At most for one player"), write.amount(terms.player_max))
    if terms.day_max:
        yield Line(_t("At most in one day"), write.amount(terms.day_max))
    yield Line(
        _t("Who"),
        _t(
            "Every player but guests, staff and second accounts; no hands at private tables, and "
            "no hands of Dou Dizhu without a call."
        ),
    )


def games(kind: AnyKind) -> str:
    return ", ".join(str(game_name(key)) for key in kind.games) or _t("all games")


def _of_bonus(kind: Bonus, write: Writer) -> Iterator[Line]:
    yield Line(
        _t("To wager"),
        _t("{times} times the bonus, within {days} days; own money is played first").format(
            times=kind.times, days=kind.days
        ),
    )
    yield Line(_t("Largest bet that counts"), write.amount(kind.bet_max))
    yield Line(
        _t("How bets count"),
        _t(
            "Against the house all of a bet, or a tenth where the house keeps little, and nothing "
            "of bets that cover one another; among players twenty times the rake."
        ),
    )
    yield Line(_t("Withdrawal"), _t("You give the bonus up first; your own money is always yours."))


def _race(kind: Race, write: Writer) -> str:
    by = {
        "hands": _t("most hands"),
        "wins": _t("most hands won"),
        "rake": _t("most rake"),
    }[kind.by]
    return ngettext(
        "The player with the {by} wins {first}, {window}.",
        "The {count} players with the {by} win up to {first}, {window}.",
        len(kind.prizes),
    ).format(
        by=by,
        count=len(kind.prizes),
        first=write.amount(kind.prizes[0]),
        window=WINDOWS[kind.window],
    )


def _mission(kind: Mission, write: Writer) -> str:
    return _asked(kind, write.amount(kind.pay))


def _ticket(kind: TicketMission, _write: Writer) -> str:
    return _asked(
        kind, _t("a ticket to {event}").format(event=pgettext("a tournament", kind.event))
    )


def _tasks(kind: DailyTasks, write: Writer) -> str:
    return _t(
        "The tasks of “My week” bring {tasks}; all three of a day {all_three} more, and a hand on "
        "each day of a week {whole_week}."
    ).format(
        tasks=" · ".join(map(write.amount, kind.of_tasks)),
        all_three=write.amount(kind.all_three),
        whole_week=write.amount(kind.whole_week),
    )


def _asked(kind: Mission, pay: str) -> str:
    """What a mission asks, and what it gives."""
    window = WINDOWS[kind.window]
    if kind.what == "feat":
        feat = FEATS.get(kind.feat, kind.feat)
        return ngettext(
            "Win a hand with {feat}: {pay}, {window}.",
            "Win {goal} hands with {feat}: {pay}, {window}.",
            kind.goal,
        ).format(goal=kind.goal, feat=feat, pay=pay, window=window)
    if kind.what == "wins":
        return ngettext(
            "Win a hand: {pay}, {window}.", "Win {goal} hands: {pay}, {window}.", kind.goal
        ).format(goal=kind.goal, pay=pay, window=window)
    return ngettext(
        "Play a hand: {pay}, {window}.", "Play {goal} hands: {pay}, {window}.", kind.goal
    ).format(goal=kind.goal, pay=pay, window=window)


def _friend(kind: Friend, write: Writer) -> str:
    return _t(
        "Once a friend you invited has played {goal} hands: {yours} for you, {theirs} for them."
    ).format(goal=kind.goal, yours=write.amount(kind.pay_inviter), theirs=write.amount(kind.pay))


def _cash_back(kind: CashBack, write: Writer) -> str:
    return _t(
        "{share} of a net loss to the house from {least} comes back, {window}, at most {most}."
    ).format(
        share=percent(kind.share_bp),
        least=write.amount(kind.loss_min),
        window=WINDOWS[kind.window],
        most=write.amount(kind.most),
    )


def _rake_back(kind: RakeBack, _write: Writer) -> str:
    shares = ", ".join(
        f"{name} {percent(share)}"
        for name, share in zip(LEVEL_NAMES.values(), kind.shares_bp, strict=True)
    )
    return _t("A share of your rake comes back, {window}, by level: {shares}.").format(
        window=WINDOWS[kind.window], shares=shares
    )


def _happy_hour(kind: HappyHour, _write: Writer) -> str:
    text = _t("From {first}:00 to {last}:00 points count {times} times.").format(
        first=kind.first_hour, last=kind.last_hour, times=kind.points_times
    )
    if kind.rake_back_bp:
        text += " " + _t("{share} of the rake comes back.").format(share=percent(kind.rake_back_bp))
    return text


def _high_hand(kind: HighHand, write: Writer) -> str:
    return _t("The highest bomb or natural wins {pay}, {window}.").format(
        pay=write.amount(kind.pay), window=WINDOWS[kind.window]
    )


def _bonus(kind: Bonus, write: Writer) -> str:
    if kind.given_for == "first_hand":
        text = _t("{most} for the first hand you play while it runs.")
        return text.format(most=write.amount(kind.most))
    text = (
        _t("{share} of your first deposit from {least}, at most {most}.")
        if kind.given_for == "first_deposit"
        else _t("{share} of a deposit from {least}, at most {most}.")
    )
    return text.format(
        share=percent(kind.share_bp),
        least=write.amount(kind.deposit_min),
        most=write.amount(kind.most),
    )


_SENTENCES: Final[dict[str, Callable[..., str]]] = {
    "race": _race,
    "mission": _mission,
    "ticket": _ticket,
    "tasks": _tasks,
    "cash_back": _cash_back,
    "rake_back": _rake_back,
    "high_hand": _high_hand,
    "happy_hour": _happy_hour,
    "bonus": _bonus,
    "friend": _friend,
}
