"""Who voided a hand, why, and by which of the house's reasons: a column each.

Until now one text held `who: why`, and pages took it apart again. What the text was can be made
from the columns to the letter, as the digest of such a hand is made of it.
"""

from django.db import migrations, models

# The one reason for which the house has voided hands by itself.
CODES = {"the shoe ran out of cards": "out_of_cards"}
BY_MAX = 64


def parsed(packed):
    """Who, and why; a text that names nobody is all of it the reason."""
    who, colon, why = packed.partition(": ")
    return (who, why) if who and colon and why and len(who) <= BY_MAX else ("", packed)


def unpack(apps, schema_editor):
    hands = apps.get_model("games", "Hand").objects
    for key, packed in hands.exclude(void_reason="").values_list("pk", "void_reason").iterator():
        by, text = parsed(packed)
        code = CODES.get(text, "") if by == "house" else ""
        hands.filter(pk=key).update(void_by=by, void_text=text, void_code=code)


def pack(apps, schema_editor):
    hands = apps.get_model("games", "Hand").objects
    for hand in hands.exclude(void_text="").iterator():
        packed = f"{hand.void_by}: {hand.void_text}" if hand.void_by else hand.void_text
        hands.filter(pk=hand.pk).update(void_reason=packed[:200])


def column(length, name):
    return models.CharField(
        blank=True, db_default="", default="", max_length=length, verbose_name=name
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0015_table_organiser")]

    operations = [
        migrations.AddField("hand", "void_code", column(32, "void for")),
        migrations.AddField("hand", "void_text", column(200, "why it is void")),
        migrations.AddField("hand", "void_by", column(BY_MAX, "voided by")),
        migrations.RunPython(unpack, pack),
    ]
