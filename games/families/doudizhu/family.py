"""Dou Dizhu's answers to the questions of `games.boards.family`, and its phrases for the chat."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.family import Bar, Family, FamilyTemplates, KeyOf, OpenHand, Panel
from games.boards.help import SAME, Advice, Deed, Filled, Hint, Moment, Path, Ticked, summed_up
from games.boards.labels import LABELS
from games.boards.rule_tables import Example, RuleRow, RuleTable, bound_rows, number
from games.bots.doudizhu import call
from games.bots.doudizhu_position import Position, considered, planner_for, position, why_pass
from games.families.doudizhu import help as hand_help
from games.families.doudizhu.help import PASSES, words_of_play
from games.rules.cards import Card, parse_cards
from games.rules.contract import Action
from games.rules.doudizhu.combinations import Kind, first_beating, readings
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.hints import Planner
from games.rules.doudizhu.paying import Doubling, Worth
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import RankSet, in_order, pick, rank_set
from games.rules.doudizhu.state import CALL_MAX, Call, DoudizhuView, Pass, Play
from games.words.naming import term
from wallets.models import Currency


def advise(path: Path) -> Advice:
    return summed_up(list(_moments(path)))


def _moments(path: Path) -> Iterator[Moment]:
    game: Doudizhu = path.game
    for decision in path.decisions():
        step, view, action = decision.step, decision.view, decision.action
        if decision.do == "call":
            yield _call(game, view, step, action)
        else:
            now = position(view)
            # A player who can only pass has nothing to decide.
            if now.other is None or planner_for(now, game.wings).hints(now.hand, now.other):
                yield _play(game, view, now, step, action)


def _call(game: Doudizhu, view: DoudizhuView, step: int, action: Call) -> Moment:
    bot: Any = call(game, view)
    better = None if bot.points == action.points else Deed(_called(bot.points), (view.hand,))
    why = _("The strategy calls by the number of leads that the hand needs.") if better else ""
    return Moment(step, _("The call"), Deed(_called(action.points)), better, why=why)


def _called(points: int) -> str:
    return _("call {points}").format(points=points) if points else _("no call")


def _play(game: Doudizhu, view: DoudizhuView, now: Position, step: int, action: Action) -> Moment:
    planner = planner_for(now, game.wings)
    ranked = considered(now, game.wings)
    cost, best = ranked[0]
    cards = getattr(action, "cards", ())
    chosen = rank_set(cards)
    done = _deed(game, view, now, chosen, cards)
    if now.other is None:
        situation = _("You had the lead")
    else:
        situation = _("To beat: {play}").format(play=term(now.other.kind))
    same_cost = any(ranks == chosen and each - cost < SAME for each, ranks in ranked)
    if chosen == best or same_cost:
        return Moment(step, situation, done)
    better = _deed(game, view, now, best, pick(view.hand, best) if best else ())
    return Moment(step, situation, done, better, why=_why(now, planner, chosen, best, len(ranked)))


def _deed(game: Doudizhu, view: DoudizhuView, now: Position, ranks: RankSet, cards: Any) -> Deed:
    if not ranks:
        return Deed(_("pass"))
    meanings = readings(ranks, game.wings)
    reading = meanings[0] if now.other is None else first_beating(meanings, now.other)
    assert reading is not None
    return Deed(term(reading.kind), (tuple(cards),))


def _why(now: Position, planner: Planner, chosen: RankSet, best: RankSet, count: int) -> str:
    """The strongest reason."""
    if now.hand == best:
        return _("It would have ended the hand.")
    if not best and now.other_is_partner:
        return _("It leaves the lead to the partner.")
    if count == 1:
        return _("After it the hand can be played out no matter where the other cards are.")
    rest_best, rest_chosen = _leads(planner, now.hand - best), _leads(planner, now.hand - chosen)
    if rest_best < rest_chosen - SAME:
        words = _("The rest then needs about {fewer} leads instead of {more}.")
        return words.format(fewer=f"{rest_best:.1f}", more=f"{rest_chosen:.1f}")
    if best and min(now.opponents) <= 2:
        return _("An opponent is nearly out: it is harder for them to answer.")
    return _("It keeps more cards that can regain the lead.")


def _leads(planner: Planner, hand: RankSet) -> float:
    return planner.split(hand).cost if hand else 0.0


PHRASES: Final[dict[str, str | Promise]] = {
    "pleased": _l("Hello all, glad to be playing with you!"),
    "flowers": _l("Hurry up, the flowers have all wilted!"),
    "too_good": _l("You play these cards far too well!"),
    "partners": _l("What a pleasure to play with you!"),
    "till_dawn": _l("Nobody leaves! We fight till dawn!"),
    "no_quarrel": _l("Stop quarrelling and play!"),
    "offline": _l("Offline again? What a connection!"),
    "away": _l("Sorry, I have to leave you for a moment."),
    "miss_you": _l("Good-bye, I will miss you all!"),
}


# In the order in which one learns them.
PLAYS: Final = {
    Kind.SINGLE: "3h",
    Kind.PAIR: "7s7d",
    Kind.TRIO: "9s9h9c",
    Kind.TRIO_SINGLE: "3s3h3c6d",
    Kind.TRIO_PAIR: "3s3h3c9d9s",
    Kind.STRAIGHT: "4s5h6d7c8s",
    Kind.PAIRS: "3s3d4h4c5s5h",
    Kind.AIRPLANE: "4s4h4d5s5h5c",
    Kind.AIRPLANE_SINGLES: "4s4h4d5s5h5c7d9c",
    Kind.AIRPLANE_PAIRS: "4s4h4d5s5h5c7d7c9s9h",
    Kind.FOUR_SINGLES: "5s5h5d5c3h8s",
    Kind.FOUR_PAIRS: "4s4h4d4c5s5h7d7c",
    Kind.BOMB: "6s6h6d6c",
    Kind.ROCKET: "BJRJ",
}


# As in its `board.js`; H is that of the hint in the bar of moves.
KEYS: Final = (
    ("← →", _l("to another card")),
    (_l("Space"), _l("choose the card")),
    (_l("Enter"), _l("Play")),
    ("H", _l("Hint")),
)


class DoudizhuFamily(Family[Doudizhu, DoudizhuView]):
    title = _l("Dou Dizhu")
    plays_to_the_right = True
    phrases = PHRASES
    decisions: ClassVar[Bar] = {"play": ("pass", "play"), "call": ("call",)}

    def templates(self, game: str) -> FamilyTemplates:
        panel = Panel("counter", _l("Counter"), "families/doudizhu/panel.html")
        return (
            super()
            .templates(game)
            ._replace(
                beside="families/doudizhu/beside.html",
                alike=frozenset({"place", "felt"}),
                panels=(panel,),
            )
        )

    def keys(self, game: Doudizhu) -> Sequence[KeyOf]:
        return KEYS

    def roles(self, view: DoudizhuView) -> Mapping[int, str]:
        return {view.landlord: "landlord"} if view.landlord is not None else {}

    def last_moves(self, view: DoudizhuView, names: Mapping[int, str]) -> tuple[str, ...]:
        return hand_help.plays_said(view, names)

    def context(self, game: Doudizhu, view: DoudizhuView, fill: Filled) -> Mapping[str, object]:
        return hand_help.help_view(game, view, fill.cards)._asdict()

    def in_hand(self, cards: Sequence[Card]) -> list[Card]:
        return list(reversed(in_order(cards)))

    def open_hands(self, view: DoudizhuView) -> tuple[OpenHand, ...]:
        """Return what each seat has played, and what it still held at the end."""
        laid: dict[int, list[Card]] = {}
        for turn in view.turns:
            laid.setdefault(turn.seat, []).extend(turn.cards)
        for hand in view.opened:
            laid.setdefault(hand.seat, []).extend(hand.cards)
        return tuple(
            OpenHand((tuple(self.in_hand(laid[seat])),), seat)
            for seat in sorted(laid)
            if laid[seat]
        )

    def plays(self, game: Doudizhu, view: DoudizhuView) -> Iterator[Hint]:
        """Every legal call, play and pass; of plays that differ in suits alone, one."""
        if view.seat not in view.to_act:
            return
        if view.phase == "call":
            yield Hint(Call(0), _("No call"))
            highest = max((bid.points for bid in view.bids), default=0)
            for points in range(highest + 1, CALL_MAX + 1):
                yield Hint(Call(points), _("Call {points}").format(points=points))
            return
        hand, other = rank_set(view.hand), view.to_beat.reading if view.to_beat else None
        rank_sets = leads(hand, game.wings) if other is None else follows(hand, other, game.wings)
        for ranks in rank_sets:
            yield Hint(Play(pick(view.hand, ranks)), words_of_play(game, ranks, other))
        if other is not None:
            yield Hint(Pass(), str(LABELS["pass"]))

    def advised(self, game: Doudizhu, view: DoudizhuView) -> Iterator[Hint]:
        """The plays worth a thought, the best first, and a pass with its reason among them."""
        if view.phase != "play" or view.seat not in view.to_act:
            return
        now = position(view)
        for _cost, ranks in considered(now, game.wings):
            if ranks:
                cards = pick(view.hand, ranks)
                yield Hint(Play(cards), words_of_play(game, ranks, now.other))
            else:
                yield Hint(Pass(), str(PASSES[why_pass(now)]))

    def fill(self, game: Doudizhu, view: DoudizhuView, wanted: str) -> Filled:
        if not wanted.isdecimal():
            return Filled()
        hint = hand_help.hint_of(game, view, int(wanted[:4]))
        return Filled(wanted[:4], hint.cards, words=hint.words, passes=hint.passes)

    def ticked(self, game: Doudizhu, view: DoudizhuView, cards: Sequence[Card]) -> Ticked:
        return hand_help.ticked(game, view, cards)

    def examples(self, game: Doudizhu) -> tuple[Example, ...]:
        return tuple(Example(term(kind), parse_cards(text)) for kind, text in PLAYS.items())

    def winnings(self, game: Doudizhu) -> tuple[RuleTable, ...]:
        doublings = {
            "bomb": (_("Each bomb"), ""),
            "rocket": (_("The rocket"), ""),
            "spring": (_("Spring"), _("the landlord wins, and neither farmer has played a card")),
            "anti_spring": (_("Anti-spring"), _("the landlord has played only once")),
        }
        rows = [
            RuleRow(label, (f"×{Worth(1, 1, (Doubling(key, {}),)).points}",), note)
            for key, (label, note) in doublings.items()
        ]
        two = Worth(2, 1, (Doubling("bomb", {}), Doubling("rocket", {})))
        example = RuleRow(_("Example: a call of 2, a bomb and the rocket"), (number(two.points),))
        call = RuleRow(_("The call"), (f"1–{CALL_MAX}",))
        return (RuleTable(_("Points from or to each farmer"), (call, *rows, example)),)

    def limits(self, game: Doudizhu, currency: Currency) -> tuple[RuleRow, ...]:
        return bound_rows({_("A point"): (game.point,)}, currency)

    def advise(self, path: Path) -> Advice:
        return advise(path)


FAMILY: Final[Family[Doudizhu, DoudizhuView]] = DoudizhuFamily()
