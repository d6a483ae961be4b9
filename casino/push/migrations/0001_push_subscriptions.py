import django.db.models.deletion
from django.db import migrations, models

from wallets.creating_models import CreateModels


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0011_permission_to_appoint'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Subscription',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('endpoint', models.CharField(max_length=1024, unique=True)),
                    ('public_key', models.CharField(max_length=100)),
                    ('secret', models.CharField(max_length=100)),
                    ('language', models.CharField(max_length=10, verbose_name='language')),
                    ('made_at', models.DateTimeField(verbose_name='made')),
                    ('succeeded_at', models.DateTimeField(null=True, verbose_name='last delivery')),
                    ('called_at', models.DateTimeField(null=True)),
                    ('device', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='push_subscription', to='players.device')),
                ],
                options={
                    'default_permissions': (),
                },
            ),
            migrations.CreateModel(
                name='Call',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('turn', 'turn at a table'), ('start', 'start of a tournament')], max_length=5)),
                    ('place', models.PositiveBigIntegerField()),
                    ('hand', models.PositiveBigIntegerField(default=0)),
                    ('seat', models.PositiveSmallIntegerField(default=0)),
                    ('turn', models.PositiveIntegerField(default=0)),
                    ('made_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField()),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('next_at', models.DateTimeField(null=True)),
                    ('subscription', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='push.subscription')),
                ],
                options={
                    'default_permissions': (),
                    'indexes': [models.Index(models.F('next_at'), condition=models.Q(('next_at__isnull', False)), name='call_due')],
                    'constraints': [models.UniqueConstraint(fields=('subscription', 'kind', 'place', 'hand', 'turn'), name='called_once')],
                },
            ),
        ]),
    ]
