"""What the frame of all pages knows."""

from django.http import HttpRequest

from casino.players.views import PREFERENCES


def frame(request: HttpRequest) -> dict[str, object]:
    """The look is written into the page by the server, so it never flashes in another one."""
    look = {
        name: kept if (kept := request.COOKIES.get(name, "")) in values else values[0]
        for name, values in PREFERENCES.items()
    }
    return {"look": look}
