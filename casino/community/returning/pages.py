"""The page for returning players: today's tasks, the days, achievements, and the boards."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.accounts.models import Player
from casino.community.returning import achievements, boards, weeks
from casino.community.returning.counting import monday
from casino.community.returning.weeks import is_open_to
from games.rules.catalogue import GAMES
from games.web.fields import choice, set_choices
from games.words.naming import GAME_NAMES
from wallets.values.days import day_of


class BoardForm(forms.Form):
    """The game whose leaderboard is shown."""

    game = choice(_("Game"))

    def __init__(self, game: str) -> None:
        super().__init__(initial={"game": game}, auto_id="board-%s")
        set_choices(self, game=[(key, GAME_NAMES[key]) for key in GAMES])


@never_cache
@login_required
@require_safe
def my_week(request: HttpRequest) -> HttpResponse:
    player, now = request.user, timezone.now()
    if not isinstance(player, Player) or not is_open_to(player):
        raise Http404
    today = day_of(now)
    week = monday(today)
    played = boards.games_of(player.pk, week)
    wanted = request.GET.get("game", "")
    game = wanted if wanted in GAMES else next(iter(played), next(iter(GAMES)))
    streak, days = weeks.streak(player.pk, today), weeks.week_of(player.pk, week, today)
    shown = achievements.shown(player.pk, streak)
    context = {
        "tasks": weeks.progress(today, weeks.hands_of(player.pk, today)),
        "streak": streak,
        "days": days,
        "played_today": any(day.hands for day in days if day.is_today),
        "achievements": shown,
        "achieved": sum(1 for one in shown if one.day),
        "board": boards.board(game, week, player, now),
        "game": game,
        "game_name": GAME_NAMES[game],
        "form": BoardForm(game),
        "hands_min": boards.HANDS_MIN,
    }
    return render(request, "returning/my_week.html", context)
