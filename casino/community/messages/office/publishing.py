"""Sending a message, and stopping it: to more players than a bound, two people send it.

Who approves it reads its segment in words, as its page has it.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.utils.translation import ngettext

from casino.community.messages import segments
from casino.community.messages.models import Kind, Message, Sending
from casino.community.messages.office import drafts
from casino.community.messages.office.drafts import PERMISSION, State, message_of
from casino.community.messages.segments import Segment
from games.words.naming import game_name
from tournaments.models import Tournament
from wallets.models import Currency
from wallets.models.staff_models import Proposal
from wallets.of_record.verbs import under
from wallets.staff import approvals, journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, money
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer


class Line(NamedTuple):
    label: str
    text: str


def lines(message: Message) -> list[Line]:
    """The filters of a message's segment, or one line if it has none."""
    lines = list(_lines(segments.read(message.segment)))
    return lines or [Line(_t("For"), _t("everybody whom the house may write to"))]


def _lines(segment: Segment) -> Iterator[Line]:
    if segment.games:
        names = ", ".join(str(game_name(game)) for game in segment.games)
        yield Line(_t("Played lately"), names)
    if segment.away_min is not None:
        yield Line(_t("Last visit at least"), _days(segment.away_min))
    if segment.away_max is not None:
        yield Line(_t("Last visit at most"), _days(segment.away_max))
    if segment.level_min and segments.LEVELS:
        yield Line(_t("Level from"), str(segments.LEVELS[0].names()[segment.level_min]))
    if segment.currency:
        yield from _of_play(segment)
    if segment.languages:
        spoken = [str(name) for code, name in settings.LANGUAGES if code in segment.languages]
        yield Line(_t("Language"), ", ".join(spoken))
    if segment.event is not None:
        event = Tournament.objects.filter(pk=segment.event).first()
        yield Line(_t("Entered"), event.title if event else "–")


def _of_play(segment: Segment) -> Iterator[Line]:
    currency = Currency.objects.filter(pk=segment.currency).first()
    if currency is None:
        return
    if segment.stakes_min is not None:
        yield Line(_t("Average bet at least"), money(segment.stakes_min, currency))
    if segment.stakes_max is not None:
        yield Line(_t("Average bet at most"), money(segment.stakes_max, currency))
    results = {"won": _t("won in the last 30 days"), "lost": _t("lost in the last 30 days")}
    if segment.result:
        yield Line(_t("Result"), f"{results[segment.result]}, {currency.code}")


def _days(days: int) -> str:
    return ngettext("{days} day ago", "{days} days ago", days).format(days=days)


VERB: Final = "message.send"
STOPPED: Final = journal.register("message.stop", _("Stopped a message"), permission=PERMISSION)


def audience(message: Message, now: datetime) -> int:
    """How many players a message would be for now."""
    segment = segments.read(message.segment)
    return segments.players_of(segment, message.kind, now).count()


class SendMessage(Permitted):
    """Arguments: `message` and its `revision`, which is what is approved."""

    name: str = VERB
    words: str | Promise = _("Send a message to players")
    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        message = message_of(arguments.get("message"))
        return {"message": message.pk, "revision": message.revision}

    def admit(self, order: Order) -> None:
        message = message_of(order.arguments["message"])
        if message.state not in (State.DRAFT, State.PROPOSED):
            raise Refused("already_sent", _n("This message has already been sent."))
        drafts.require_sound(drafts.content_of(message), order.now)
        if not audience(message, order.now):
            raise Refused("nobody_there", _n("This segment matches nobody."))

    def subject(self, arguments: Arguments) -> str:
        return message_of(arguments["message"]).reference

    def state(self, arguments: Arguments) -> Arguments:
        return {"revision": message_of(arguments["message"]).revision}

    def needs_approval(self, order: Order) -> bool:
        message = message_of(order.arguments["message"])
        return audience(message, order.now) > settings.MESSAGES_FREELY

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        message = message_of(arguments["message"])
        planned = house_time(message.planned_at) if message.planned_at else _t("at once")
        said = [Change(message.title, "", message.text)]
        said += [Change(_t("About"), "", str(Kind(message.kind).label))]
        said += [Change(_t("When"), "", planned)]
        return said + [Change(line.label, "", line.text) for line in lines(message)]

    def carry_out(self, order: Order) -> Message:
        message = drafts.locked(order.arguments["message"])
        if message.state not in (State.DRAFT, State.PROPOSED):
            raise Refused("already_sent", _n("This message has already been sent."))
        message.state, message.sent_at = State.SENT, order.now
        message.save(update_fields=["state", "sent_at"])
        order.note(
            VERB,
            message.reference,
            before={"state": State.DRAFT},
            after={"state": message.state, "players": audience(message, order.now)},
        )
        return message

    def proposed(self, proposal: Proposal) -> None:
        rows = Message.objects.filter(pk=proposal.arguments["message"], state=State.DRAFT)
        if not rows.update(state=State.PROPOSED):
            raise Refused("already_proposed", _n("This message has already been proposed."))

    def closed(self, proposal: Proposal) -> None:
        """It is a draft again, which can be changed and proposed anew."""
        rows = Message.objects.filter(pk=proposal.arguments.get("message"), state=State.PROPOSED)
        rows.update(state=State.DRAFT)


@under(STOPPED)
def stop(member: Viewer, number: int, *, reason: str, now: datetime) -> Message:
    """Send no more of it; what has arrived stays where it is."""
    drafts.require(member)
    with transaction.atomic():
        message = drafts.locked(number)
        if message.state != State.SENT:
            raise Refused("not_sent", _n("This message is not under way."))
        message.state, message.stopped_at = State.STOPPED, now
        message.save(update_fields=["state", "stopped_at"])
        waits = Sending.objects.filter(recipient__message=message, next_at__isnull=False)
        waiting = waits.update(next_at=None, outcome=Sending.Outcome.DROPPED)
        journal.write(
            journal.by(member),
            STOPPED,
            message.reference,
            before={"state": State.SENT, "waiting": waiting},
            after={"state": message.state},
            reason=reason,
            now=now,
        )
    return message


approvals.register(SendMessage())
