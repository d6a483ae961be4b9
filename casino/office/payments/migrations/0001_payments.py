"""The tables of payments."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('wallets', '0003_lines_of_proposals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('way', models.CharField(choices=[('in', 'deposit'), ('out', 'withdrawal')], max_length=3, verbose_name='kind')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('amount', models.BigIntegerField(verbose_name='amount')),
                ('status', models.CharField(choices=[('started', 'started'), ('confirmed', 'paid in'), ('failed', 'not paid'), ('differs', 'paid otherwise than asked'), ('refunding', 'being returned'), ('refunded', 'returned to the payer'), ('asked', 'waiting'), ('sending', 'on its way'), ('paid', 'paid out'), ('returned', 'not possible, returned to the wallet'), ('refused', 'refused'), ('cancelled', 'cancelled')], default='started', max_length=10, verbose_name='status')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided at')),
                ('provider_reference', models.CharField(blank=True, max_length=255, verbose_name='reference of the provider')),
                ('refund_reference', models.CharField(blank=True, max_length=255)),
                ('sealed_destination', models.TextField(blank=True, editable=False, verbose_name='destination')),
                ('words', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('paid_amount', models.BigIntegerField(null=True, verbose_name='paid')),
                ('paid_currency', models.CharField(blank=True, max_length=16, verbose_name='paid in')),
                ('posting', models.BigIntegerField(null=True, verbose_name='ledger transaction')),
                ('key', models.UUIDField(unique=True, verbose_name='key')),
                ('posting_key', models.UUIDField(null=True, unique=True, verbose_name='key')),
                ('address', models.CharField(blank=True, max_length=2000)),
                ('next_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('last_error', models.CharField(blank=True, max_length=200)),
                ('currency', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='wallets.currency')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('source', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='payments.payment')),
            ],
            options={
                'verbose_name': 'payment',
                'verbose_name_plural': 'payments',
                'ordering': ['-pk'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Difference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=20, verbose_name='provider')),
                ('provider_reference', models.CharField(max_length=255, verbose_name='reference of the provider')),
                ('what', models.CharField(choices=[('not_here', 'the provider has it, the ledger does not'), ('not_there', 'the ledger has it, the provider does not'), ('amount', 'the amounts or currencies differ')], max_length=10, verbose_name='what differs')),
                ('here', models.CharField(blank=True, max_length=40, verbose_name='in the ledger')),
                ('there', models.CharField(blank=True, max_length=40, verbose_name='at the provider')),
                ('found_at', models.DateTimeField(verbose_name='found')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='settled')),
                ('closed_by_name', models.CharField(blank=True, max_length=150, verbose_name='settled by')),
                ('words', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('payment', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='payments.payment')),
            ],
            options={
                'verbose_name': 'difference',
                'verbose_name_plural': 'differences',
                'ordering': ['-pk'],
                'default_permissions': (),
            },
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(models.F('next_at'), condition=models.Q(('next_at__isnull', False)), name='payment_due'),
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(fields=['player', '-id'], name='payment_of_player'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(condition=models.Q(('provider_reference', ''), _negated=True), fields=('provider', 'provider_reference'), name='payment_of_a_reference'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('amount__range', (1, 1000000000000000))), name='payment_of_an_amount'),
        ),
        migrations.AddConstraint(
            model_name='difference',
            constraint=models.UniqueConstraint(fields=('provider', 'provider_reference', 'what'), name='difference_once'),
        ),
    ]
