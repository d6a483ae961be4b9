"""The pages of a player's own data: statements by month, all of it as a file, and erasure."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from casino.accounts.models import Player
from casino.care import months, own_data
from casino.care.pages import StatementForm, player_at
from wallets.models import Account
from wallets.models.holders import wallets_of
from wallets.pages.views import entry_rows
from wallets.values.errors import Refused


@never_cache
@login_required
@require_safe
def statement_page(request: HttpRequest) -> HttpResponse:
    player = player_at(request)
    offered = months.months_of(player, timezone.now())
    month, wallet = _month(request, offered), _wallet(request, player)
    context: dict[str, object] = {
        "form": StatementForm(offered, wallets_of(player), month, wallet),
        "month": month,
        "wallet": wallet,
    }
    if wallet is not None:
        pages = Paginator(months.entries_in(wallet, month), months.LINES_ON_PAGE)
        page = pages.get_page(request.GET.get("page"))
        context |= {
            "found": months.statement_of(player, wallet, month),
            "rows": entry_rows(list(page)),
            "page": page,
        }
    return render(request, "care/statement.html", context)


@never_cache
@login_required
@require_safe
def statement_file(request: HttpRequest) -> HttpResponseBase:
    _player, wallet, month = _requested(request)
    lines = months.csv_lines(wallet, month)
    answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    return _named(answer, wallet, month, "csv")


@never_cache
@login_required
@require_safe
def statement_pdf(request: HttpRequest) -> HttpResponseBase:
    from casino.care.statement_pdf import as_pdf  # noqa: PLC0415 - few processes make one

    player, wallet, month = _requested(request)
    answer = HttpResponse(as_pdf(player, wallet, month), content_type="application/pdf")
    return _named(answer, wallet, month, "pdf")


def _requested(request: HttpRequest) -> tuple[Player, Account, months.Month]:
    """Return the player, wallet and month of a statement; a file of nothing is not found."""
    player = player_at(request)
    month = _month(request, months.months_of(player, timezone.now()))
    wallet = _wallet(request, player)
    if wallet is None:
        raise Http404
    return player, wallet, month


def _named(
    answer: HttpResponseBase, wallet: Account, month: months.Month, kind: str
) -> HttpResponseBase:
    name = f"statement-{month.name}-{wallet.currency_id}.{kind}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _month(request: HttpRequest, offered: list[months.Month]) -> months.Month:
    """The month in the address, or else the one that runs."""
    named = request.GET.get("month", "")
    month = months.read_month(named, offered) if named else offered[0]
    if month is None:
        raise Http404
    return month


def _wallet(request: HttpRequest, player: Player) -> Account | None:
    held, code = wallets_of(player), request.GET.get("currency", "")
    if not code:
        return next(iter(held), None)
    wallet = next((account for account in held if account.currency_id == code), None)
    if wallet is None:
        raise Http404
    return wallet


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def data_page(request: HttpRequest) -> HttpResponse:
    player = player_at(request)
    if request.method == "POST":
        _answer(request, player)
        return redirect("own-data")
    return render(request, "care/data.html", {"erasure": own_data.request_of(player.pk)})


def _answer(request: HttpRequest, player: Player) -> None:
    if "stay" in request.POST:
        own_data.withdraw(player)
        messages.success(request, _("Your data will be kept."))
        return
    try:
        own_data.ask(player, timezone.now())
    except Refused as refusal:
        messages.error(request, refusal.sentence)
    else:
        messages.success(request, _("The house has received your request."))


@never_cache
@login_required
@require_POST
def data_file(request: HttpRequest) -> HttpResponseBase:
    player = player_at(request)
    return FileResponse(own_data.packed(player), as_attachment=True, filename="my-data.zip")
