"""What staff do with webhooks: add one, end it, send a message again.

A webhook that carries what a player has done is added by two people.
"""

import secrets
from base64 import b64encode
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.hooks.models import ADDRESS_MAX, NAME_MAX, Endpoint, Sending
from casino.office.hooks.sending import KINDS, PREFIX
from casino.ops import outbox
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.errors import Refused
from wallets.values.player import Viewer

SEE: Final = "hooks.see_hooks"
MANAGE: Final = "hooks.manage_hooks"
SUBSCRIBE: Final = "hook.subscribe"
END: Final = journal.register("hook.end", _("Ended a webhook"), permission=MANAGE)
REPLAY: Final = journal.register(
    "hook.replay", _("Sent a message again"), needs_reason=False, permission=MANAGE
)
SHOW: Final = journal.register(
    "hook.show_secret", _("Read the secret of a webhook"), needs_reason=False, permission=MANAGE
)
SECRET_BYTES: Final = 32


class Subscribe(Permitted):
    """Arguments: the `name`, the `address`, and the `kinds` of events."""

    name: str = SUBSCRIBE
    words: str | Promise = _("Add a webhook")
    permission: str = MANAGE

    def check(self, arguments: Arguments) -> Arguments:
        name = " ".join(str(arguments.get("name", "")).replace("\0", " ").split())
        address, kinds = str(arguments.get("address", "")), arguments.get("kinds")
        if not 1 <= len(name) <= NAME_MAX:
            raise Refused("hook_name", _("A webhook has a name of 1 to {most} characters."),
                          most=NAME_MAX)  # fmt: skip
        certificate = settings.HOOKS_TEST_CERTIFICATE
        outside = outbox.is_outside(address, ADDRESS_MAX, certificate=certificate)
        if not outside or urlsplit(address).query:
            raise Refused(
                "hook_address",
                _("The address begins with https://, leads out of the house, and has no query."),
            )
        if not isinstance(kinds, list) or not kinds or not set(kinds) <= KINDS.keys():
            raise Refused("hook_kinds", _("Choose the events that the webhook receives."))
        return {"name": name, "address": address, "kinds": sorted(set(kinds))}

    def admit(self, order: Order) -> None:
        if Endpoint.objects.filter(name=order.arguments["name"]).exists():
            raise Refused("hook_name_taken", _("There is a webhook of this name already."))

    def subject(self, arguments: Arguments) -> str:
        return "endpoint:new"

    def needs_approval(self, order: Order) -> bool:
        return any(KINDS[kind].is_personal for kind in order.arguments["kinds"])

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        told = [Change(str(KINDS[kind].words), "", "✓") for kind in arguments["kinds"]]
        return [Change(arguments["name"], "", arguments["address"]), *told]

    def carry_out(self, order: Order) -> Endpoint:
        arguments: Any = order.arguments
        endpoint = Endpoint(
            name=arguments["name"],
            address=arguments["address"],
            kinds=arguments["kinds"],
            made_at=order.now,
        )
        endpoint.secret = PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
        endpoint.save(force_insert=True)
        order.note(
            self.name,
            endpoint.reference,
            before={},
            after={"name": endpoint.name, "address": endpoint.address},
        )
        return endpoint


@under(END)
def end(member: Viewer, number: int, reason: str, now: datetime) -> Endpoint:
    """Nothing more is sent to it, also of what has happened before."""
    _require(member)
    with transaction.atomic():
        rows = Endpoint.objects.select_for_update(no_key=True)
        endpoint = rows.filter(pk=number, ended_at=None).first()
        if endpoint is None:
            raise Refused("no_such_hook", _("There is no such webhook."))
        endpoint.ended_at = now
        endpoint.save(update_fields=["ended_at"])
        endpoint.sendings.update(next_at=None)
        journal.write(
            journal.by(member), END, endpoint.reference, before={"name": endpoint.name},
            after={"ended_at": now}, reason=reason, now=now,
        )  # fmt: skip
    return endpoint


def replay(member: Viewer, number: int, now: datetime) -> Sending:
    """Send a message again, under its old id, whether it has arrived or was given up."""
    _require(member)
    with transaction.atomic():
        rows = Sending.objects.select_for_update(no_key=True, of=("self",))
        sending = rows.select_related("endpoint", "happening").filter(pk=number).first()
        if sending is None or sending.endpoint.ended_at is not None:
            raise Refused("no_such_hook", _("There is no such webhook."))
        sending.next_at, sending.attempts, sending.delivered_at = now, 0, None
        sending.save(update_fields=["next_at", "attempts", "delivered_at"])
        journal.write(
            journal.by(member), REPLAY, sending.endpoint.reference, before={},
            after={"event": sending.happening_id}, reason="",
            now=now,
        )  # fmt: skip
    return sending


def show_secret(member: Viewer, number: int, now: datetime) -> str:
    _require(member)
    with transaction.atomic():
        endpoint = Endpoint.objects.filter(pk=number, ended_at=None).first()
        if endpoint is None:
            raise Refused("no_such_hook", _("There is no such webhook."))
        journal.write(
            journal.by(member), SHOW, endpoint.reference, before={},
            after={"name": endpoint.name}, reason="", now=now,
        )  # fmt: skip
    return endpoint.secret


def _require(member: Viewer) -> None:
    if not member.has_perm(MANAGE):
        raise Refused("not_permitted", _("Your role cannot do this."))
