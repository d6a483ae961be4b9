"""Store running sessions under a hash of their key, and encrypted; all players stay signed in.

A process of the version before finds none of these sessions and deletes its browsers' cookies, so
stop such processes first. Going back ends all sessions, because no key can be computed from its
hash.

Delete the submitted data of failed sign-ins: it contained invitations, and passwords that players
had typed into the field for the name.
"""

from hashlib import sha256

from django.db import migrations
from django.utils import timezone

from wallets.encryption import seal

LENGTH = 40
CHUNK = 500


def stored(key):
    return sha256(key.encode()).hexdigest()[:LENGTH]


def hide(apps, editor):
    sessions, devices = apps.get_model("sessions", "Session"), apps.get_model("players", "Device")
    sessions.objects.filter(expire_date__lte=timezone.now()).delete()
    # A list, because the rows that are written come back under other keys.
    for key, data in list(sessions.objects.values_list("session_key", "session_data")):
        sessions.objects.filter(session_key=key).update(
            session_key=stored(key), session_data=seal(data.encode())
        )
    signed_in = devices.objects.exclude(session_key="").only("session_key")
    for device in signed_in.iterator(chunk_size=CHUNK):
        devices.objects.filter(pk=device.pk).update(session_key=stored(device.session_key))


def forget_what_was_sent(apps, editor):
    apps.get_model("axes", "AccessAttempt").objects.update(get_data="", post_data="")


def end_all(apps, editor):
    apps.get_model("sessions", "Session").objects.all().delete()
    apps.get_model("players", "Device").objects.update(session_key="")


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0012_bot_strength"),
        ("sessions", "0001_initial"),
        ("axes", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(hide, end_all),
        migrations.RunPython(forget_what_was_sent, migrations.RunPython.noop),
    ]
