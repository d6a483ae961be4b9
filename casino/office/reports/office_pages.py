"""The pages of reports, and those of what makes a figure."""

from functools import partial

from django.views.decorators.http import require_safe

from casino.office.reports import detail_pages  # noqa: F401 - it declares its pages
from casino.office.reports.pages import report_page
from casino.office.reports.registry import REPORTS
from casino.office.reports.report import READ
from wallets.office.staff_pages import ALL_REPORTS, Menu, staff_page

for _name, _report in REPORTS.items():
    _menu = Menu(ALL_REPORTS, _report.symbol, _report.place)
    _declare = staff_page(f"report_{_name}", f"reports/{_name}/", _report.title, READ, menu=_menu)
    _declare(require_safe(partial(report_page, name=_name)))
