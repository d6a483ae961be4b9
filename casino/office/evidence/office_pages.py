"""The page on which auditors ask for a package of evidence, which is sent as it is packed."""

from typing import Any, Final

from django.forms import CharField, ChoiceField, DateField
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.office.evidence import packing
from casino.office.evidence.scope import Wanted, scope_of
from games.records.record import AUDIT
from games.words.refusals import refused_in
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import CHECKS, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.storage.signing import public_keys
from wallets.values.player import player_of

NAME_MAX: Final = 150
KINDS: Final = [
    ("hand", _("a hand")),
    ("player", _("a player")),
    ("day", _("a gaming day")),
    ("event", _("a tournament")),
]


def _day(label: Any) -> DateField:
    day = UnfoldAdminTextInputWidget(attrs={"type": "date"})
    return DateField(label=label, required=False, widget=day)


class EvidenceForm(ReasonForm):
    field_order = ("kind", "name", "first", "last", "reason")
    kind = ChoiceField(label=_("Evidence of"), choices=KINDS, widget=UnfoldAdminSelectWidget)
    name = CharField(
        label=_("Which"),
        max_length=NAME_MAX,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_(
            "The code of a hand such as T1-H20, a player's name, or the number of a tournament."
        ),
    )
    first = _day(_("From (for a gaming day: this day)"))
    last = _day(_("To"))

    def wanted(self) -> Wanted:
        values = self.cleaned_data
        return Wanted(values["kind"], values["name"], values["first"], values["last"])


@staff_page("evidence", "evidence/", _("Evidence"), AUDIT, menu=Menu(CHECKS, "folder_zip", 20))
@require_http_methods(["GET", "HEAD", "POST"])
def evidence_page(request: HttpRequest) -> HttpResponseBase:
    sent = request.POST if request.method == "POST" else None
    given = {name: request.GET.get(name, "") for name in ("kind", "name")}
    form = EvidenceForm(sent, initial=given)
    if sent is not None and form.is_valid():
        with refused_in(form):
            return _package(request, form)
    # The key that signs today's packages; those of former ones are at `/fairness/keys.json`.
    key = public_keys()[0]
    return office_page(request, "evidence.html", _("Evidence"), form=form, key=key)


def _package(request: HttpRequest, form: EvidenceForm) -> StreamingHttpResponse:
    now = timezone.now()
    scope = scope_of(form.wanted(), now)
    who, reason = journal.by(player_of(request)), form.cleaned_data["reason"]
    made = packing.note(packing.PACKED, scope, who, reason, now)
    answer = StreamingHttpResponse(packing.packed(scope, made), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{packing.file_name(scope)}"'
    answer["Cache-Control"] = "private, no-store"
    # It is compressed already.
    answer["Content-Encoding"] = "identity"
    return answer
