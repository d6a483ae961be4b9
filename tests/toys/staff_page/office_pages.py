"""How many people sit at the tables."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from games.models import Seat
from games.records.record import AUDIT
from wallets.office.staff_pages import NOW, Menu, staff_page


@staff_page("seated", "seated/", "Seated", AUDIT, menu=Menu(NOW, "chair", 15))
@require_safe
def seated_page(request: HttpRequest) -> HttpResponse:
    seated = Seat.objects.filter(left_at__isnull=True).count()
    context = admin.site.each_context(request) | {"title": f"{seated} people are seated"}
    return TemplateResponse(request, "admin/base_site.html", context)
