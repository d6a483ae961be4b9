"""The tables of social as the first release has them."""

import django.db.models.deletion
import django.db.models.functions.comparison
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


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
                    name='FriendsOnly',
                    fields=[
                        ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Block',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('made_at', models.DateTimeField()),
                        ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'blocked'), name='blocks_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Follow',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('made_at', models.DateTimeField()),
                        ('followed', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'followed'), name='follows_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Friendship',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('made_at', models.DateTimeField()),
                        ('accepted_at', models.DateTimeField(null=True)),
                        ('receiver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('sender', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(django.db.models.functions.comparison.Least('sender', 'receiver'), django.db.models.functions.comparison.Greatest('sender', 'receiver'), name='one_friendship_a_pair'), models.CheckConstraint(condition=models.Q(('sender', models.F('receiver')), _negated=True), name='nobody_is_their_own_friend')],
                    },
                ),
                migrations.CreateModel(
                    name='PlayerNote',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('text', models.CharField(max_length=200)),
                        ('written_at', models.DateTimeField()),
                        ('about', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'about'), name='one_note_a_pair')],
                    },
                ),
                migrations.CreateModel(
                    name='TableInvitation',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('made_at', models.DateTimeField()),
                        ('friend', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.table')),
                        ('invitation_digest', models.CharField(max_length=64)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('table', 'friend'), name='invited_once_a_table')],
                    },
                ),
            ],
        ),
    ]
