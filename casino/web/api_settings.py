"""Settings of the API: who is asked, how often they may come, and its description."""

from typing import Any

from wallets.values.house import lazy_name

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.accounts.tokens.Tokens",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["casino.web.api_requests.Json"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "casino.web.api_requests.Players",
        "casino.web.api_requests.Strangers",
        "casino.web.api_requests.Writes",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "user": "600/min",
        "anon": "120/min",
        # A hundred people behind one address, each of whom looks as often as a busy table moves.
        "watch": "6000/min",
        "write": "240/min",
        "sign-in": "20/min",
    },
    "EXCEPTION_HANDLER": "casino.web.api_requests.refuse",
    # A header that any client can send identifies no one; the server corrects the address.
    "NUM_PROXIES": 0,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": lazy_name(),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    # The version whose schemas are JSON Schema, in which the rules describe themselves.
    "OAS_VERSION": "3.1.1",
    "POSTPROCESSING_HOOKS": ["games.api.components.with_types"],
    # Served by us: our pages load nothing from other sites.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
