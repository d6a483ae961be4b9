"""What the frame of all pages knows."""

from django.http import HttpRequest

from casino.players.views import THEMES


def frame(request: HttpRequest) -> dict[str, object]:
    """The theme is written into the page by the server, so it never flashes in the other one."""
    theme = request.COOKIES.get("theme", "")
    return {"theme": theme if theme in THEMES else "system", "themes": THEMES}
