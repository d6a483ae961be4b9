"""Pieces in Django's templates: `{% piece "lines.html" live=False %}` sees what the page sees."""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from games.boards.pieces.assembly import board, with_token
from games.boards.pieces.engine import rendered

register = template.Library()


@register.simple_tag(takes_context=True)
def piece(context: template.Context, name: str, **more: Any) -> SafeString:
    page: dict[str, Any] = {**context.flatten(), **more}  # type: ignore[dict-item]
    return with_token(rendered(name, page), str(page.get("csrf_token", "")))


@register.simple_tag(takes_context=True)
def live_board(context: template.Context) -> SafeString:
    """The board of a table for the reader of the page."""
    page: dict[str, Any] = {**context.flatten()}  # type: ignore[dict-item]
    return board(page, str(page.get("csrf_token", "")), page["shared"])
