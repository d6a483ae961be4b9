"""Guests: players without a name of their own or a password, who are known by a session alone.

A guest is a player like any other for tables, ledger, hands and proofs. `casino.accounts.admission`
says what guests may not do. An account is made of the same row, so nothing has to be moved.
"""

import logging
import secrets
from typing import Final

from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_noop as _n

from casino.accounts import devices, sign_up_limits
from casino.accounts.forms import SignUpForm, name_is_taken
from casino.accounts.models import Player
from casino.web.addresses import address_of
from games.words.naming import GUEST_NAME
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused

BACKEND: Final = "casino.accounts.backends.PlayersBackend"
DAY_SECONDS: Final = 24 * 3600
# A name that another guest has is drawn again, of so many digits.
NUMBERS: Final = range(1_000, 1_000_000)
TRIES: Final = 20
# The columns of a guest's row that an account changes; it keeps all others.
WRITTEN: Final = (
    *("username", "username_key", "reads_as", "password", "face", "language", "is_guest"),
)

log = logging.getLogger("casino.accounts")


def begin(request: HttpRequest) -> Player:
    """Make a guest and sign them in here; the caller has counted the address."""
    player = _made(sign_up_limits.origin_of(request))
    login(request, player, backend=BACKEND)
    request.session.set_expiry(settings.GUEST_IDLE_DAYS * DAY_SECONDS)
    log.info("player %s plays as a guest from %s", player.pk, address_of(request) or "nowhere")
    return player


@verb("player:account.play_as_guest")
def _made(origin: str) -> Player:
    """A new guest, whose name each reader is shown in their own language."""
    for _try in range(TRIES):
        name = GUEST_NAME % {"number": NUMBERS.start + secrets.randbelow(len(NUMBERS))}
        if Player.name_is_taken(name):
            continue
        try:
            with transaction.atomic():
                return Player.objects.create_user(
                    name,
                    is_guest=True,
                    language=get_language() or "",
                    signed_up_from=origin,
                )
        except IntegrityError:
            continue
    raise Refused("no_guest_name", _n("No name is left for a guest just now."))


@verb("player:account.keep")
def keep(request: HttpRequest, form: SignUpForm) -> Player | None:
    """Make an account of the guest who sent a valid form, on the same row and in this session.

    The session gets a new key, as with every change of a password. None if another player was
    quicker with the name, which the form then says.
    """
    try:
        with transaction.atomic():
            player = form.save(commit=False)
            held = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
            if not held.is_guest:
                # This guest's other click was quicker.
                return held
            player.is_guest = False
            player.save(update_fields=WRITTEN)
    except IntegrityError:
        form.add_error("username", name_is_taken())
        return None
    request.session.set_expiry(None)
    update_session_auth_hash(request, player)
    devices.key_changed(request)
    log.info("guest %s has an account now", player.pk)
    return player
