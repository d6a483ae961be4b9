"""Declare the columns of the API's own rows, none of which is of record."""

from games.web.models import AnsweredRequest
from wallets.of_record.declarations import declare

declare(
    AnsweredRequest,
    free={
        "kept for an hour, so that a repeated request is answered as before": "id player_id key "
        "request status refusal made_at"
    },
)
