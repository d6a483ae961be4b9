"""The pages, with forms, on which players limit themselves, stay away, answer reminders."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from casino.accounts.models import Player
from casino.care import exclusions, limits, reality
from casino.care.models import Exclusion, PlayerLimit, RealityCheck
from casino.care.months import Month
from casino.web.addresses import back
from games.models import Seat
from games.tables import seating
from games.web.pages import choice, set_choices
from games.words.refusals import refused_in, sentence_of
from wallets.models import Account, Currency
from wallets.office.lists import key_in
from wallets.values.amounts import as_form_error, read_amount
from wallets.values.errors import Refused

MINUTES_TYPED_MAX = 6


class StatementForm(forms.Form):
    month = choice(_("Month"))
    currency = choice(_("Currency"))

    def __init__(
        self,
        months: Sequence[Month],
        wallets: Sequence[Account],
        month: Month,
        wallet: Account | None,
    ) -> None:
        code = wallet.currency_id if wallet else ""
        super().__init__(initial={"month": month.name, "currency": code}, auto_id="%s")
        set_choices(
            self,
            month=[(option.name, option.name) for option in months],
            currency=[(account.currency_id, account.currency_id) for account in wallets],
        )
        if not wallets:
            del self.fields["currency"]


class LimitForm(forms.Form):
    """A limit: what it limits, for which period, and how much that is."""

    kind = forms.ChoiceField(label=_("What"), choices=PlayerLimit.Kind.choices)
    period = forms.ChoiceField(label=_("Period"), choices=PlayerLimit.Period.choices)
    currency = forms.ModelChoiceField(
        Currency.objects.none(), label=_("Currency"), required=False, empty_label=None
    )
    value = forms.CharField(
        label=_("At most"),
        max_length=40,
        help_text=_("An amount of money; for time, whole minutes."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        currencies = Currency.objects.exclude(kind=Currency.Kind.CHIPS)
        self.fields["currency"].queryset = currencies  # type: ignore[attr-defined]

    def clean(self) -> dict[str, object]:
        data: dict[str, Any] = super().clean() or {}
        if not {"kind", "period", "value"} <= data.keys():
            return data
        if data["kind"] == PlayerLimit.Kind.SESSION:
            data["currency"], data["value"] = None, self._minutes(data["value"])
        elif data.get("currency") is None:
            if "currency" not in self.errors:
                self.add_error("currency", _("A limit of money needs a currency; time has none."))
        else:
            with as_form_error():
                data["value"] = read_amount(data["value"], data["currency"], least=0)
        return data

    def _minutes(self, typed: str) -> int:
        text = typed.strip()
        if not (text.isascii() and text.isdecimal() and len(text) <= MINUTES_TYPED_MAX):
            raise forms.ValidationError(_("Type whole minutes."), code="minutes_unreadable")
        return int(text)

    def wanted(self) -> limits.Wanted:
        data = self.cleaned_data
        return limits.Wanted(data["kind"], data["period"], data["currency"], data["value"])


LENGTHS = {
    (Exclusion.Kind.TIME_OUT, 1): _("Time-out of one day"),
    (Exclusion.Kind.TIME_OUT, 7): _("Time-out of one week"),
    (Exclusion.Kind.TIME_OUT, 14): _("Time-out of two weeks"),
    (Exclusion.Kind.TIME_OUT, 30): _("Time-out of 30 days"),
    (Exclusion.Kind.TIME_OUT, 42): _("Time-out of six weeks"),
    (Exclusion.Kind.SELF_EXCLUSION, 183): _("Self-exclusion for half a year"),
    (Exclusion.Kind.SELF_EXCLUSION, 365): _("Self-exclusion for a year"),
    (Exclusion.Kind.SELF_EXCLUSION, 1825): _("Self-exclusion for five years"),
    (Exclusion.Kind.SELF_EXCLUSION, 0): _("Self-exclusion for good"),
}


class ExclusionForm(forms.Form):
    """The length of a break, with the player's own password as a second thought."""

    length = forms.ChoiceField(label=_("How long"))
    password = forms.CharField(
        label=_("Your password"),
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_("Your password, so that no one else can do this in your name."),
    )

    def __init__(self, *args: Any, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.player = player
        self.fields["length"].choices = [  # type: ignore[attr-defined]
            (f"{kind}-{days}", LENGTHS[kind, days])
            for kind, lengths in exclusions.DAYS.items()
            for days in lengths
        ]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.player.check_password(password):
            raise forms.ValidationError(_("That is not your password."), code="wrong_password")
        return password

    def chosen(self) -> tuple[str, int]:
        kind, _hyphen, days = self.cleaned_data["length"].partition("-")
        return kind, int(days)


INTERVALS = {
    0: _("Never"),
    15: _("Every 15 minutes"),
    30: _("Every 30 minutes"),
    60: _("Every hour"),
    120: _("Every two hours"),
}


class ReminderForm(forms.Form):
    """The interval between reminders of time and money."""

    minutes = forms.TypedChoiceField(
        label=_("Remind me"),
        coerce=int,
        choices=[(minutes, INTERVALS[minutes]) for minutes in reality.MINUTES],
    )


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
    check = RealityCheck.objects.filter(player=player).first()
    reminder = ReminderForm(
        sent if sent is not None and "remind" in sent else None,
        initial={"minutes": check.minutes if check else 0},
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
        "held": limits.limits_that_hold(player, now),
        "waiting": limits.limits_that_wait(player, now),
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
        messages.success(request, gettext("Your reminder is set."))
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
    held = {limit.pk: limit for limit in limits.in_force(player.pk)}
    if number not in held:
        raise Refused("no_such_limit", gettext("There is no such limit."))
    limit = held[number]
    wanted = limits.Wanted(limit.kind, limit.period, limit.currency, None)
    return limits.ask(player, wanted, timezone.now())


def _say_set(request: HttpRequest, limit: PlayerLimit) -> bool:
    if limit.confirmed_at is not None:
        messages.success(request, gettext("Your limit applies from now on."))
    else:
        messages.info(
            request,
            gettext(
                "Think it over, and confirm it in 24 hours or later. Until then nothing changes."
            ),
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
            messages.success(request, gettext("You are signed out everywhere. Take care."))
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
