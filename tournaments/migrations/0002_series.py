"""Series of events, their standings, and tickets."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from tournaments.guards import GUARDS
from wallets.of_record import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection, GUARDS.files, GUARDS.folder)


def remove(apps, schema_editor):
    """SQLite rebuilds the tables that get a column, which triggers of other tables name."""
    guards.remove(schema_editor.connection, GUARDS.files, GUARDS.folder)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_first_release'),
        ('wallets', '0004_bonus_accounts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(remove, install),
        migrations.AddField(
            model_name='entry',
            name='ticket_paid',
            field=models.BigIntegerField(db_default=0, default=0, verbose_name='paid by ticket'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='tickets_only',
            field=models.BooleanField(db_default=False, default=False, verbose_name='by ticket only'),
        ),
        migrations.RunPython(install, remove),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(editable=False, null=True, unique=True, verbose_name='key')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('began_at', models.DateTimeField(verbose_name='began')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended')),
                ('final', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='final_of', to='tournaments.tournament', verbose_name='final')),
                ('schedule', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='series', to='tournaments.schedule', verbose_name='schedule')),
            ],
            options={
                'verbose_name': 'series',
                'verbose_name_plural': 'series',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='SeriesEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('counted_at', models.DateTimeField(null=True)),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.series')),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='in_series', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'event of a series',
                'verbose_name_plural': 'events of series',
                'ordering': ['series', 'number'],
                'constraints': [models.UniqueConstraint(fields=('series', 'number'), name='series_event_number')],
            },
        ),
        migrations.CreateModel(
            name='SeriesStanding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField(verbose_name='place')),
                ('points', models.PositiveIntegerField(verbose_name='points')),
                ('events', models.PositiveSmallIntegerField(verbose_name='events')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('series', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='standings', to='tournaments.series')),
            ],
            options={
                'verbose_name': 'standing in a series',
                'verbose_name_plural': 'standings in series',
                'indexes': [models.Index(fields=['series', 'place'], name='standings_by_place'), models.Index(fields=['player'], name='standings_of_player')],
                'constraints': [models.UniqueConstraint(fields=('series', 'player'), name='standing_once')],
            },
        ),
        migrations.CreateModel(
            name='Ticket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(editable=False, unique=True, verbose_name='key')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('worth', models.BigIntegerField(verbose_name='worth')),
                ('given_at', models.DateTimeField(verbose_name='given')),
                ('expires_at', models.DateTimeField(null=True, verbose_name='valid until')),
                ('source', models.CharField(max_length=64)),
                ('currency', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                ('entry', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ticket', to='tournaments.entry')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tickets', to='tournaments.tournament', verbose_name='event')),
            ],
            options={
                'verbose_name': 'ticket',
                'verbose_name_plural': 'tickets',
                'default_permissions': ('view',),
                'indexes': [models.Index(fields=['player', '-id'], name='tickets_of_player')],
                'constraints': [models.CheckConstraint(condition=models.Q(('worth__gte', 0)), name='ticket_worth')],
            },
        ),
    ]
