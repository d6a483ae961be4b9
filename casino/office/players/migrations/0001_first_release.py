"""The tables of player_file as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models
from casino.office.players.guards import GUARDS
from wallets.of_record import guards


def install(apps, schema_editor):
    guards.install(schema_editor.connection, GUARDS.files, GUARDS.folder)


def remove(apps, schema_editor):
    """On the way back: a trigger that names a table which has gone would stop every later step."""
    guards.remove(schema_editor.connection, GUARDS.files, GUARDS.folder)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
        ('players', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Check',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('by', models.CharField(max_length=64)),
                        ('by_name', models.CharField(max_length=150)),
                        ('at', models.DateTimeField()),
                        ('what', models.CharField(choices=[('age', 'Of age'), ('identity', 'Who it is'), ('address', 'Address')], max_length=10)),
                        ('document', models.CharField(choices=[('passport', 'Passport'), ('identity_card', 'Identity card'), ('driving_licence', 'Driving licence'), ('residence_permit', 'Residence permit'), ('bill', 'Bill with the address')], max_length=20)),
                        ('ending', models.CharField(blank=True, max_length=4)),
                        ('valid_until', models.DateField(null=True)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'check of a player',
                        'verbose_name_plural': 'checks of players',
                        'permissions': [('see_file', 'Can see the file of a player'), ('see_wallets', 'Can see wallets and ledger in the file of a player'), ('see_documents', 'Can see which documents of a player were seen'), ('see_whole_file', 'Can see seats, sign-ins and notes in the file of a player'), ('check_player', 'Can note that documents of a player were seen'), ('flag_player', 'Can flag a player'), ('write_note', 'Can write notes into the file of a player')],
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', '-id'], name='checks_of_player')],
                    },
                ),
                migrations.CreateModel(
                    name='Flag',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('by', models.CharField(max_length=64)),
                        ('by_name', models.CharField(max_length=150)),
                        ('at', models.DateTimeField()),
                        ('kind', models.CharField(choices=[('watch', 'Keep an eye on'), ('identity', 'Identity in doubt'), ('collusion', 'Suspected of playing together'), ('funds', 'Source of the money is open'), ('harm', 'Signs of harm by playing'), ('complaint', 'Complaint is open')], max_length=10)),
                        ('reason', models.CharField(max_length=200)),
                        ('lowered_at', models.DateTimeField(null=True)),
                        ('lowered_by_name', models.CharField(blank=True, max_length=150)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'flag of a player',
                        'verbose_name_plural': 'flags of players',
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', '-id'], name='flags_of_player')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('lowered_at', None)), fields=('player', 'kind'), name='flag_up_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Note',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('by', models.CharField(max_length=64)),
                        ('by_name', models.CharField(max_length=150)),
                        ('at', models.DateTimeField()),
                        ('text', models.TextField(blank=True)),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'note about a player',
                        'verbose_name_plural': 'notes about players',
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', '-id'], name='notes_of_player')],
                    },
                ),
                migrations.CreateModel(
                    name='Complaint',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('by', models.CharField(max_length=64)),
                        ('by_name', models.CharField(max_length=150)),
                        ('at', models.DateTimeField()),
                        ('text', models.TextField(blank=True)),
                        ('due_on', models.DateField()),
                        ('outcome', models.CharField(blank=True, choices=[('upheld', 'upheld'), ('partly', 'upheld in part'), ('dismissed', 'dismissed'), ('dropped', 'dropped by the player')], max_length=10)),
                        ('answer', models.TextField(blank=True)),
                        ('answered_at', models.DateTimeField(null=True)),
                        ('answered_by_name', models.CharField(blank=True, max_length=150)),
                        ('hand', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.hand')),
                        ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'complaint',
                        'verbose_name_plural': 'complaints',
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', '-id'], name='complaints_of_player'), models.Index(condition=models.Q(('answered_at', None)), fields=['due_on'], name='complaints_open')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('answered_at', None), ('outcome', '')), models.Q(models.Q(('outcome', ''), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='complaint_answered_whole')],
                    },
                ),
            ],
        ),
        migrations.RunPython(install, remove),
    ]
