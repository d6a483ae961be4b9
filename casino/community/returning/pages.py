"""The page for returning players: today's tasks, the days, achievements, and the boards."""

from datetime import date, datetime
from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from casino.accounts.models import Player
from casino.community.returning import achievements, boards, rewards, weeks
from casino.community.returning.weeks import is_open_to
from games.lobby.seat_offers import last_game
from games.rules.catalogue import GAMES
from games.web.pages import Refusal, choice, refusal_of, set_choices
from games.words.naming import GAME_NAMES
from wallets.values.amounts import show_amount
from wallets.values.days import day_of, monday_of, start_of
from wallets.values.errors import Refused

# Of one request.
NAMES_MAX: Final = 10


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
    return _shown(request, _reader(request))


@never_cache
@login_required
@require_POST
def take(request: HttpRequest) -> HttpResponse:
    """Take what tasks of a day have brought, each in a transaction of its own."""
    player, now = _reader(request), timezone.now()
    day, names = _day(request.POST.get("day", "")), request.POST.getlist("name")[:NAMES_MAX]
    try:
        taken = [rewards.take(player, day, name, now) for name in names]
    except Refused as error:
        return _shown(request, player, refusal_of(error, "week"))
    if taken:
        currency = taken[0].currency
        amount = f"{show_amount(sum(row.amount for row in taken), currency)} {currency.unit}"
        messages.success(request, gettext("%(amount)s are in your wallet.") % {"amount": amount})
    return redirect("my-week")


def _reader(request: HttpRequest) -> Player:
    player = request.user
    if not isinstance(player, Player) or not is_open_to(player):
        raise Http404
    return player


def _day(text: str) -> date:
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None:
        raise Http404
    return day


def _shown(request: HttpRequest, player: Player, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    today = day_of(now)
    week = monday_of(today)
    played = boards.games_of(player.pk, week)
    wanted = request.GET.get("game", "")
    game = wanted if wanted in GAMES else next(iter(played), next(iter(GAMES)))
    streak, days = weeks.streak(player.pk, today), weeks.week_of(player.pk, week, today)
    shown = achievements.shown(player.pk, streak)
    context = {
        **_tasks(player.pk, today, now),
        "streak": streak,
        "days": days,
        "played_today": any(day.hands for day in days if day.is_today),
        "achievements": shown,
        "achieved": sum(1 for achievement in shown if achievement.day),
        "board": boards.board(game, week, player, now),
        "game": game,
        "game_name": GAME_NAMES[game],
        "form": BoardForm(game),
        "hands_min": boards.HANDS_MIN,
        "next_game": last_game(request),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "returning/my_week.html", context, status=status)


def _tasks(player_id: int, today: date, now: datetime) -> dict[str, object]:
    """Today's tasks with what they bring, and what of yesterday's is still to be taken."""
    hands = weeks.hands_of(player_id, today)
    tasks = weeks.progress(today, hands)
    left = start_of(today + weeks.DAY) - now
    hours, seconds = divmod(int(left.total_seconds()), 3600)
    context: dict[str, object] = {
        "tasks": [(task, None) for task in tasks],
        "hours_left": hours,
        "minutes_left": seconds // 60,
    }
    currency = rewards.currency()
    if currency is None:
        return context
    of_today = {reward.name: reward for reward in rewards.of_day(player_id, today, hands)}
    yesterday = [reward for reward in rewards.of_day(player_id, today - weeks.DAY) if reward.is_due]
    of_week = of_today.get(rewards.WHOLE_WEEK)
    due = [reward for reward in (of_week, *of_today.values()) if reward and reward.is_due]
    return context | {
        "tasks": [(task, of_today[task.name]) for task in tasks],
        "all_three": of_today[rewards.ALL_THREE],
        "tasks_done": sum(task.is_complete for task in tasks),
        "whole_week": of_week,
        "week_pays": rewards.shown(today)[rewards.WHOLE_WEEK],
        "yesterday": yesterday,
        "yesterdays_sum": sum(reward.amount for reward in yesterday),
        # One button of brass a page.
        "first_due": None if yesterday else next(iter(due), None),
        "currency": currency,
    }
