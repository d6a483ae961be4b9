"""How many passwords an address may have looked at: each costs as much as a hundred pages."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from casino.api.throttling import count
from casino.errors import answer

# Enough for a club that opens its door behind one router.
PASSWORDS_A_MINUTE: Final = 120
MINUTE: Final = 60

View = Callable[..., HttpResponseBase]


def paced(view: View) -> View:
    """Have an address that has sent too many passwords wait for the next minute."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        now = time.time()
        name = f"passwords:{request.META.get('REMOTE_ADDR', '')}:{int(now // MINUTE)}"
        if request.method == "POST" and count(name, MINUTE) > PASSWORDS_A_MINUTE:
            refused = answer(
                request,
                429,
                "too_many_requests",
                _("Too many at once"),
                _("Very many sign-ins come from where you are. Wait a minute and try again."),
            )
            refused["Retry-After"] = str(MINUTE - int(now % MINUTE))
            return refused
        return view(request, *args, **kwargs)

    return answered
