"""The tour for a new manager: five steps, each shown on the page that it is about.

Each manager's step is stored, so that the tour continues in another browser. The account's
menu begins it again.
"""

from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from casino.accounts.models import Player
from casino.office.models import Tour
from wallets.office.staff_pages import staff_page
from wallets.values.player import is_player, player_of

TAKES: Final = "wallets.approve_proposal"
# The parameter that begins the tour again on the overview.
AGAIN: Final = "tour"


class Step(NamedTuple):
    """A step: the page that it is about, and what a manager must know of that page."""

    page: str
    title: str | Promise
    words: str | Promise


STEPS: Final = (
    Step(
        "admin:index",
        _("Overview"),
        _(
            "Here the day begins: today's figures next to the same hours a week ago, alarms, and"
            " what waits for your approval. Each figure opens the page behind it. Ctrl-K finds"
            " every player, table, hand, receipt and page."
        ),
    ),
    Step(
        "floor",
        _("Floor"),
        _(
            "All tables as they play; those that need attention come first. A table's page shows"
            " its felt, seats and last hands, sends messages and closes the table. The kill switch"
            " stops all new hands, and is covered until you open it."
        ),
    ),
    Step(
        "admin:players_player_changelist",
        _("Players"),
        _(
            "A name opens the player's file: wallets, last hands, limits, identity and notes, and"
            " who has looked at it. Freezing an account and ending its sessions are done there."
            " Each asks for a reason, and the journal stores it."
        ),
    ),
    Step(
        "proposals",
        _("Approvals"),
        _(
            "Large payments, new limits and new rules wait here for a second person. Each proposal"
            " says what would change. You cannot approve your own."
        ),
    ),
    Step(
        "report_revenue",
        _("Reports"),
        _(
            "Pick days, grouping and currency. Each figure opens the hands or ledger lines that"
            " make it, and the table comes as a file. Under Proofs, the journal shows what all"
            " colleagues have done."
        ),
    ),
)


def shown_on(request: HttpRequest) -> dict[str, object]:
    """What the tour shows on this page, if it shows anything there."""
    page = request.resolver_match.view_name if request.resolver_match else ""
    if page not in {step.page for step in STEPS} or not is_player(request.user):
        return {}
    if not request.user.has_perm(TAKES):
        return {}
    number = 1 if AGAIN in request.GET else _reached(request.user.pk)
    if not number or page not in (STEPS[0].page, STEPS[number - 1].page):
        return {}
    is_here = page == STEPS[number - 1].page
    target = number + 1 if is_here else number
    return {
        "number": number,
        "of": len(STEPS),
        "step": STEPS[number - 1],
        "is_here": is_here,
        "before": number - 1 if is_here else 0,
        "target": target if target <= len(STEPS) else 0,
        "then": STEPS[target - 1].title if target <= len(STEPS) else "",
    }


def _reached(member: int) -> int:
    """The step at which a manager is; those who have never seen the tour are at the first."""
    reached = Tour.objects.filter(member=member).values_list("step", flat=True).first()
    return 1 if reached is None else reached


@staff_page("tour", "tour/", _("Tour of the office"), TAKES)
@require_POST
def tour_page(request: HttpRequest) -> HttpResponse:
    """Go to a step of the tour, or end it."""
    typed = request.POST.get("step", "")
    if typed not in map(str, range(len(STEPS) + 1)):
        return HttpResponseBadRequest()
    step = int(typed)
    Tour.objects.update_or_create(member_id=player_of(request).pk, defaults={"step": step})
    return redirect(STEPS[step - 1].page if step else STEPS[0].page)


def account_links(request: HttpRequest) -> list[dict[str, object]]:
    """The links in the account's menu."""
    links: list[dict[str, object]] = []
    if not isinstance(request.user, Player):
        return links
    if request.user.has_usable_password():
        links.append({"title": _("Change password"), "link": reverse("admin:password_change")})
    if request.user.has_perm(TAKES):
        links.append(
            {"title": _("Tour of the office"), "link": f"{reverse('admin:index')}?{AGAIN}=1"}
        )
    return links
