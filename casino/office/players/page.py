"""The page of a player's file for one member of staff: each section as rights allow."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.accounts import appointing, freezing
from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member
from casino.care import exclusions
from casino.care.limits import limits_that_hold, limits_that_wait
from casino.care.models import ErasureRequest
from casino.office.players import figures, permissions, traces, verbs
from casino.office.players.actions import ACTIONS, NO_MERGING
from games.models import Seat
from wallets.models import Currency
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import journal
from wallets.values.days import day_of
from wallets.values.player import Viewer

LOOKS: Final = 8
READ_JOURNAL: Final = "wallets.read_journal"
CHAT: Final = "admin:games_chat_chatline_changelist"


def context_of(member: Viewer, player: Player, code: str, now: datetime) -> dict[str, object]:
    """A number of queries that depends on the reader's rights, and not on the player's life."""
    may = member.has_perm
    context = _identity(member, player, now)
    if may(permissions.SEE_WALLETS) or may(permissions.SEE_WHOLE):
        seats = figures.seats_now(player)
        if may(permissions.SEE_WALLETS):
            context |= _money(member, player, seats, code, now)
        if may(permissions.SEE_WHOLE):
            context |= _whole(player, seats, now)
    if may(permissions.SEE_HANDS):
        context |= _hands(member, player)
    if may(permissions.SEE_CHAT):
        context |= {
            "chat": traces.said(player),
            "all_chat": f"{reverse(CHAT)}?{urlencode({'q': player.username})}",
        }
    if may(READ_JOURNAL):
        subject = urlencode({"subject": player_reference(player.pk)})
        context["journal"] = f"{reverse('journal')}?{subject}"
        context["acts"] = verbs.acts_on(player, LOOKS)
    return context


def _identity(member: Viewer, player: Player, now: datetime) -> dict[str, object]:
    """Return the player's identity, flags and limits, and the actions that the reader may take."""
    flags = traces.flags(player)
    flags_up = [flag for flag in flags if flag.lowered_at is None]
    sees_documents = member.has_perm(permissions.SEE_DOCUMENTS)
    seen = traces.checks(player, day_of(now))
    return {
        "player": player,
        "status": _status(player),
        "frozen_by": None if player.is_active else _frozen_by(player),
        "is_staff_member": is_staff_member(player),
        "is_guest": player.is_guest,
        "checked": {shown_check.check.what for shown_check in seen if not shown_check.expired},
        "checks": seen if sees_documents else None,
        "flags": flags_up,
        "flags_before": [flag for flag in flags if flag.lowered_at][: traces.FLAGS_BEFORE],
        "limits": limits_that_hold(player, now),
        "limits_waiting": limits_that_wait(player, now),
        "break": exclusions.current(player.pk, now),
        "actions": _actions(member, player, flags_up=bool(flags_up)),
        "proposals": [
            (proposal, journal.words_of(proposal.verb))
            for proposal in Proposal.objects.filter(
                subject=player_reference(player.pk), status=Proposal.Status.PROPOSED
            ).order_by("-pk")
        ],
        "no_merging": NO_MERGING,
    }


def _status(player: Player) -> str:
    if player.closed_at is not None:
        return "closed"
    return "open" if player.is_active else "frozen"


def _frozen_by(player: Player) -> JournalEntry | None:
    """Return the journal's entry about the last freeze."""
    entries = JournalEntry.objects.filter(subject=player_reference(player.pk), verb=freezing.FREEZE)
    return entries.order_by("-position").first()


def _actions(member: Viewer, player: Player, *, flags_up: bool) -> list[dict[str, object]]:
    """The buttons that do something; the verbs ask again."""
    if player.is_bot:
        return []
    closed, frozen = player.closed_at is not None, not player.is_active
    offered = {
        "player-unflag": flags_up,
        "player-freeze": not closed and (not frozen or player.frozen_until is not None),
        "player-unfreeze": frozen and not closed,
        "player-close": not closed and not is_staff_member(player),
    }
    actions: list[dict[str, object]] = [
        {
            "words": action.words,
            "address": reverse(action.name, args=[player.pk]),
        }
        for action in ACTIONS
        if member.has_perm(action.permission) and offered.get(action.name, True)
    ]
    return actions + _sign_in_actions(member, player)


def _sign_in_actions(member: Viewer, player: Player) -> list[dict[str, object]]:
    """The player's row in the list leads to the pages of sign-ins, roles and data."""
    has_codes = freezing.has_codes_or_passkeys(player.pk)
    erasing = ErasureRequest.objects.filter(player=player, done_at=None)
    may = member.has_perm
    offered = (
        ("end_sessions", _("End all sessions"), may(freezing.MAY_END)),
        ("forget_codes", _("Reset codes"), may(freezing.MAY_FORGET) and has_codes),
        ("erase", _("Erase personal data"), may(freezing.PERMISSION) and erasing.exists()),
    )
    actions: list[dict[str, object]] = [
        {"words": words, "address": reverse(f"admin:players_player_{page}", args=[player.pk])}
        for page, words, holds in offered
        if holds
    ]
    if may(appointing.PERMISSION) and not player.is_guest and player.is_active:
        named = urlencode({"name": player.username})
        actions.append({"words": _("Appoint"), "address": f"{reverse('staff')}?{named}#appoint"})
    return actions


def _money(
    member: Viewer, player: Player, seats: Sequence[Seat], code: str, now: datetime
) -> dict[str, object]:
    held = figures.held_by(player, seats)
    holdings = figures.chosen(player, held, code)
    context: dict[str, object] = {"held": held, "chosen": holdings}
    if holdings is None:
        return context
    return context | {"ledger": figures.newest_lines(holdings), "flow": figures.flow(holdings, now)}


def _whole(player: Player, seats: Sequence[Seat], now: datetime) -> dict[str, object]:
    return {
        "seats": seats,
        "seats_before": figures.seats_before(player),
        "sign_ins": traces.sign_ins(player, now),
        "notes": traces.notes(player),
        "looks": verbs.looks_at(player, LOOKS),
        "shows_whole": True,
    }


def _hands(member: Viewer, player: Player) -> dict[str, object]:
    """Hands with the page that this reader may open; auditors search all of them."""
    currencies = Currency.objects.in_bulk()
    opens = any(map(member.has_perm, permissions.OPENS_HANDS))
    hands = [
        (
            hand,
            reverse("office-hand", args=[hand.code])
            if opens
            else reverse("admin:games_hand_change", args=[hand.number]),
        )
        for hand in figures.last_hands(player, currencies)
    ]
    all_hands = f"{reverse('office-hands')}?{urlencode({'player': player.username})}"
    results = figures.results(player, currencies)
    return {
        "hands": hands,
        "all_hands": all_hands if opens else "",
        "partners": reverse("player-partners", args=[player.pk]) if opens else "",
        "results": results,
        "result_sums": figures.in_all(results),
        "shows_hands": True,
    }
