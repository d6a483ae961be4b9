"""The page "Rewards": what a player has, how far the rest is, points, level and terms."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _t
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from casino.accounts.models import Player
from casino.care.rules import shown_to_others
from casino.community.promotions.books import forfeiting, inviting, shop, shown_levels, visibility
from casino.community.promotions.books.running import current
from casino.community.promotions.models import (
    LevelShown,
    PointsMonth,
    PromotionAward,
    PromotionProgress,
    PromotionsHidden,
    PromotionVersion,
    ShopOffer,
)
from casino.community.promotions.pages import terms as words
from casino.community.promotions.rules import levels
from casino.community.promotions.rules.declaration import Declaration
from casino.community.promotions.rules.engine import HELD
from casino.community.promotions.rules.kinds import window_at
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import CashBack, Friend, Mission, RakeBack
from games.words.players import LEVEL_NAMES
from games.words.refusals import sentence_of
from wallets.values.days import day_of
from wallets.values.errors import Hidden, Refused

LADDER_SHOWN: Final = 5
# Who has asked not to be named on lists.
NOBODY: Final = "–"
AWARDS_SHOWN: Final = 20


class Place(NamedTuple):
    """A row of a ladder; others are shown by their names at the tables."""

    number: int
    name: str
    points: int
    is_mine: bool


class Offer(NamedTuple):
    """A promotion that runs, and how far its reader is."""

    title: str
    kind: str
    sentence: str
    terms: list[words.Line]
    ends: datetime
    done: int
    goal: int
    text: str
    is_done: bool
    ladder: list[Place]


class Level(NamedTuple):
    name: str
    points: int
    to_next: int | None
    next_name: str
    percent: int


def offers(player: Player, now: datetime) -> list[Offer]:
    return [_offer(player, version, terms, now) for version, terms in current(now)]


def _offer(player: Player, version: PromotionVersion, terms: Declaration, now: datetime) -> Offer:
    kind = terms.kind
    window = window_at(kind.window, now, day_of(now))
    rows = PromotionProgress.objects.filter(version=version, window=window)
    mine = rows.filter(player=player).order_by("-points").first()
    points = mine.points if mine else 0
    done, goal, text = 0, 0, ""
    write = words.Writer(terms.currency)
    if isinstance(kind, Mission):
        done, goal = min(points, kind.goal), kind.goal
        text = _t("{done} of {goal}").format(done=done, goal=goal)
    elif isinstance(kind, CashBack) and points > 0:
        text = _t("Net loss so far: {amount}").format(amount=write.amount(points))
    elif isinstance(kind, RakeBack) and points > 0:
        text = _t("Rake so far: {amount}").format(amount=write.amount(points))
    awarded = version.awards.filter(player=player, fact=f"window:{window}").exists()
    return Offer(
        version.promotion.title,
        str(words.KIND_NAMES[kind.key]),
        words.sentence(terms),
        words.lines(terms),
        terms.ends,
        done,
        goal,
        text,
        awarded,
        _ladder(player, rows, kind, now) if isinstance(kind, Race | HighHand) else [],
    )


def _ladder(
    player: Player, progress: QuerySet[PromotionProgress], kind: Race | HighHand, now: datetime
) -> list[Place]:
    """The first places of a window, and the reader's own; players who rest are not named."""
    ranked = progress.filter(points__gt=0).order_by("-points", "reached_at", "player")
    if isinstance(kind, Race):
        ranked = ranked.filter(hands__gte=kind.hands_min)
    rows = list(ranked.values_list("player", "points"))
    mine = [number for number, (whose, _points) in enumerate(rows) if whose == player.pk]
    shown = sorted({*range(min(LADDER_SHOWN, len(rows))), *mine[:1]})
    named = shown_to_others([rows[number][0] for number in shown], now)
    return [
        Place(
            number + 1,
            named[rows[number][0]].username if rows[number][0] in named else NOBODY,
            rows[number][1],
            rows[number][0] == player.pk,
        )
        for number in shown
    ]


def held(player: Player) -> QuerySet[PromotionAward]:
    """The bonuses that are still to be wagered."""
    rows = PromotionAward.objects.filter(player=player, state=HELD)
    return rows.select_related("currency").order_by("at")


def level(player: Player, now: datetime) -> Level:
    """The reader's level by this month and the last, in the currency in which it is highest."""
    month = levels.month_of(day_of(now))
    before = levels.month_before(month)
    kept: defaultdict[str, dict[date, int]] = defaultdict(dict)
    for row in PointsMonth.objects.filter(player=player, month__in=(before, month)):
        kept[row.currency_id][row.month] = row.kept
    pairs = [(months.get(month, 0), months.get(before, 0)) for months in kept.values()]
    this, last = max(pairs, key=max, default=(0, 0))
    number = levels.level_of(this, last)
    points = max(this, last) // levels.A_POINT
    names = list(LEVEL_NAMES.values())
    if number + 1 == len(levels.LEVELS):
        return Level(str(names[number]), points, None, "", 100)
    above = levels.LEVELS[number + 1].points
    missing = max(0, above - this // levels.A_POINT)
    percent = min(100, 100 * (this // levels.A_POINT) // above)
    return Level(str(names[number]), points, missing, str(names[number + 1]), percent)


def _reader(request: HttpRequest) -> Player:
    if not isinstance(request.user, Player) or not visibility.is_open_to(request.user):
        raise Http404
    return request.user


@contextmanager
def _told(request: HttpRequest, done: str) -> Iterator[None]:
    """Say what was done or what has refused it; what is hidden is not found."""
    try:
        yield
        messages.success(request, done)
    except Hidden as refusal:
        raise Http404 from refusal
    except Refused as refusal:
        messages.error(request, sentence_of(refusal))


@never_cache
@login_required
@require_safe
def rewards_page(request: HttpRequest) -> HttpResponse:
    player, now = _reader(request), timezone.now()
    awards = PromotionAward.objects.filter(player=player).exclude(state=HELD)
    recent = awards.select_related("version__promotion", "currency").order_by("-at", "-pk")
    sees = visibility.sees(player, now)
    invites = sees and any(isinstance(terms.kind, Friend) for _version, terms in current(now))
    context = {
        "invitation": _address(request, player) if invites else "",
        "sees": sees,
        "is_hidden": PromotionsHidden.objects.filter(player=player).exists(),
        "offers": offers(player, now) if sees else [],
        "held": held(player),
        "shop": in_shop(player) if sees else [],
        "level": level(player, now) if visibility.takes_part(player) else None,
        "is_level_shown": LevelShown.objects.filter(player=player).exists(),
        "awards": recent[:AWARDS_SHOWN],
    }
    return render(request, "promotions/rewards.html", context)


@login_required
@require_POST
def buy(request: HttpRequest, number: int) -> HttpResponse:
    """Take an offer of the shop for points."""
    player = _reader(request)
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        raise Http404 from None
    with _told(request, _t("The ticket is yours: you find it under “My tournaments”.")):
        shop.take(player, number, key, timezone.now())
    return redirect("rewards")


def in_shop(player: Player) -> list[tuple[ShopOffer, int, int, UUID]]:
    """What the shop offers, the reader's points, how many are missing, and a key to take it."""
    offers = shop.offers()
    currencies = {offer.currency_id for offer in offers}
    points = {currency: shop.left(player.pk, currency) for currency in currencies}
    have = [(offer, points[offer.currency_id]) for offer in offers]
    return [(offer, left, max(0, offer.points - left), uuid4()) for offer, left in have]


def _address(request: HttpRequest, player: Player) -> str:
    path = reverse("rewards-invited", args=[inviting.code_of(player)])
    return request.build_absolute_uri(path)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, code: str) -> HttpResponse:
    """Ask a new player, who may have to sign up first, whether this is who invited them."""
    player = _reader(request)
    if request.method == "POST":
        with _told(request, _t("Welcome! Both of you are rewarded once you have played.")):
            inviting.accept(player, code, timezone.now())
        return redirect("rewards")
    try:
        inviter = inviting.inviter_of(code)
    except Hidden as refusal:
        raise Http404 from refusal
    return render(request, "promotions/invited.html", {"inviter": inviter})


@login_required
@require_POST
def hide(request: HttpRequest) -> HttpResponse:
    """Hide all promotions, or show them again."""
    visibility.set_hidden(_reader(request), is_hidden=request.POST.get("hidden") == "1")
    return redirect("rewards")


@login_required
@require_POST
def show_level(request: HttpRequest) -> HttpResponse:
    """Name the reader's level at the tables, or name it no more."""
    is_shown = request.POST.get("shown") == "1"
    shown_levels.set_shown(_reader(request), is_shown=is_shown, now=timezone.now())
    return redirect("rewards")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def give_up(request: HttpRequest, number: int) -> HttpResponse:
    """Ask whether a bonus is to be given up, and do it after a clear yes."""
    player = _reader(request)
    bonus = get_object_or_404(PromotionAward, pk=number, player=player)
    if bonus.state != HELD or bonus.forfeited_at is not None:
        return redirect("rewards")
    if request.method == "POST":
        with _told(request, _t("You have given the bonus up. You can withdraw now.")):
            forfeiting.forfeit(player, number, timezone.now())
        return redirect("rewards")
    return render(request, "promotions/give_up.html", {"bonus": bonus})
