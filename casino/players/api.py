"""Signing a program in and out."""

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api.refusing import WrongSignIn
from casino.api.throttling import SignIns
from casino.players import tokens
from casino.players.models import AccessToken
from games.api.asking import Asked, Text, read
from games.api.schema import refusals
from games.refusal import Refused


class SignInAsked(Asked):
    name = Text(max_length=100)
    # As long as Django's own form allows: what is longer only costs time.
    password = Text(max_length=4096, trim_whitespace=False)


class TokenTold(serializers.Serializer):
    token = serializers.CharField(help_text=_("Told this once; the house keeps a hash of it."))
    expires_at = serializers.DateTimeField()


class TokensDescribed(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description of the API says that a token signs in."""

    target_class = "casino.players.tokens.Tokens"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


@method_decorator(sensitive_post_parameters(), "dispatch")
class SignIn(APIView):
    """Sign in. After five wrong passwords a name is locked from this address for a while."""

    permission_classes = ()
    # Who signs in is nobody yet, whatever token or session the program still sends.
    authentication_classes = ()
    throttle_classes = (*APIView.throttle_classes, SignIns)

    @extend_schema(
        operation_id="sign_in",
        request=SignInAsked,
        responses={201: TokenTold} | refusals(400, 401, 415, 429),
        auth=[],
    )
    @method_decorator(sensitive_variables("asked"))
    def post(self, request: Any) -> Response:
        asked = read(SignInAsked, request.data)
        # The lock stands in the plain request, where the middleware of `axes` looks for it.
        plain = request._request
        player = authenticate(plain, username=asked["name"], password=asked["password"])
        if player is None:
            raise WrongSignIn
        _note_sign_in(plain, player)
        told, kept = tokens.issue(player, timezone.now())
        return Response(TokenTold({"token": told, "expires_at": kept.expires_at}).data, 201)


def _note_sign_in(request: HttpRequest, player: Any) -> None:
    """What follows a sign-in anywhere: the wrong passwords before it are forgotten."""
    has_session = request.session.session_key is not None
    user_logged_in.send(type(player), request=request, user=player)
    if not has_session:
        # The log of sign-ins opens one, and a program has no use for it.
        request.session.flush()


class SignOut(APIView):
    """Sign out: this token signs nobody in any more."""

    @extend_schema(
        operation_id="sign_out", request=None, responses={204: None} | refusals(401, 409, 429)
    )
    def post(self, request: Any) -> Response:
        if not isinstance(request.auth, AccessToken):
            raise Refused("no_token", _n("This request was not signed in by a token."))
        request.auth.delete()
        return Response(status=204)
