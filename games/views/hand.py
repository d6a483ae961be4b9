"""One finished hand: its page with the replayer, the steps of that, its record, and its link.

An auditor first sees what a spectator saw. Opening all cards is a separate step, which is noted;
the hand then stays open to them for as long as they are signed in.
"""

from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.boards.family import family_of
from games.boards.hand_at_table import names_in
from games.boards.pieces.assembly import NOT_LIVE
from games.boards.replay import Replay
from games.boards.seat_view import seat_layout
from games.models import Hand
from games.records import audit, auditor_view, proof, sharing
from games.records import record as records_record
from games.records.ledger_lines import given_back, ledger_lines
from games.rules.catalogue import GAMES
from games.rules.settlement import StoredLine
from games.tables.formats import format_of
from games.web.pages import refusal_of, refused_page
from games.words.naming import game_name
from games.words.refusals import sentence_of
from wallets.storage.replica import from_replica
from wallets.values.errors import Refused
from wallets.values.player import Viewer

P = ParamSpec("P")
T = TypeVar("T")

# In the session: which hands an auditor has opened, the latest last.
OPENED_MAX = 50


def seen_as(request: HttpRequest, hand_id: int) -> tuple[Hand, int | str | None]:
    """A hand, and as whom the reader sees it: a seat, a spectator (`None`) or an auditor."""
    try:
        hand, own = records_record.hand_for(request.user, hand_id)
    except Refused as refusal:
        refusal_of(refusal, "page")
        raise
    if records_record.is_auditor(request.user) and hand.pk in request.session.get(
        records_record.OPENED, ()
    ):
        return hand, records_record.AUDITOR
    return hand, own


def requested_step(request: HttpRequest, last: int) -> int:
    """The step in the address; any other than a step of this hand is the last."""
    text = request.GET.get("step", "")
    number = int(text) if text.isdecimal() and len(text) < 7 else last
    return min(number, last)


def replay_context(replay: Replay, number: int) -> dict[str, object]:
    hand, last, view = replay.hand, replay.last, replay.view(number)
    results, family = replay.results(number), family_of(replay.game)
    return {
        **NOT_LIVE,
        "hand": hand,
        "table": hand.table,
        "currency": replay.currency,
        "family": GAMES[hand.game].family,
        "family_templates": family.templates(hand.game),
        "printed": family.printed(replay.game),
        "roles": family.roles(view),
        "names": replay.names,
        "view": view,
        "lines": settled_lines(hand),
        "layout": seat_layout(hand.game, replay.seats(number), mine=replay.seat),
        "results": results,
        "wheel": family.wheel(replay.game, view, settled_lines(hand) if results else ()),
        "won": results.get(replay.seat) if replay.seat else None,
        "number": number,
        "last": last,
        "before": max(number - 1, 0),
        "after": min(number + 1, last),
        "phase": replay.phase_words(number),
        "move": replay.move(number),
        "held": replay.held(number),
    }


def settled_lines(hand: Hand) -> Sequence[StoredLine]:
    lines: Sequence[StoredLine] = (hand.settlement or {}).get("lines", ())
    return lines


def _of_finished(user: Viewer, read: Callable[P, T]) -> Callable[P, T]:
    """Read for a page of a hand; what an auditor sees of one is evidence, so never a copy's."""
    return read if records_record.is_auditor(user) else from_replica(read)


@require_safe
@login_required
def page(request: HttpRequest, hand_id: int) -> HttpResponse:
    context = _of_finished(request.user, _page_context)(request, hand_id)
    return render(request, "games/hand.html", context)


def _page_context(request: HttpRequest, hand_id: int) -> dict[str, object]:
    hand, viewer = seen_as(request, hand_id)
    names = names_in(hand, [])
    replay = Replay(hand, viewer, names, hand.table.currency)
    audits = viewer == records_record.AUDITOR
    context = replay_context(replay, requested_step(request, replay.last))
    context |= {
        "game": game_name(hand.game),
        "belongs_to": format_of(hand.table).belongs_to(),
        "seats": list(hand.seats.select_related("player")),
        "marks": replay.marks(),
        "ledger": ledger_lines(hand, viewer, names),
        "given_back": given_back(hand, viewer, names),
        "record": records_record.handed_out(hand, viewer),
        "record_address": reverse("hand-record", args=[hand.pk]),
        "proof": proof.proof_for(hand, viewer),
        "may_open": records_record.is_auditor(request.user) and not audits,
        "audits": audits,
        "steps": f"{request.path}step/",
    }
    if audits:
        context |= {
            "differences": list(audit.differences(hand)),
            "shoe_again": auditor_view.shoe_again(hand),
            "settled": auditor_view.settled_again(hand),
        }
    elif replay.seat is not None and hand.status == Hand.Status.FINISHED:
        shared = sharing.link_of(request.user, hand)
        context |= {"may_share": True, "shared": shared}
        if shared:
            context["shared_address"] = request.build_absolute_uri(
                reverse("shared", args=[shared.token])
            )
    return context


@require_safe
@login_required
def step(request: HttpRequest, hand_id: int, number: int) -> HttpResponse:
    """One step, for the replayer to put in the place of another."""
    context = _of_finished(request.user, _step_context)(request, hand_id, number)
    return _rendered_step(request, context)


def _step_context(request: HttpRequest, hand_id: int, number: int) -> dict[str, object] | None:
    hand, viewer = seen_as(request, hand_id)
    replay = Replay(hand, viewer, names_in(hand, []), hand.table.currency)
    return replay_context(replay, number) if number <= replay.last else None


def step_of(request: HttpRequest, replay: Replay, number: int) -> HttpResponse:
    return _rendered_step(
        request, replay_context(replay, number) if number <= replay.last else None
    )


def _rendered_step(request: HttpRequest, context: dict[str, object] | None) -> HttpResponse:
    if context is None:
        return HttpResponse(_("This hand has no such step."), status=404)
    return render(request, "games/replay_step.html", context)


@require_safe
@login_required
def record(request: HttpRequest, hand_id: int) -> HttpResponse:
    """The portable record, as a file."""
    return _of_finished(request.user, _record_of)(request, hand_id)


def _record_of(request: HttpRequest, hand_id: int) -> HttpResponse:
    return record_file(*seen_as(request, hand_id))


def record_file(hand: Hand, viewer: int | str | None) -> HttpResponse:
    answer = JsonResponse(records_record.handed_out(hand, viewer))
    answer["Content-Disposition"] = f'attachment; filename="{hand.code}.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_POST
@login_required
def open_cards(request: HttpRequest, hand_id: int) -> HttpResponse:
    hand, viewer = seen_as(request, hand_id)
    if records_record.is_auditor(request.user) and viewer != records_record.AUDITOR:
        open_with_reason(request, hand)
    return redirect("hand", hand.pk)


def open_with_reason(request: HttpRequest, hand: Hand) -> None:
    """Note why an auditor opens every card; the cards stay open until they sign out."""
    try:
        records_record.note_opening(request.user, hand, request.POST.get("reason", ""))
    except Refused as refusal:
        messages.error(request, sentence_of(refusal))
        return
    opened = [*request.session.get(records_record.OPENED, ()), hand.pk]
    request.session[records_record.OPENED] = opened[-OPENED_MAX:]


@require_POST
@login_required
def share(request: HttpRequest, hand_id: int) -> HttpResponse:
    try:
        named = request.POST.get("named") == "yes"
        sharing.share(request.user, hand_id, timezone.now(), named=named)
    except Refused as refusal:
        return refused_page(request, refusal, _("This hand was not shared"))
    return redirect("hand", hand_id)


@require_POST
@login_required
def unshare(request: HttpRequest, hand_id: int) -> HttpResponse:
    try:
        sharing.revoke(request.user, hand_id, timezone.now())
    except Refused as refusal:
        return refused_page(request, refusal, _("No link was revoked"))
    if request.POST.get("back") == "links":
        messages.success(request, _("The link is revoked and no longer works."))
        return redirect("links")
    return redirect("hand", hand_id)
