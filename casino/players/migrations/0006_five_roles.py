"""Operators become managers, who do all that operators did; the groups are made after `migrate`."""

from django.db import migrations


def to_managers(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    operators = Group.objects.filter(name="operators").first()
    if operators is None:
        return
    managers = Group.objects.filter(name="managers").first()
    if managers is None:
        Group.objects.filter(pk=operators.pk).update(name="managers")
        return
    for member in apps.get_model("players", "Player").objects.filter(groups=operators):
        member.groups.add(managers)
    operators.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0005_devices_and_codes"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(to_managers, migrations.RunPython.noop)]
