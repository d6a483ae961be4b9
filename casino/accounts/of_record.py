"""Declare the columns of players: identity, rights, and the means to sign in are of record.

Django's own tables of rights follow from the code, and those of sign-ins are explained.
"""

from axes.models import (
    AccessAttempt,
    AccessAttemptExpiration,
    AccessFailureLog,
    AccessLog,
)
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session

from casino.accounts import models
from wallets.of_record.declarations import declare

_ROW = "a number that nothing refers to"
_SHOWN = "what a player sees of their own devices and tokens, or how pages greet them"

declare(
    models.Player,
    record="id is_superuser is_staff is_active is_bot is_guest date_joined has_own_rules "
    "frozen_until closed_at",
    digested="username username_key password email",
    free={_SHOWN: "last_login reads_as strength face language signed_up_from"},
    by="command:found command:appoint command:dismiss staff.appoint staff.dismiss player.freeze "
    "player.unfreeze player.close player.erase player:account.sign_up player:account.keep "
    "player:account.play_as_guest player:account.first_password player:account.change_password "
    "player:account.hash_password_anew player:care.ask_limit player:care.choose_reminder "
    "player:care.answer_reminder player:care.exclude",
)
declare(
    models.Player.groups.through,
    record="id player_id group_id",
    by="command:found command:appoint command:dismiss staff.appoint staff.dismiss player.close "
    "player.erase",
)
declare(
    models.Player.user_permissions.through,
    record="id player_id permission_id",
    by="player.erase",
)
declare(
    models.AccessToken,
    record="id player_id expires_at by_code",
    digested="digest stamp",
    free={_SHOWN: "made_at user_agent address seen_at idled"},
    by="player:account.issue_token player:account.sign_out player:account.end_session "
    "player:account.end_sessions player.end_sessions player.forget_codes player.freeze "
    "player.close player.erase house:account.expire_tokens house:care.carry_out_exclusion",
)
declare(
    models.Device,
    record="id player_id",
    digested="session_key",
    free={_SHOWN: "digest user_agent address signed_in_at seen_at"},
    by="player:account.sign_in player:account.sign_out player:account.keep "
    "player:account.change_password player:account.end_session player:account.end_sessions "
    "player.end_sessions player.forget_codes player.freeze player.close player.erase "
    "house:account.forget_devices",
)
declare(
    models.Authenticator,
    record="id player_id made_at confirmed_at",
    digested="sealed_secret",
    free={"so that no code counts twice": "last_step drift"},
    by="player:codes.set_up player:codes.confirm player:codes.forget player.forget_codes "
    "player.erase house:secrets.reseal",
)
declare(
    models.RecoveryCode,
    record="id player_id used_at",
    digested="digest",
    by="player:codes.confirm player:codes.renew_recovery player:codes.use_recovery "
    "player:codes.forget player.forget_codes player.erase",
)
declare(Group, derived={"rights": "id name"})
declare(Group.permissions.through, derived={"rights": "group_id permission_id"}, free={_ROW: "id"})
declare(Permission, derived={"rights": "id name content_type_id codename"})
declare(
    ContentType,
    derived={"rights": "app_label model"},
    free={"a number; the permissions that refer to it are compared": "id"},
)
declare(
    Session,
    free={
        "sealed with its key and end; it signs in while its device, which is of record, names it": (
            "session_key session_data expire_date"
        )
    },
)
declare(
    LogEntry,
    free={
        "Django's own log of the admin, which the house does not write": "id action_time user_id "
        "content_type_id object_id object_repr action_flag change_message"
    },
)
_TRIES = "failed sign-ins: without them more passwords may be tried, but no session is opened"
declare(
    AccessAttempt,
    free={
        _TRIES: "id user_agent ip_address username http_accept path_info attempt_time get_data "
        "post_data failures_since_start"
    },
)
declare(AccessAttemptExpiration, free={_TRIES: "access_attempt_id expires_at"})
declare(
    AccessFailureLog,
    free={
        _TRIES: "id user_agent ip_address username http_accept path_info attempt_time locked_out"
    },
)
declare(
    AccessLog,
    free={
        _TRIES: "id user_agent ip_address username http_accept path_info attempt_time logout_time "
        "session_hash"
    },
)
