"""Inquiries of banks, before anything is taken back."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0002_chargebacks'),
    ]

    operations = [
        migrations.AlterField(
            model_name='payment',
            name='status',
            field=models.CharField(choices=[('started', 'started'), ('confirmed', 'paid in'), ('failed', 'not paid'), ('differs', 'paid otherwise than asked'), ('refunding', 'being returned'), ('refunded', 'returned to the payer'), ('asked', 'waiting'), ('sending', 'on its way'), ('paid', 'paid out'), ('returned', 'not possible, returned to the wallet'), ('inquired', "asked about by the payer's bank"), ('disputed', 'disputed by the payer'), ('taken', 'taken back from the wallet'), ('borne', 'borne by the house'), ('won', 'decided for the house'), ('refused', 'refused'), ('cancelled', 'cancelled')], default='started', max_length=10, verbose_name='status'),
        ),
    ]
