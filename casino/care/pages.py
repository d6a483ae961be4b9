"""The pages on which players limit themselves, stay away, and answer their reminder."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from casino.accounts.models import Player
from casino.care import exclusions, limits, limits_view, reality
from casino.care.forms import ExclusionForm, LimitForm, ReminderForm
from casino.care.models import PlayerLimit, RealityCheck
from casino.web.addresses import back
from games.models import Seat
from games.tables import seating
from games.words.refusals import refused_in, sentence_of
from wallets.office.lists import key_in
from wallets.values.errors import Refused


def player_at(request: HttpRequest) -> Player:
    player = request.user
    assert isinstance(player, Player), "only players sign in"
    return player


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def limits_page(request: HttpRequest) -> HttpResponse:
    player, now = player_at(request), timezone.now()
    sent = request.POST if request.method == "POST" else None
    form = LimitForm(sent if sent is not None and "set" in sent else None)
    found = RealityCheck.objects.filter(player=player).first()
    reminder = ReminderForm(
        sent if sent is not None and "remind" in sent else None,
        initial={"minutes": found.minutes if found else 0},
    )
    status = 200
    if sent is not None:
        try:
            if _changed(request, player, form, reminder):
                return redirect("own-limits")
        except Refused as refusal:
            bound = form if form.is_bound else reminder
            if bound.is_bound:
                bound.add_error(None, refusal.sentence)
            else:
                messages.error(request, refusal.sentence)
        status = 422
    context = {
        "form": form,
        "reminder": reminder,
        "house_minutes": settings.REALITY_CHECK_MINUTES,
        "held": limits_view.limits_that_hold(player, now),
        "waiting": limits_view.limits_that_wait(player, now),
    }
    return render(request, "care/limits.html", context, status=status)


def _changed(request: HttpRequest, player: Player, form: LimitForm, reminder: ReminderForm) -> bool:
    """Do what the pressed button says; return whether it could be read."""
    sent, now = request.POST, timezone.now()
    if form.is_bound:
        return form.is_valid() and _say_set(request, limits.ask(player, form.wanted(), now))
    if reminder.is_bound:
        if not reminder.is_valid():
            return False
        reality.choose(player, reminder.cleaned_data["minutes"], now)
        messages.success(request, _("Your reminder is set."))
        return True
    verbs: dict[str, Callable[[int], object]] = {
        "lift": lambda number: _say_set(request, _lift(player, number)),
        "confirm": lambda number: limits.confirm(player, number, now),
        "withdraw": lambda number: limits.withdraw(player, number, now),
    }
    for name, verb in verbs.items():
        if name in sent:
            verb(key_in(sent[name]))
            return True
    return False


def _lift(player: Player, number: int) -> PlayerLimit:
    held = {one.pk: one for one in limits.in_force(player.pk)}
    if number not in held:
        raise Refused("no_such_limit", _("There is no such limit."))
    limit = held[number]
    wanted = limits.Wanted(limit.kind, limit.period, limit.currency, None)
    return limits.ask(player, wanted, timezone.now())


def _say_set(request: HttpRequest, limit: PlayerLimit) -> bool:
    if limit.confirmed_at is not None:
        messages.success(request, _("Your limit applies from now on."))
    else:
        messages.info(
            request,
            _("Think it over, and confirm it in 24 hours or later. Until then nothing changes."),
        )
    return True


@sensitive_post_parameters("password")
@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exclusion_page(request: HttpRequest) -> HttpResponse:
    player = player_at(request)
    form = ExclusionForm(request.POST if request.method == "POST" else None, player=player)
    if form.is_bound and form.is_valid():
        with refused_in(form):
            exclusions.begin(player, *form.chosen(), timezone.now())
            logout(request)
            messages.success(request, _("You are signed out everywhere. Take care."))
            return redirect("lobby")
    status = 422 if form.is_bound else 200
    return render(request, "care/exclusion.html", {"form": form}, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reality_page(request: HttpRequest) -> HttpResponse:
    """The reminder, which the player answers: they play on, or leave all tables."""
    player, now = player_at(request), timezone.now()
    if request.method == "POST":
        if "stop" in request.POST:
            _leave_tables(request, player)
            return redirect("lobby")
        reality.answer(player, now)
        return redirect(back(request))
    return render(request, "care/reality.html", {"session": reality.session_of(player, now)})


def _leave_tables(request: HttpRequest, player: Player) -> None:
    now = timezone.now()
    for seat in Seat.objects.filter(player=player, left_at=None).order_by("table"):
        try:
            seating.leave(player, seat.table_id, now)
        except Refused as refusal:
            # Seats of an event are kept.
            messages.error(request, sentence_of(refusal))


@never_cache
@require_safe
def session_part(request: HttpRequest) -> HttpResponse:
    """The clock of the session, for the bar of an open page."""
    return render(request, "care/session.html")
