"""The tables of alarms as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
import wallets.storage.sealed_columns
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='CheckResult',
                    fields=[
                        ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                        ('at', models.DateTimeField()),
                        ('found', models.PositiveIntegerField()),
                        ('first', models.TextField(blank=True)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Look',
                    fields=[
                        ('kind', models.CharField(max_length=40, primary_key=True, serialize=False)),
                        ('at', models.DateTimeField()),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Alarm',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(max_length=40, verbose_name='condition')),
                        ('subject', models.CharField(max_length=64, verbose_name='object')),
                        ('figures', models.JSONField(default=dict, verbose_name='figures')),
                        ('raised_at', models.DateTimeField(verbose_name='raised')),
                        ('cleared_at', models.DateTimeField(null=True, verbose_name='cleared')),
                        ('taken_by', models.CharField(blank=True, max_length=64, verbose_name='taken by')),
                        ('taken_by_name', models.CharField(blank=True, max_length=150, verbose_name='taken by')),
                        ('taken_at', models.DateTimeField(null=True, verbose_name='taken')),
                        ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                    ],
                    options={
                        'verbose_name': 'alarm',
                        'verbose_name_plural': 'alarms',
                        'permissions': [('see_alarm', 'Can see the alarms of the role'), ('take_alarm', 'Can take an alarm, with a note')],
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['kind', 'subject'], name='alarm_of_state'), models.Index(models.F('raised_at'), condition=models.Q(('cleared_at__isnull', True)), name='alarm_open')],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('cleared_at__isnull', True)), fields=('kind', 'subject'), name='one_open_alarm_a_state')],
                    },
                ),
                migrations.CreateModel(
                    name='Delivery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('channel', models.CharField(choices=[('email', 'e-mail'), ('webhook', 'webhook')], max_length=8, verbose_name='channel')),
                        ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                        ('next_at', models.DateTimeField(null=True, verbose_name='next attempt')),
                        ('delivered_at', models.DateTimeField(null=True, verbose_name='delivered')),
                        ('last_error', models.CharField(blank=True, max_length=300, verbose_name='last error')),
                        ('alarm', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='alarms.alarm')),
                        ('anchor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='games.anchor')),
                        ('sealed_address', models.TextField(editable=False, verbose_name='address')),
                        ('address_digest', wallets.storage.sealed_columns.DigestField(of='sealed_address')),
                    ],
                    options={
                        'verbose_name': 'delivery',
                        'verbose_name_plural': 'deliveries',
                        'default_permissions': (),
                        'indexes': [models.Index(models.F('next_at'), condition=models.Q(('next_at__isnull', False)), name='delivery_due')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('alarm__isnull', True), ('anchor__isnull', True), _connector='XOR'), name='delivery_of_alarm_or_anchor'), models.UniqueConstraint(fields=('alarm', 'channel', 'address_digest'), name='one_delivery_an_address'), models.UniqueConstraint(fields=('anchor', 'channel', 'address_digest'), name='one_delivery_of_an_anchor')],
                    },
                ),
            ],
        ),
    ]
