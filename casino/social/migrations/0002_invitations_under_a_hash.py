"""An invitation to a friend holds the hash of the table's link, not the link."""

from django.db import migrations, models

from wallets.sealed_columns import DIGEST_LENGTH, digest_of


def hash_links(apps, _editor):
    invitations = apps.get_model("social", "TableInvitation").objects
    for number, link in list(invitations.values_list("pk", "invitation_digest")):
        invitations.filter(pk=number).update(invitation_digest=digest_of(link))


class Migration(migrations.Migration):
    dependencies = [("social", "0001_friends_and_what_is_between_players")]

    operations = [
        migrations.RenameField("tableinvitation", "invitation", "invitation_digest"),
        migrations.AlterField(
            "tableinvitation", "invitation_digest", models.CharField(max_length=DIGEST_LENGTH)
        ),
        migrations.RunPython(hash_links),
    ]
