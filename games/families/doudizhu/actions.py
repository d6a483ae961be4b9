"""The actions of a player of Dou Dizhu for a program: all of them, and the best."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from games.boards.help import Hint
from games.boards.labels import LABELS
from games.bots.doudizhu_position import considered, position, why_pass
from games.families.doudizhu.help import PASSES, words_of_play
from games.rules.doudizhu.actions import CALL_MAX, Call, Pass, Play
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.plays import follows, leads
from games.rules.doudizhu.ranks import pick, rank_set
from games.rules.doudizhu.view import DoudizhuView


def plays(game: Doudizhu, view: DoudizhuView) -> Iterator[Hint]:
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
    found = leads(hand, game.wings) if other is None else follows(hand, other, game.wings)
    for ranks in found:
        yield Hint(Play(pick(view.hand, ranks)), words_of_play(game, ranks, other))
    if other is not None:
        yield Hint(Pass(), str(LABELS["pass"]))


def advised(game: Doudizhu, view: DoudizhuView) -> Iterator[Hint]:
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
