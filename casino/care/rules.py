"""Refusals by limits, exclusions and reality checks, and whom pages invite or name.

It is checked before every hand whether a player may be dealt in: without limits it costs no query.

Players who limit their time at tables have asked not to be invited, and lists that others read do
not name them; nor do they name players who are on a break.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.care import exclusions, limits, reality
from casino.care.models import Exclusion, PlayerLimit, RealityCheck
from games.models.combined import Read
from games.models.prepared import Query
from games.tables import admission
from games.tables.admission import Occasion
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.errors import Refused
from wallets.values.player import Viewer

Kind = PlayerLimit.Kind

# Most players have arranged nothing, and their own row says so.
_OWN_RULES: Final = Query(lambda player: Player.objects.filter(pk=player).only("has_own_rules"))
NOTHING_ARRANGED: Final = {"excluded": False, "limited": False, "checked": False}
PLAYING: Final = (Occasion.SIT, Occasion.TOP_UP, Occasion.DEAL)


def reads(player: Player) -> list[Read]:
    """The value for a player without limits."""
    return [(_OWN_RULES, (player.pk,))]


def refuse(request: admission.Request) -> Refused | None:
    """The first of the player's own rules that is against it."""
    player_id, now = int(request.player.pk), request.now or timezone.now()
    cheap = request.occasion == Occasion.DEAL and not _may_have_rules(request.player)
    has = None if cheap else _arranged(player_id)
    if has is None:
        return None
    if has["excluded"] and (why := _excluded(player_id, now)):
        return why
    if request.occasion not in PLAYING:
        return None
    if has["limited"] and (why := _limited(request, player_id, now)):
        return why
    checked = has["checked"] or settings.REALITY_CHECK_MINUTES
    if checked and request.occasion != Occasion.TOP_UP and reality.is_due(player_id, now):
        return Refused(
            "reality_check",
            _n("You have played for a while. Answer the reminder of your time and money first."),
        )
    return None


def _may_have_rules(player: Viewer) -> bool:
    return bool(settings.REALITY_CHECK_MINUTES) or getattr(player, "has_own_rules", True)


def _arranged(player_id: int) -> Mapping[str, object] | None:
    player = _OWN_RULES.first(player_id)
    if player is None or not player.has_own_rules:
        return None if player is None else NOTHING_ARRANGED
    own = {"player": OuterRef("pk")}
    players = Player.objects.filter(pk=player_id).values(
        excluded=Exists(Exclusion.objects.filter(**own)),
        limited=Exists(PlayerLimit.objects.filter(**own)),
        checked=Exists(RealityCheck.objects.filter(**own)),
    )
    return players.get()


def _excluded(player_id: int, now: datetime) -> Refused | None:
    held = exclusions.current(player_id, now)
    if held is None:
        return None
    return Refused("excluded", _n("You have taken a break from playing, and it is not over."))


def _limited(request: admission.Request, player_id: int, now: datetime) -> Refused | None:
    hold = request.amount > 0 and request.occasion != Occasion.DEAL
    for limit in limits.in_force(player_id, hold=hold):
        why = _against(limit, request, player_id, now)
        if why is not None:
            return why
    return None


def _against(
    limit: PlayerLimit, request: admission.Request, player_id: int, now: datetime
) -> Refused | None:
    if limit.kind == Kind.SESSION:
        return _time_up(limit, player_id, now)
    if limit.currency_id != request.currency:
        return None
    if limit.kind == Kind.LOSS:
        return _too_much_to_lose(limit, request, player_id, now)
    if limit.kind == Kind.STAKE and request.occasion != Occasion.DEAL:
        return _too_much_taken(limit, request, player_id, now)
    return None


def _too_much_to_lose(
    limit: PlayerLimit, request: admission.Request, player_id: int, now: datetime
) -> Refused | None:
    """All money at the tables can be lost, so it never exceeds what is left to lose."""
    at_tables = limits.at_tables(player_id, request.currency)
    left = _value(limit) - limits.used(player_id, limit, now) - at_tables
    if request.amount <= left:
        return None
    return Refused(
        "loss_limit",
        _n(
            "You could lose more than the limit you set for your losses. Bring at most {left} to"
            " the tables, or wait until the limit starts again."
        ),
        left=_shown(left, limit),
    )


def _too_much_taken(
    limit: PlayerLimit, request: admission.Request, player_id: int, now: datetime
) -> Refused | None:
    left = _value(limit) - limits.used(player_id, limit, now)
    if request.amount <= left:
        return None
    return Refused(
        "stake_limit",
        _n("You have {left} left of the limit you set for money taken to tables."),
        left=_shown(left, limit),
    )


def _time_up(limit: PlayerLimit, player_id: int, now: datetime) -> Refused | None:
    if limits.used(player_id, limit, now) < _value(limit):
        return None
    return Refused("time_limit", _n("You have reached the limit that you set for your time."))


def _shown(left: int, limit: PlayerLimit) -> str:
    """The rest of a limit of money, in words."""
    assert limit.currency is not None, "a limit of money has a currency"
    return show_amount(max(left, 0), limit.currency)


def _value(limit: PlayerLimit) -> int:
    assert limit.value is not None, "a limit that holds has a value"
    return limit.value


def refuse_deposit(player_id: int, currency: Currency, amount: int, now: datetime) -> None:
    """Refuse a deposit beyond a limit, and every deposit during a break."""
    has = _arranged(player_id)
    if has is None:
        return
    if has["excluded"] and exclusions.current(player_id, now):
        raise Refused("excluded", _n("This player is taking a break from playing."))
    if not has["limited"]:
        return
    for limit in limits.in_force(player_id, Kind.DEPOSIT, hold=True):
        if limit.currency_id != currency.pk:
            continue
        left = _value(limit) - limits.used(player_id, limit, now)
        if amount > left:
            raise Refused(
                "deposit_limit",
                _n("This player has {left} left of their own limit for deposits."),
                left=_shown(left, limit),
            )


def has_limited_time(player: Player) -> bool:
    """Whether a limit of time at tables holds; a looser one that waits does not lift it."""
    return player.has_own_rules and bool(limits.in_force(player.pk, PlayerLimit.Kind.SESSION))


def shown_to_others(numbers: Iterable[int], now: datetime) -> dict[int, Player]:
    """The players among these who may be named on a board."""
    players = Player.objects.filter(
        pk__in=numbers, is_active=True, is_bot=False, is_guest=False, is_staff=False
    )
    return {
        player.pk: player
        for player in players
        if not has_limited_time(player) and not _is_away(player, now)
    }


def _is_away(player: Player, now: datetime) -> bool:
    return player.has_own_rules and exclusions.current(player.pk, now) is not None
