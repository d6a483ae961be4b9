"""The decisions that a table offers to a seat, and which of them a request answers.

A request names the hand and the seat's turn. A page, and a program that wishes, also names the
decision itself by a mark that is made of the choices: boxes, hands, prices and bounds. The table
refuses an answer to another decision, so players cannot decide about a box that they have not seen.
"""

from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from django.utils.translation import gettext_noop as _n

from games.rules.contract import HOUSE, Action, AnyGame, Choices, Party, State
from games.rules.house.actions import is_done
from games.rules.sent_choices import SentBack
from wallets.values.errors import Refused, Stale

# Marks of another version are refused as those of another decision.
VERSION: Final = "1"
DIGITS: Final = 16


class Decision(NamedTuple):
    """The decision that a request answers: hand, turn of the seat, and mark if it names one."""

    hand: int
    turn: int
    mark: str = ""


def is_betting(game: AnyGame, state: State) -> bool:
    """Whether bets against the house are placed: only then may the house act beside seats."""
    return len(waiting := game.to_act(state)) > 1 and HOUSE in waiting


def bettors(game: AnyGame, state: State) -> set[Party]:
    """The seats whose money depends on the hand."""
    seats = [stake.seat for stake in state.stakes]
    return {seat for seat in seats if game.at_stake(state, seat)}


def choices_at(game: AnyGame, state: State, seat: Party) -> Choices:
    """The choices that a table offers to a seat.

    The rules allow a seat to decline to bet, as the house does for absent players. A player is
    offered the end of their betting once they have bet: before that it would only throw the round
    away.
    """
    choices = game.choices(state, seat)
    if game.at_stake(state, seat):
        return choices
    return tuple(choice for choice in choices if choice.do != "done")


def require_bet(game: AnyGame, state: State, seat: Party, action: Action) -> None:
    """Refuse the end of a player's betting before they have bet."""
    if is_done(action) and is_betting(game, state) and not game.at_stake(state, seat):
        raise Refused("nothing_staked", _n("You have no bet in this round. Place a bet first."))


def mark_of(choices: Choices) -> str:
    """Return the mark of a decision; empty without choices."""
    if not choices:
        return ""
    return f"{VERSION}.{sha256(msgspec.json.encode(choices)).hexdigest()[:DIGITS]}"


def mark_at(game: AnyGame, state: State, seat: Party, choices: Choices) -> str:
    """Return the mark of a seat's decision; empty while bets are placed.

    The bets of others may change what is open while a player puts chips down. Hand and turn name
    the round, and the rules refuse a bet that is no longer possible.
    """
    return "" if is_betting(game, state) else mark_of(choices)


def require_decision(game: AnyGame, state: State, seat: Party, mark: str, sent: SentBack) -> None:
    """Refuse an answer to another decision, and a choice that is not offered now."""
    if not mark and sent.choice is None:
        return
    choices = choices_at(game, state, seat)
    is_other = bool(mark) and mark != mark_at(game, state, seat, choices)
    if is_other or (sent.choice is not None and sent.choice not in choices):
        raise Stale(
            "other_decision",
            _n("Your choices have changed. Nothing was done: look at the table and choose again."),
        )
