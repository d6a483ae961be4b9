"""The tables of desk as the first release has them."""

import django.db.models.deletion
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
        ('wallets', '0001_first_release'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Till',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=40, unique=True, verbose_name='name')),
                        ('is_vault', models.BooleanField(default=False, verbose_name='vault')),
                    ],
                    options={
                        'verbose_name': 'till',
                        'verbose_name_plural': 'tills',
                        'ordering': ['pk'],
                        'permissions': [('work_till', 'Can work at a till, in shifts of their own'), ('see_every_till', 'Can see the tills, shifts and receipts of everybody'), ('manage_tills', 'Can add tills, and move cash into the house and out of it')],
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('is_vault', True)), fields=('is_vault',), name='till_one_vault')],
                    },
                ),
                migrations.CreateModel(
                    name='Shift',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('cashier_name', models.CharField(max_length=150, verbose_name='cashier')),
                        ('opened_at', models.DateTimeField(verbose_name='opened')),
                        ('closed_at', models.DateTimeField(null=True, verbose_name='closed')),
                        ('key', models.UUIDField(unique=True)),
                        ('cashier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('till', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='shifts', to='desk.till')),
                    ],
                    options={
                        'verbose_name': 'shift',
                        'verbose_name_plural': 'shifts',
                        'ordering': ['-pk'],
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('till',), name='shift_one_open_a_till'), models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('cashier',), name='shift_one_open_a_cashier'), models.CheckConstraint(condition=models.Q(('closed_at', None), ('closed_at__gte', models.F('opened_at')), _connector='OR'), name='shift_closed_after_opened')],
                    },
                ),
                migrations.CreateModel(
                    name='Receipt',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.CharField(max_length=20, unique=True, verbose_name='receipt')),
                        ('day', models.DateField(verbose_name='gaming day')),
                        ('serial', models.PositiveIntegerField()),
                        ('kind', models.CharField(choices=[('deposit', 'Deposit'), ('withdrawal', 'Withdrawal'), ('correction', 'Correction'), ('transfer', 'Transfer'), ('variance', 'Variance')], max_length=10, verbose_name='kind')),
                        ('amount', models.BigIntegerField(verbose_name='amount')),
                        ('wallet_after', models.BigIntegerField(null=True, verbose_name='wallet after')),
                        ('till_after', models.BigIntegerField(null=True, verbose_name='till after')),
                        ('cashier_name', models.CharField(max_length=150, verbose_name='cashier')),
                        ('second_name', models.CharField(blank=True, max_length=150, verbose_name='second person')),
                        ('reason', models.CharField(max_length=200, verbose_name='reason')),
                        ('key', models.UUIDField(unique=True, verbose_name='key')),
                        ('posting', models.BigIntegerField(verbose_name='ledger transaction')),
                        ('at', models.DateTimeField(verbose_name='time')),
                        ('prints', models.PositiveSmallIntegerField(default=0, verbose_name='printed')),
                        ('cashier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('corrects', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='desk.receipt')),
                        ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('shift', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='desk.shift')),
                        ('to_shift', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='desk.shift')),
                        ('till', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='desk.till')),
                        ('to_till', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='desk.till')),
                    ],
                    options={
                        'verbose_name': 'receipt',
                        'verbose_name_plural': 'receipts',
                        'ordering': ['-pk'],
                        'default_permissions': (),
                        'indexes': [models.Index(fields=['player', '-id'], name='receipt_of_player'), models.Index(fields=['amount', '-id'], name='receipt_of_amount')],
                        'constraints': [models.UniqueConstraint(fields=('day', 'serial'), name='receipt_in_line'), models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='receipt_moves_something')],
                    },
                ),
                migrations.CreateModel(
                    name='WithdrawalRequest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('amount', models.BigIntegerField(verbose_name='amount')),
                        ('made_at', models.DateTimeField(verbose_name='made')),
                        ('status', models.CharField(choices=[('waiting', 'waiting'), ('paid', 'paid out'), ('refused', 'refused'), ('cancelled', 'cancelled')], default='waiting', max_length=10, verbose_name='status')),
                        ('decided_at', models.DateTimeField(null=True, verbose_name='decided at')),
                        ('words', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                        ('key', models.UUIDField(unique=True, verbose_name='key')),
                        ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('receipt', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='request', to='desk.receipt')),
                    ],
                    options={
                        'verbose_name': 'request for a withdrawal',
                        'verbose_name_plural': 'requests for withdrawals',
                        'ordering': ['pk'],
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'waiting')), fields=('player', 'currency'), name='request_one_waiting'), models.CheckConstraint(condition=models.Q(('amount__range', (1, 1000000000000000))), name='request_of_an_amount')],
                    },
                ),
                migrations.CreateModel(
                    name='Count',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('opening', 'opening count'), ('between', 'count in between'), ('closing', 'closing count')], max_length=8, verbose_name='kind')),
                        ('counted', models.BigIntegerField(verbose_name='counted')),
                        ('expected', models.BigIntegerField(verbose_name='should be there')),
                        ('pieces', models.JSONField(default=dict, verbose_name='notes and coins')),
                        ('words', models.CharField(blank=True, max_length=200, verbose_name='explanation')),
                        ('at', models.DateTimeField(verbose_name='time')),
                        ('key', models.UUIDField()),
                        ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                        ('shift', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='desk.shift')),
                    ],
                    options={
                        'verbose_name': 'count',
                        'verbose_name_plural': 'counts',
                        'ordering': ['pk'],
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('key', 'currency'), name='count_once'), models.CheckConstraint(condition=models.Q(('counted__range', (0, 1000000000000000)), ('expected__gte', 0)), name='count_not_below_zero')],
                    },
                ),
            ],
        ),
    ]
