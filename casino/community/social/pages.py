"""A player's page, and "My friends": all that players arrange with one another."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from casino.accounts.models import Player
from casino.community.social import friends, invitations, profiles
from casino.community.social.models import NOTE_MAX
from games.models import Table
from games.views.private import invitation_address
from games.web.pages import Refusal, choice, refusal_of, set_choices
from wallets.values.errors import Refused

PageVerb = Callable[[Player, QueryDict, datetime], None]


class InviteForm(forms.Form):
    """The tables to which a friend can be invited; each friend has one, so it has no id."""

    table = choice(_l("Private table"))

    def __init__(self, tables: Sequence[Table]) -> None:
        super().__init__(auto_id=False)
        set_choices(self, table=[(table.pk, table.title) for table in tables])
        self.fields["table"].widget.attrs["aria-label"] = self.fields["table"].label


@never_cache
@login_required
@require_safe
def player_page(request: HttpRequest, name: str) -> HttpResponse:
    profile = profiles.profile(_reader(request), name, timezone.now())
    if profile is None:
        raise Http404
    context = {"profile": profile, "note_max": NOTE_MAX}
    return render(request, "social/player.html", context)


@never_cache
@login_required
@require_safe
def my_friends(request: HttpRequest) -> HttpResponse:
    return _shown(request)


def _shown(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    player = _player(request)
    lists = profiles.lists_of(player, timezone.now())
    context = {
        "lists": lists,
        "invite_form": InviteForm(lists.tables),
        "invitations": [
            (invitation.table, invitation_address(invitation.table))
            for invitation in lists.invitations
        ],
        "friends_only": profiles.is_friends_only(player),
        "typed": request.POST.get("name", "") if refusal else "",
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "social/my_friends.html", context, status=status)


def _ask(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.ask(player, _name(sent), now)


def _accept(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.accept(player, _name(sent), now)


def _end(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.end(player, _name(sent))


def _follow(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.follow(player, _name(sent), now)


def _unfollow(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.unfollow(player, _name(sent))


def _block(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.block(player, _name(sent), now)


def _unblock(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.unblock(player, _name(sent))


def _write(player: Player, sent: QueryDict, now: datetime) -> None:
    friends.write_note(player, _name(sent), sent.get("note", ""), now)


def _invite(player: Player, sent: QueryDict, now: datetime) -> None:
    invitations.invite(player, _name(sent), _table(sent), now)


def _decline(player: Player, sent: QueryDict, now: datetime) -> None:
    invitations.decline(player, _table(sent))


def _show(player: Player, sent: QueryDict, now: datetime) -> None:
    profiles.show_to(player, friends_only=sent.get("friends_only") == "1")


VERBS: Final[dict[str, PageVerb]] = {
    "ask": _ask,
    "accept": _accept,
    "end": _end,
    "follow": _follow,
    "unfollow": _unfollow,
    "block": _block,
    "unblock": _unblock,
    "note": _write,
    "invite": _invite,
    "decline": _decline,
    "show": _show,
}


@require_POST
@login_required
def verb(request: HttpRequest, name: str) -> HttpResponseBase:
    """Run a verb; a refusal appears on "My friends", where the form can be sent again."""
    player = _player(request)
    try:
        VERBS[name](player, request.POST, timezone.now())
    except Refused as error:
        return _shown(request, refusal_of(error, name))
    if request.POST.get("back") == "player":
        return redirect("player", _name(request.POST))
    return redirect("my-friends")


def _reader(request: HttpRequest) -> Player:
    """Return the reader of a player's page: staff may read it, as at any table."""
    if not isinstance(request.user, Player):
        raise Http404
    return request.user


def _player(request: HttpRequest) -> Player:
    """Return the player who arranges something: staff do not play, so they have no friends."""
    player = _reader(request)
    if player.is_staff or player.is_bot:
        raise Http404
    return player


def _name(sent: QueryDict) -> str:
    return sent.get("name", "").strip()


def _table(sent: QueryDict) -> int:
    typed = sent.get("table", "")
    return int(typed) if typed.isdecimal() and len(typed) <= 18 else 0
