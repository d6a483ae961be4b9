"""What came of a message: delivered, opened, and who came back beside who was held out."""

from typing import NamedTuple

from django.db.models import Count, Q

from casino.community.messages.models import Message, Recipient, Sending
from casino.office.reports.columns import percent


class Reached(NamedTuple):
    """The players of one side, and how many of them came back."""

    players: int
    returned: int

    @property
    def share(self) -> str:
        return share_of(self.returned, self.players)


class Figures(NamedTuple):
    sent: Reached
    held_out: Reached
    opened: int
    # By channel: its words, delivered, waiting, failed, unknown, not sent.
    channels: list[tuple[str, list[int]]]

    @property
    def opened_share(self) -> str:
        return share_of(self.opened, self.sent.players)


def share_of(part: int, whole: int) -> str:
    value = percent(part, whole)
    return "–" if value is None else f"{value:.0f} %"


OUTCOMES = (
    Sending.Outcome.SENT,
    Sending.Outcome.WAITS,
    Sending.Outcome.FAILED,
    Sending.Outcome.CLAIMED,
    Sending.Outcome.DROPPED,
)


def figures_of(message: Message) -> Figures:
    rows = Recipient.objects.filter(message=message)
    back = Q(returned_at__isnull=False)
    counted = rows.aggregate(
        sent=Count("pk", filter=Q(is_held_out=False)),
        sent_back=Count("pk", filter=back & Q(is_held_out=False)),
        held=Count("pk", filter=Q(is_held_out=True)),
        held_back=Count("pk", filter=back & Q(is_held_out=True)),
        opened=Count("pk", filter=Q(opened_at__isnull=False)),
    )
    counts = {outcome.value: Count("pk", filter=Q(outcome=outcome)) for outcome in OUTCOMES}
    by_channel = Sending.objects.filter(recipient__message=message).values("channel")
    states = by_channel.annotate(**counts).values_list("channel", *counts).order_by("channel")
    labels = dict(Sending.Channel.choices)
    return Figures(
        Reached(counted["sent"], counted["sent_back"]),
        Reached(counted["held"], counted["held_back"]),
        counted["opened"],
        [(str(labels[channel]), list(numbers)) for channel, *numbers in states],
    )
