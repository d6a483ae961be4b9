"""Declare the columns of players: identity, rights, and the means to sign in are of record."""

from casino.accounts import models
from wallets.of_record.declarations import declare

_SHOWN = "what a player sees of their own devices and tokens, or how pages greet them"

declare(
    models.Player,
    record="id is_superuser is_staff is_active is_bot is_guest date_joined has_own_rules "
    "frozen_until closed_at",
    digested="username username_key password email",
    free={_SHOWN: "last_login reads_as strength face language signed_up_from"},
    by="casino games.tables",
)
declare(
    models.Player.groups.through,
    record="id player_id group_id",
    by="casino.accounts casino.office.players",
)
declare(
    models.Player.user_permissions.through,
    record="id player_id permission_id",
    by="casino.accounts casino.office.players",
)
declare(
    models.AccessToken,
    record="id player_id expires_at by_code",
    digested="digest stamp",
    free={_SHOWN: "made_at user_agent address seen_at idled"},
    by="casino",
)
declare(
    models.Device,
    free={_SHOWN: "id player_id digest session_key user_agent address signed_in_at seen_at"},
)
declare(
    models.Authenticator,
    record="id player_id made_at confirmed_at",
    digested="sealed_secret",
    free={"so that no code counts twice": "last_step drift"},
    by="casino.accounts casino.office.players wallets.storage.resealing",
)
declare(
    models.RecoveryCode,
    record="id player_id used_at",
    digested="digest",
    by="casino.accounts casino.office.players",
)
