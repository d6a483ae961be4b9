"""A hand as pokerkit deals it: a table is set up, the moves are made again, and the result is read.

pokerkit decides everything that is decided: whose turn it is, what may be bet, the pots, the odd
chip, and who wins. It counts players from the small blind on; these are the *places* here. Nobody
burns cards, because the order of the shoe is sealed before the hand.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from msgspec import Struct
from pokerkit import Automation, NoLimitTexasHoldem
from pokerkit import State as Table

from games.rules.cards import Card

HOLE_CARDS: Final = 2
BOARD: Final = 5
AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PULLING,
)
UNKNOWN: Final = "??"

# Tables that a process keeps to go on with.
KEPT_MAX: Final = 64

# What a player does: to fold, to go along for what that costs, or to bet up to an amount.
FOLD, GO_ALONG = -1, 0
FOLDED: Final = "fold"
Deed = int


class Terms(Struct, frozen=True):
    """The blinds, and what the house takes from a pot once the flop has been dealt."""

    small_blind: int
    big_blind: int
    rake_bp: int
    # The most that it takes from one pot.
    rake_cap: int

    def rake(self, amount: int, table: Table) -> tuple[int, int]:
        """What the house takes of a pot, and what is left of it."""
        share = min(self.rake_cap, amount * self.rake_bp // 10_000) if table.board_cards else 0
        return share, amount - share


class Pot(Struct, frozen=True):
    """A pot, by places: who has paid how much into it, and who got how much out of it."""

    amount: int
    rake: int
    paid: tuple[int, ...]
    won: tuple[int, ...]


class Course(Struct, frozen=True):
    """How far a hand has come; all by places."""

    # Who is to act; None when the hand is over.
    actor: int | None
    board: int
    bets: tuple[int, ...]
    left: tuple[int, ...]
    # What each did last in this round of betting, or that they have folded.
    did: tuple[str, ...]
    # The pots so far, without the bets of this round.
    collected: tuple[int, ...]
    # What it costs the one to act to go along, and up to what amounts they may bet, if at all.
    to_call: int = 0
    least: int | None = None
    most: int | None = None
    is_shown: bool = False
    pots: tuple[Pot, ...] = ()


@dataclass
class Play:
    """A table of pokerkit that cards are dealt to."""

    table: Table
    cards: Sequence[Card]
    did: list[str]
    is_shown: bool = False
    pots: list[Pot] = field(default_factory=list)

    def make(self, deed: Deed) -> None:
        """Let the one to act do something; `ValueError` if pokerkit does not allow it."""
        table, place = self.table, self.table.actor_index
        highest, to_call = max(table.bets), table.checking_or_calling_amount
        if deed == FOLD:
            table.fold()
            word = FOLDED
        elif deed == GO_ALONG:
            table.check_or_call()
            word = "call" if to_call else "check"
        else:
            table.complete_bet_or_raise_to(deed)
            word = "raise" if highest else "bet"
        if place is not None:
            self.did[place] = word

    def go_on(self) -> None:
        """Deal, show and pay until somebody is to act, or the hand is over."""
        table = self.table
        while table.status and table.actor_index is None:
            if table.can_burn_card(UNKNOWN):
                table.burn_card(UNKNOWN)
            elif count := table.board_dealing_count:
                start = HOLE_CARDS * table.player_count + len(table.board_cards)
                table.deal_board(_text(self.cards[start : start + count]))
                self.did = [word if word == FOLDED else "" for word in self.did]
            elif table.showdown_index is not None:
                self.is_shown = True
                table.show_or_muck_hole_cards(True)
            else:
                self._pay()

    def _pay(self) -> None:
        table = self.table
        # The bet that made all others fold goes back to its player.
        paid = [-payoff - bet for payoff, bet in zip(table.payoffs, table.bets, strict=True)]
        pots = [(pot.raked_amount, pot.unraked_amount, pot.player_indices) for pot in table.pots]
        won = [[0] * table.player_count for _pot in pots]
        while table.can_push_chips():
            push = table.push_chips()
            won[push.pot_index] = list(
                map(sum, zip(won[push.pot_index], push.amounts, strict=True))
            )
        below = 0
        for (rake, rest, places), amounts in zip(pots, won, strict=True):
            last = len(self.pots) == len(pots) - 1
            level = max(paid) if last else min(paid[place] for place in places)
            shares = tuple(max(0, min(amount, level) - below) for amount in paid)
            assert sum(shares) == rake + rest, "a pot is what was paid into it"
            self.pots.append(Pot(rake + rest, rake, shares, tuple(amounts)))
            below = level

    def course(self) -> Course:
        table, is_over = self.table, not self.table.status
        can_bet = table.can_complete_bet_or_raise_to()
        return Course(
            actor=table.actor_index,
            board=len(table.board_cards),
            bets=tuple(table.bets),
            left=tuple(table.stacks),
            did=tuple(self.did),
            collected=() if is_over else tuple(pot.amount for pot in table.pots),
            to_call=table.checking_or_calling_amount or 0,
            least=table.min_completion_betting_or_raising_to_amount if can_bet else None,
            most=table.max_completion_betting_or_raising_to_amount if can_bet else None,
            is_shown=self.is_shown,
            pots=tuple(self.pots),
        )


# The terms, the stacks, the cards, and the places that put in a big blind to play again.
Hand = tuple[Terms, tuple[int, ...], tuple[Card, ...], tuple[int, ...]]
_KEPT: Final[dict[tuple[Hand, tuple[Deed, ...]], Play]] = {}


def _text(cards: Iterable[Card]) -> str:
    return "".join(card.text for card in cards)


def hole_places(place: int, count: int) -> tuple[int, int]:
    """Where the cards of a player lie in the dealing order: one each, twice around the table."""
    return place, count + place


def dealt(terms: Terms, stacks: Sequence[int], cards: Sequence[Card], posts: Sequence[int]) -> Play:
    """A table to which the cards of all players have been dealt."""
    count = len(stacks)
    blinds = dict(enumerate((terms.small_blind, terms.big_blind)))
    # A negative blind is one that is put in out of turn: the betting begins as without it.
    blinds |= dict.fromkeys(posts, -terms.big_blind)
    table = NoLimitTexasHoldem.create_state(
        AUTOMATIONS,
        True,
        0,
        blinds,
        terms.big_blind,
        tuple(stacks),
        count,
        rake=partial(terms.rake),
    )
    for place in range(count):
        table.deal_hole(_text(cards[at] for at in hole_places(place, count)))
    play = Play(table, cards, [""] * count)
    play.go_on()
    return play


def course(
    terms: Terms,
    stacks: Sequence[int],
    cards: Sequence[Card],
    deeds: Sequence[Deed],
    posts: Sequence[int],
) -> Course:
    """How far a hand has come after these deeds; `ValueError` if pokerkit does not allow one.

    The same hand gives the same course. Where the last table that was asked for is one deed behind,
    it goes on; else the hand is dealt again.
    """
    hand, done = (terms, tuple(stacks), tuple(cards), tuple(posts)), tuple(deeds)
    play = _KEPT.pop((hand, done[:-1]), None) if done else None
    if play is None:
        play, due = dealt(*hand), done
    else:
        due = done[-1:]
    for deed in due:
        play.make(deed)
        play.go_on()
    _KEPT[hand, done] = play
    if len(_KEPT) > KEPT_MAX:
        # Other threads come and go here, too.
        with suppress(RuntimeError, StopIteration):
            _KEPT.pop(next(iter(_KEPT)), None)
    return play.course()
