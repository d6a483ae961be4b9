"""Byes for one hand, and what each plan of seats followed from."""

import django.db.models.deletion
from django.db import migrations, models

from tournaments.guards import ARRANGEMENTS, FOLDER, GUARDS
from wallets import guards


def install(apps, schema_editor):
    """All of them: SQLite has dropped the triggers of the tables that it rebuilt."""
    guards.install(schema_editor.connection, GUARDS.files, FOLDER)


def remove(apps, schema_editor):
    guards.remove(schema_editor.connection, ARRANGEMENTS, FOLDER)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0003_deals'),
    ]

    operations = [
        migrations.CreateModel(
            name='Arrangement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('went_out', models.PositiveIntegerField()),
                ('tables_opened', models.PositiveIntegerField()),
                ('waiting', models.JSONField(default=list)),
                ('resting', models.JSONField(default=list)),
                ('playing', models.JSONField(default=list)),
                ('buttons', models.JSONField(default=dict)),
                ('at', models.DateTimeField(verbose_name='at')),
            ],
            options={
                'verbose_name': 'arrangement of seats',
                'verbose_name_plural': 'arrangements of seats',
                'ordering': ['tournament', 'number'],
            },
        ),
        migrations.AlterModelOptions(
            name='bye',
            options={'ordering': ['tournament', 'pk'], 'verbose_name': 'bye', 'verbose_name_plural': 'byes'},
        ),
        migrations.RemoveConstraint(
            model_name='bye',
            name='one_bye_a_round',
        ),
        migrations.AddField(
            model_name='bye',
            name='step',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name='move',
            name='why',
            field=models.CharField(choices=[('start', 'first seat'), ('late', 'entered late'), ('again', 'entered again'), ('balance', 'tables are balanced'), ('break', 'the table was broken'), ('final', 'final table'), ('round', 'a new round'), ('bye', 'bye')], max_length=8, verbose_name='why'),
        ),
        migrations.AddConstraint(
            model_name='bye',
            constraint=models.UniqueConstraint(fields=('entry', 'round', 'step'), name='one_bye_at_once'),
        ),
        migrations.AddField(
            model_name='arrangement',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='arrangements', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='move',
            name='arrangement',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='tournaments.arrangement'),
        ),
        migrations.AddConstraint(
            model_name='arrangement',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='arrangement_number_once'),
        ),
        migrations.RunPython(install, remove),
    ]
