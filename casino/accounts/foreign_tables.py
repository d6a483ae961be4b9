"""Declare the columns of the tables that Django and its packages bring.

Roles and permissions follow from the code, and failed sign-ins open no session.
"""

from axes.models import AccessAttempt, AccessAttemptExpiration, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session

from wallets.values.columns import NUMBER, derived, free


def declare() -> None:
    derived("rights")(Group)
    derived("rights", free={NUMBER: "id"})(Group.permissions.through)
    derived("rights")(Permission)
    derived("rights", free={NUMBER: "id"})(ContentType)
    free("sealed with its key; it signs in only while its device, which is of record, names it")(
        Session
    )
    free("Django's own log of the admin, which the house does not write")(LogEntry)
    for model in (AccessAttempt, AccessAttemptExpiration, AccessFailureLog, AccessLog):
        free("failed sign-ins: without them more passwords may be tried")(model)
