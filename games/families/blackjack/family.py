"""Blackjack's answers to the questions of `games.boards.family`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _

from games.boards.family import Bar, Family, FamilyTemplates, KeyOf, Lines, OpenHand, Printed
from games.boards.help import SAME, Advice, Deed, Depth, Filled, Hint, Moment, Path, summed_up
from games.boards.labels import DECLINE, LABELS
from games.boards.rule_tables import (
    Paytable,
    RuleRow,
    RuleTable,
    Winning,
    bound_rows,
    number,
    odds_row,
    percent,
)
from games.boards.settlement_view import BoxBets
from games.boards.spots import Box, Felt, Offer
from games.boards.wheel import Wheel
from games.families import house
from games.families.blackjack.tags import dealt_total, ended_in_words, hand_total, is_bust
from games.families.house import (
    bonus_costs,
    bonus_paytable,
    box_winnings,
    dealer_hand,
    paytable_rules,
    spun_wheel,
    strategy_action,
)
from games.rules.blackjack import paying
from games.rules.blackjack.analysis.strategy import held_of, rules_of, worths
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import BLACKJACK, INSURANCE
from games.rules.blackjack.state import PLAYERS, BlackjackView, Follow, place_of
from games.rules.blackjack.totals import POINTS, total_of
from games.rules.cards import Card
from games.rules.contract import State
from games.rules.house.sides import Combination
from games.rules.house.till import EVEN
from games.words.naming import term
from wallets.models import Currency

DECISIONS = ("hit", "stand", "double", "split", "surrender")


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    for decision in path.decisions():
        step, view, do = decision.step, decision.view, decision.do
        if do == "follow":
            yield _followed(path, view, step, decision.action)
        elif do in DECISIONS and view.phase == "play":
            offered = {choice.do for choice in path.game.choices(decision.state, path.seat)}
            yield _played(path, view, step, do, offered)


def _played(path: Path, view: BlackjackView, step: int, do: str, offered: set[str]) -> Moment:
    box = next(box for box in view.boxes if box.number == view.box)
    hand = box.hands[view.hand or 0]
    shares = worths(rules_of(path.game), held_of(hand.cards), POINTS[view.dealer[0]])
    worth: dict[str, float] = {str(move): share for move, share in shares.items()}
    best = next(move for move in worth if move in offered)
    stake = hand.bets[place_of(box, path.seat)]
    situation = _situation(view, hand.cards)
    done = Deed(str(LABELS[do]), (hand.cards, view.dealer[:1]), _percent(worth[do]))
    if worth[best] - worth[do] < SAME:
        return Moment(step, situation, done)
    better = Deed(str(LABELS[best]), (), _percent(worth[best]))
    return Moment(step, situation, done, better, path.money((worth[best] - worth[do]) * stake))


def _followed(path: Path, view: BlackjackView, step: int, action: Follow) -> Moment:
    """A guest's answer: whether the double or split is worth its stake."""
    box = next(box for box in view.boxes if box.number == view.box)
    hand = box.hands[view.hand or 0]
    worth = worths(rules_of(path.game), held_of(hand.cards), POINTS[view.dealer[0]])
    gain = worth["double" if view.phase == "double" else "split"]
    words = {True: _("follows"), False: _("does not follow")}
    done = Deed(words[action.yes], (hand.cards, view.dealer[:1]))
    situation = _situation(view, hand.cards)
    if action.yes == (gain > 0) or abs(gain) < SAME:
        return Moment(step, situation, done)
    stake = hand.bets[place_of(box, path.seat)]
    return Moment(step, situation, done, Deed(words[gain > 0]), path.money(abs(gain) * stake))


def _situation(view: BlackjackView, cards: Any) -> str:
    total = total_of(cards)
    points = _("soft {points}").format(points=total.points) if total.soft else str(total.points)
    up = POINTS[view.dealer[0]]
    return _("{points} against {up}").format(points=points, up="A" if up == 1 else up)


def _percent(worth: float) -> str:
    """Return what a move is worth on average, as a share of the stake."""
    return _("{percent} % of the stake").format(percent=f"{100 * worth:+.1f}")


def paytables(game: Blackjack) -> tuple[Paytable, ...]:
    return (_main(), _bonus(game))


def _main() -> Paytable:
    rows = (
        odds_row("blackjack", BLACKJACK),
        odds_row("hand", EVEN, _("Higher total")),
        odds_row("insurance", INSURANCE),
        odds_row("even_money", EVEN),
    )
    return Paytable("hand", _("Main bet"), rows)


def _bonus(game: Blackjack) -> Paytable:
    shares = game.jackpot_shares
    by_share = (
        (paying.SPADE_777, shares.spades),
        (paying.SUITED_777, shares.suited),
    )
    # The lowest line first; of lines that pay the same, the more common one.
    fixed = (
        paying.MIXED_BLACKJACK,
        paying.SUITED_BLACKJACK,
        paying.MIXED_678,
        paying.MIXED_777,
        paying.SUITED_678,
        *(combination for combination, share_bp in reversed(by_share) if not share_bp),
    )
    odds = {
        combination.name: combination.odds
        for combination in sorted(fixed, key=_win)
        if combination.odds
    }
    played = {combination.name: share for combination, share in reversed(by_share) if share}
    table = bonus_paytable(game, odds, played, shares.least)
    if game.has_jackpot:
        return table
    note = _("This table has no jackpot, so suited sevens pay as mixed ones do.")
    return table._replace(note=note)


def _win(combination: Combination) -> int:
    return combination.odds.win(1) if combination.odds else 0


def _boxes(felt: Felt, view: BlackjackView) -> Iterator[Box]:
    game = felt.game
    boxes = {box.number: box.players for box in view.boxes}
    for box in range(1, game.boxes + 1):
        players = boxes.get(box, ())
        mine = next((player for player in players if player.seat == view.seat), None)
        if mine is None and len(players) == PLAYERS:
            yield Box(box, players, full=_("Three players are on this box."))
            continue
        stake, bonus = (mine.bet, mine.bonus) if mine else (0, 0)
        main = felt.box_spot(box, game.min, game.max, do="bet", standing=stake)
        yield Box(box, players, main, felt.bonus_spot(box, bonus, "bet"))


class BlackjackFamily(Family[Blackjack, BlackjackView]):
    decisions: ClassVar[Bar] = {
        "hit": ("split", "surrender", "double", "stand", "hit"),
        "stand": ("insure", "even_money", "stand"),
        "follow": ("follow",),
    }

    def templates(self, game: str) -> FamilyTemplates:
        return FamilyTemplates(
            board="families/blackjack/board.html",
            page="house",
            decision="families/blackjack/decision.html",
            cloth="families/house/cloth.html",
        )

    def printed(self, game: Blackjack) -> Printed:
        draws = _("Dealer hits soft 17") if game.hit_soft_17 else _("Dealer stands on all 17s")
        beside = " · ".join((_("Insurance pays 2 to 1"), draws))
        return Printed((_("Blackjack pays 3 to 2"), beside), tuple(range(1, game.box_count + 1)))

    def keys(self, game: Blackjack) -> Sequence[KeyOf]:
        return house.box_keys(game.box_count)

    def context(self, game: Blackjack, view: BlackjackView, fill: Filled) -> Mapping[str, object]:
        return {"insurance": _("Insurance pays when the dealer has blackjack, at 2:1.")}

    def bets(self, felt: Felt, view: BlackjackView) -> Offer | None:
        if view.seat is None:
            return None
        return Offer(boxes=tuple(_boxes(felt, view)))

    def bets_of_seats(self, game: Blackjack, state: State) -> Mapping[int, int]:
        return house.bets_of_seats(game, state)

    def box_bets(self, view: BlackjackView) -> Mapping[int, BoxBets]:
        """Return the viewer's bets on each box, with what was doubled and split."""
        bets = {}
        for box in view.boxes:
            for place, player in enumerate(box.players):
                if player.seat == view.seat:
                    main = sum(hand.bets[place] for hand in box.hands) or player.bet
                    bets[box.number] = BoxBets(main, player.bonus, player.insurance)
        return bets

    def bet_winnings(self, game: Blackjack) -> dict[str, Winning]:
        main = Winning(BLACKJACK, several=True, most=game.max_payout)
        return box_winnings(main, paytables(game))

    def open_hands(self, view: BlackjackView) -> tuple[OpenHand, ...]:
        """The hands of each box, which is its first player's."""
        boxes = [
            OpenHand(
                tuple(hand.cards for hand in box.hands),
                player.seat,
                totals=tuple(hand_total(hand) for hand in box.hands),
                makes=tuple(ended_in_words(hand) for hand in box.hands),
            )
            for box in view.boxes
            if box.hands
            for player in box.players[:1]
        ]
        bust = term("bust") if is_bust(view.dealer) else ""
        return (*dealer_hand(view.dealer, bust, total=dealt_total(view.dealer)), *boxes)

    def hint(self, game: Blackjack, view: BlackjackView) -> Hint:
        """The strategy's advice, in the words of the decision at hand."""
        action = strategy_action(game, view)
        do = str(action.__struct_config__.tag)
        if do == "follow" and not getattr(action, "yes", True):
            return Hint(action, _("Do not follow"))
        if do == "stand" and view.phase == "insurance":
            return Hint(action, str(DECLINE))
        return Hint(action, str(LABELS[do]))

    def depth(self, game: Blackjack, dealt: int) -> Depth | None:
        if game.shuffle_every_round:
            return None
        left = len(game.composition()) - dealt
        return Depth(left, game.cards_to_cut(left))

    def wheel(self, game: Blackjack, view: BlackjackView, lines: Lines) -> Wheel | None:
        return spun_wheel(game, view, lines, _cards_with_bonus(view))

    def paytables(self, game: Blackjack) -> tuple[Paytable, ...]:
        return paytables(game)

    def winnings(self, game: Blackjack) -> tuple[RuleTable, ...]:
        return paytable_rules(paytables(game))

    def costs(self, game: Blackjack) -> tuple[RuleTable, ...]:
        return bonus_costs(game)

    def limits(self, game: Blackjack, currency: Currency) -> tuple[RuleRow, ...]:
        bounds: dict[str, tuple[int, ...]] = {
            _("A bet on a box"): (game.min, game.max),
            _("A bonus bet"): (game.bonus_min, game.bonus_max),
            _("Paid at most in a round"): (game.max_payout,),
        }
        return (
            *bound_rows(bounds, currency),
            RuleRow(_("Boxes"), (number(game.boxes),)),
            RuleRow(_("Dealt before the cut card"), (percent(100 * game.cut_percent),)),
        )

    def advise(self, path: Path) -> Advice:
        return advise(path)


def _cards_with_bonus(view: BlackjackView) -> Iterator[Sequence[Card]]:
    """The first cards of boxes with a bonus bet, where they have not been split."""
    for box in view.boxes:
        if len(box.hands) == 1 and any(player.bonus for player in box.players):
            yield box.hands[0].cards[:2]


FAMILY: Final[Family[Blackjack, BlackjackView]] = BlackjackFamily()
