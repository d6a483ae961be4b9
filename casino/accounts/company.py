"""Accounts of the company at its own provider (OpenID Connect), by which staff sign in.

Authlib speaks with the provider: code flow with PKCE, state and nonce, and a signed ID token. Such
a sign-in replaces the password. It replaces the code as well where the provider says that it has
asked for a second factor, by a method of `OIDC_AMR`.

Roles that the provider claims grant no right: managers see them on the page of staff, and
propose what they agree with.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import CompanyAccount, Player
from casino.accounts.staff import PERMISSIONS, is_staff_member
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused

Claims = Mapping[str, Any]

SECONDS_MAX: Final = 10
# The house deletes an unappointed account after this time.
KEPT: Final = timedelta(days=30)

log = logging.getLogger("casino.accounts")


def is_on() -> bool:
    return bool(settings.OIDC_ISSUER)


@lru_cache(maxsize=1)
def provider(issuer: str, client: str, secret: str, scopes: str) -> Any:
    """The provider, by the addresses that it publishes itself."""
    # An optional package: `extras.txt`.
    from authlib.integrations.django_client import OAuth  # noqa: PLC0415

    return OAuth().register(
        "company",
        client_id=client,
        client_secret=secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": scopes,
            "code_challenge_method": "S256",
            "default_timeout": SECONDS_MAX,
        },
    )


def _provider() -> Any:
    names = (settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)
    return provider(*names, settings.OIDC_SCOPES)


def begin(request: HttpRequest, back: str) -> HttpResponse:
    """Send the browser to the provider."""
    try:
        answer: HttpResponse = _provider().authorize_redirect(request, back)
    except Exception as problem:
        raise _failed(problem) from None
    return answer


def claims_of(request: HttpRequest) -> Claims:
    """What the provider has signed about the person who comes back, or a refusal."""
    try:
        claims: Claims = _provider().authorize_access_token(request)["userinfo"]
        if not claims.get("sub") or claims["iss"].rstrip("/") != settings.OIDC_ISSUER.rstrip("/"):
            raise ValueError("a token without a subject, or of another issuer")
    except Exception as problem:
        raise _failed(problem) from None
    return claims


def _failed(problem: Exception) -> Refused:
    """The reader learns no more than that it failed; the log has the kind of fault."""
    log.warning("a sign-in by the company's provider failed: %s", type(problem).__name__)
    return Refused("company_refused", _n("The company's sign-in did not work. Try again."))


def has_second_factor(claims: Claims) -> bool:
    """Whether the provider says that it has asked for one that this house accepts."""
    methods = claims.get("amr")
    return isinstance(methods, list) and any(method in settings.OIDC_AMR for method in methods)


def roles_in(claims: Claims) -> list[str]:
    """The roles of this house that the claims name."""
    values = claims.get(settings.OIDC_ROLES_CLAIM, [])
    values = [values] if isinstance(values, str) else values
    named = {settings.OIDC_ROLES.get(value) for value in values if isinstance(value, str)}
    return [role for role in PERMISSIONS if role in named]


@verb("player:account.meet_company")
def met(claims: Claims, now: datetime) -> CompanyAccount:
    """The row of an account that has just signed in at the provider."""
    name = str(claims.get("preferred_username") or claims.get("email") or claims["sub"])
    account, _made = CompanyAccount.objects.update_or_create(
        issuer=str(claims["iss"])[:255],
        subject=str(claims["sub"])[:255],
        defaults={"name": name[:100], "claimed": roles_in(claims), "met_at": now},
    )
    return account


def player_of(account: CompanyAccount) -> Player:
    """The member of staff who an account is, or a refusal."""
    player = account.player
    if player is None:
        raise Refused(
            "company_unknown",
            _n("The house knows your company account now. Two managers have to appoint you."),
        )
    if not is_staff_member(player):
        raise Refused("company_no_role", _n("You have no role in this house."))
    return player


@verb("player:account.connect_company")
def connect(account: CompanyAccount, player: Player) -> None:
    """Let an account sign in a member of staff who has proved to be its owner."""
    if not is_staff_member(player):
        raise Refused("company_no_role", _n("You have no role in this house."))
    _bind(account.pk, player)


def bind(number: int, player: Player) -> None:
    """The same for an appointment, under its own verb."""
    _bind(number, player)


def unclaimed(number: object) -> CompanyAccount:
    """Return an account without a player; refuse one that has a player."""
    account = CompanyAccount.objects.filter(pk=number if type(number) is int else 0).first()
    if account is None or account.player_id is not None:
        raise _connected()
    return account


def _connected() -> Refused:
    return Refused("company_connected", _n("Another player already uses this company account."))


def _bind(number: int, player: Player) -> None:
    free = CompanyAccount.objects.filter(pk=number, player=None)
    if not free.update(player=player):
        raise _connected()


@verb("player:account.disconnect_company")
def disconnect(player: Player, number: int) -> int:
    removed, _each = player.company_accounts.filter(pk=number).delete()
    return removed


@verb("house:account.forget_company_accounts")
def forget_unknown(now: datetime) -> int:
    """Delete accounts whose owners managers never appointed."""
    unknown = CompanyAccount.objects.filter(player=None, met_at__lt=now - KEPT)
    return unknown.delete()[0]


def waiting() -> list[CompanyAccount]:
    """Accounts of whom the provider claims other roles than they have here, the latest first."""
    if not is_on():
        return []
    since = timezone.now() - KEPT
    rows = CompanyAccount.objects.filter(met_at__gte=since).select_related("player")
    return [
        account
        for account in rows.order_by("-met_at").prefetch_related("player__groups")[:100]
        if account.player is None or set(account.claimed) != roles_here(account)
    ]


def roles_here(account: CompanyAccount) -> set[str]:
    if account.player is None:
        return set()
    return {group.name for group in account.player.groups.all()}
