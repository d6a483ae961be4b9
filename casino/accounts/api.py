"""Sign a program in and out."""

from typing import Annotated, Any

from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_noop as _n
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.views import APIView

from casino.accounts import codes, devices, sign_in_rules, tokens
from casino.accounts.code_pages import check
from casino.accounts.models import AccessToken, Player
from casino.accounts.session_store import SIGN_OUT
from casino.web.api.refusing import CodeNeeded, CodeNotSetUp, WrongCode, WrongSignIn
from casino.web.api.throttling import SignIns
from games.web.operations import answer, nothing
from games.web.payloads import Moment, Payload, Sent, Text, described
from games.web.reading import read
from games.web.schema import refusals
from wallets.of_record.verbs import under
from wallets.values.errors import Refused


class SignInRequest(Sent, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[Text, Meta(max_length=100)]
    # The same limit as Django's own form: longer input only costs time.
    password: Annotated[Text, Meta(max_length=4096)]
    code: Annotated[
        str,
        Meta(max_length=40, pattern=r"^[^\x00]*$"),
        described(_n("A one-time code or a recovery code, for those who sign in with codes.")),
    ] = ""


class Token(Payload, frozen=True, kw_only=True):
    token: Annotated[str, described(_n("Shown only once; the server stores only a hash."))]
    expires_at: Moment


class TokensDescribed(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes in the OpenAPI schema how a token signs in."""

    target_class = "casino.accounts.tokens.Tokens"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


@method_decorator(sensitive_post_parameters(), "dispatch")
class SignIn(APIView):
    """Sign in. After five failures a name is locked from this address for a while.

    Where `code_needed` is the answer, send the same with a code.
    """

    permission_classes = ()
    # A sign-in ignores any token or session that the program still sends.
    authentication_classes = ()
    throttle_classes = (*APIView.throttle_classes, SignIns)

    @extend_schema(
        operation_id="sign_in",
        request=SignInRequest,
        responses={201: Token} | refusals(400, 401, 403, 409, 415, 429),
        auth=[],
    )
    @method_decorator(sensitive_variables("credentials"))
    def post(self, request: Request) -> HttpResponse:
        credentials = read(SignInRequest, request.data)
        # The lock is in the plain request, where the middleware of `axes` looks for it.
        plain = request._request
        player = authenticate(
            plain, username=credentials.name.strip(), password=credentials.password
        )
        if player is None:
            raise WrongSignIn
        assert isinstance(player, Player)
        why = sign_in_rules.refusal(player, timezone.now())
        if why is not None:
            raise why
        by_code = _require_code(plain, player, credentials.code.strip())
        _note_sign_in(plain, player)
        origin = devices.origin_of(plain)
        token, kept = tokens.issue(player, timezone.now(), origin, by_code=by_code)
        return answer(Token(token=token, expires_at=kept.expires_at), 201)


def _require_code(request: HttpRequest, player: Player, code: str) -> bool:
    """Refuse a user of codes who sends none, or a wrong one; return whether there was one."""
    if not codes.has_codes(player):
        if codes.required_of(player):
            raise CodeNotSetUp
        return False
    if not code:
        raise CodeNeeded
    if not check(request, player, code):
        raise WrongCode
    return True


def _note_sign_in(request: HttpRequest, player: Player) -> None:
    """Do what follows every sign-in: forget the wrong passwords before it."""
    has_session = request.session.session_key is not None
    user_logged_in.send(type(player), request=request, user=player)
    if not has_session:
        # The log of sign-ins would open a session, which a program does not need.
        request.session.flush()


class SignOut(APIView):
    """Sign out: the token becomes invalid."""

    @extend_schema(
        operation_id="sign_out", request=None, responses={204: None} | refusals(401, 409, 429)
    )
    def post(self, request: Request) -> HttpResponse:
        if not isinstance(request.auth, AccessToken):
            raise Refused("no_token", _n("This request was not signed in by a token."))
        with under(SIGN_OUT):
            request.auth.delete()
        return nothing()
