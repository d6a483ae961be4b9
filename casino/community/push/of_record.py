"""Declare the columns of push messages, none of which is of record."""

from casino.community.push.models import Call, Subscription
from wallets.of_record.declarations import declare

_CALLS = "calls that a turn has come, which the table shows, too"

declare(
    Subscription,
    free={
        _CALLS: "id device_id sealed_endpoint endpoint_digest public_key sealed_secret language "
        "made_at succeeded_at called_at"
    },
)
declare(
    Call,
    free={
        _CALLS: "id subscription_id kind place hand seat turn made_at expires_at attempts next_at"
    },
)
