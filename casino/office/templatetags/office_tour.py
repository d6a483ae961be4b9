"""Template tag for the tour of the back office."""

from typing import Any

from django import template

from casino.office.frame import tour as of_office

register = template.Library()


@register.inclusion_tag("backoffice/tour.html", takes_context=True)
def tour(context: Any) -> dict[str, object]:
    """The step of the tour that this page shows its reader, if any."""
    request = context["request"]
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        **of_office.shown_on(request),
    }
