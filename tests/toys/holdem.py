"""Random hands of the installed game, and the same hands played on pokerkit without it."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from pokerkit import Automation, NoLimitTexasHoldem

from games.rules.cards import Card
from games.rules.contract import Action, AnyGame, Party, SeatStack
from tests.rules.harness import Played, Table

GAME: Final = "texas_holdem"
# All but the deal, whose cards are those of the hand.
AUTOMATIONS: Final = tuple(
    automation
    for automation in Automation
    if automation
    not in (Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)
)


def open_to(state: Any, seat: int | None) -> set[Card]:
    """The cards of a seat, the board, and at a showdown those of all who have not folded."""
    count, course = len(state.order), state.course
    places = {2 * count + at for at in range(course.board)}
    for place, stake in enumerate(state.order):
        if stake.seat == seat or (course.is_shown and course.did[place] != "fold"):
            places |= {place, count + place}
    return {state.cards[place] for place in places}


def context(random: Random, stakes: Sequence[SeatStack]) -> dict[str, object]:
    joined = [stake.seat for stake in stakes if random.random() < 0.2]
    return {"button": random.choice(stakes).seat, "joined": joined}


def choose(random: Random, game: AnyGame, state: Any, seat: Party) -> Action:
    """A move that folds seldom, so that many hands come to a showdown."""
    choices = game.choices(state, seat)
    weights = [1 if choice.do == "fold" else 3 for choice in choices]
    (choice,) = random.choices(choices, weights)
    kinds: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in game.actions}
    if choice.least is None or choice.most is None:
        action: Action = kinds[choice.do]()
        return action
    between = random.randint(choice.least, choice.most)
    raised: Action = kinds[choice.do](random.choice((choice.least, choice.most, between)))
    return raised


TABLE: Final = Table(
    options={
        "point": (1, 7, 100),
        "rake_bp": (0, 500),
        "rake_cap": (None, 20),
        "tournament": (False, True),
    },
    stacks=(1, 60, 150, 333, 2_000, 10_000),
    context=context,
    choose=choose,
    cards_in_play=lambda state: state.cards,
    open_to=open_to,
)


def agrees_with_pokerkit(played: Played) -> None:
    """Each seat ends with the chips that it has when pokerkit alone plays the hand."""
    game: Any = played.game
    order = _order(played)
    table = NoLimitTexasHoldem.create_state(
        AUTOMATIONS,
        True,
        0,
        _blinds(played, order),
        game.point,
        tuple(stake.stack for stake in order),
        len(order),
        rake=lambda amount, state: _rake(game, amount, state),
    )
    cards = [card.text for card in played.cards]
    for place in range(len(order)):
        table.deal_hole(cards[place] + cards[len(order) + place])
    left, moves = cards[2 * len(order) :], list(played.moves)
    while table.status:
        if table.can_burn_card("??"):
            table.burn_card("??")
        elif count := table.board_dealing_count:
            table.deal_board("".join(left[:count]))
            left = left[count:]
        else:
            _act(table, order, *moves.pop(0))
    assert not moves
    net = played.settlement.net
    assert table.stacks == [stake.stack + net[stake.seat] for stake in order]
    assert sum(played.settlement.rake.values()) == -sum(table.payoffs)


def _order(played: Played) -> list[SeatStack]:
    """The stakes from the small blind on."""
    button = getattr(played.context, "button", None)
    ordered = sorted(played.stakes, key=lambda stake: stake.seat)
    while ordered[-1].seat != button:
        ordered.append(ordered.pop(0))
    return ordered


def _blinds(played: Played, order: Sequence[SeatStack]) -> list[int]:
    """The blinds from the small one on; what is put in out of turn is negative on pokerkit."""
    game: Any = played.game
    joined = getattr(played.context, "joined", ())
    blinds = [max(1, game.point // 2), game.point, *[0] * (len(order) - 2)]
    stays = [stake for stake in order if stake.seat not in joined]
    if game.tournament or len(stays) < 2:
        return blinds
    for place in (0, *range(2, len(order))):
        if order[place].seat in joined:
            blinds[place] = -game.point
    return blinds


def _rake(game: Any, amount: int, table: Any) -> tuple[int, int]:
    share = amount * game.rake_bp // 10_000
    if game.rake_cap is not None:
        share = min(share, game.rake_cap)
    if game.tournament or not table.board_cards:
        share = 0
    return share, amount - share


def _act(table: Any, order: Sequence[SeatStack], seat: Party, action: Any) -> None:
    assert order[table.actor_index].seat == seat
    do = action.__struct_config__.tag
    if do == "fold":
        table.fold()
    elif do in ("check", "call"):
        table.check_or_call()
    else:
        table.complete_bet_or_raise_to(action.amount)
