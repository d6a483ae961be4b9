"""The tables of players as the first release has them."""

import casino.accounts.models
import casino.accounts.names
import django.db.models.deletion
import django.utils.timezone
import wallets.storage.creating_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        wallets.storage.creating_models.CreateModels(
            models=[
                migrations.CreateModel(
                    name='Player',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('password', models.CharField(max_length=128, verbose_name='password')),
                        ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                        ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                        ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                        ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                        ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                        ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                        ('username', models.CharField(max_length=20, unique=True, validators=[casino.accounts.names.validate_name], verbose_name='name')),
                        ('username_key', casino.accounts.models.NameKeyField(editable=False, max_length=60, unique=True)),
                        ('is_bot', models.BooleanField(default=False, editable=False, verbose_name='bot')),
                        ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                        ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                        ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                        ('reads_as', casino.accounts.models.NameKeyField(editable=False, max_length=60, unique=True)),
                        ('signed_up_from', models.CharField(blank=True, db_default='', db_index=True, default='', editable=False, max_length=40)),
                        ('has_own_rules', models.BooleanField(db_default=False, default=False, editable=False)),
                        ('closed_at', models.DateTimeField(editable=False, null=True)),
                        ('frozen_until', models.DateTimeField(editable=False, null=True)),
                        ('face', casino.accounts.models.FaceField(db_default=0, default=0, editable=False, verbose_name='face')),
                        ('is_guest', models.BooleanField(db_default=False, default=False, editable=False, verbose_name='Guest')),
                        ('strength', models.CharField(db_default='', default='', editable=False, max_length=10, verbose_name='strength')),
                    ],
                    options={
                        'verbose_name': 'player',
                        'verbose_name_plural': 'players',
                        'constraints': [models.CheckConstraint(condition=models.Q(('is_bot', False), ('password__startswith', '!'), _connector='OR'), name='bots_have_no_password'), models.CheckConstraint(condition=models.Q(('is_guest', False), models.Q(('is_bot', False), ('is_staff', False), ('is_superuser', False), ('password__startswith', '!')), _connector='OR'), name='guests_have_no_password')],
                        'indexes': [models.Index(condition=models.Q(('frozen_until__isnull', False)), fields=['frozen_until'], name='player_frozen_until')],
                        'permissions': [('appoint_by_command', 'Can appoint staff at the command line'), ('end_sessions', 'Can end the sessions of a player'), ('forget_codes', 'Can forget the codes of somebody who has lost their phone')],
                    },
                    managers=[
                        ('objects', casino.accounts.models.PlayerManager()),
                    ],
                ),
                migrations.CreateModel(
                    name='AccessToken',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('stamp', models.CharField(max_length=128)),
                        ('made_at', models.DateTimeField(auto_now_add=True)),
                        ('expires_at', models.DateTimeField(db_index=True)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL)),
                        ('address', models.CharField(blank=True, db_default='', default='', max_length=45)),
                        ('by_code', models.BooleanField(db_default=False, default=False)),
                        ('idled', models.BooleanField(db_default=False, default=False)),
                        ('seen_at', models.DateTimeField(null=True)),
                        ('user_agent', models.CharField(blank=True, db_default='', default='', max_length=200)),
                    ],
                    options={
                        'verbose_name': 'token',
                        'verbose_name_plural': 'tokens',
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='RecoveryCode',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('digest', models.CharField(max_length=64, unique=True)),
                        ('used_at', models.DateTimeField(null=True)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recovery_codes', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                    },
                ),
                migrations.CreateModel(
                    name='Authenticator',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sealed_secret', models.TextField()),
                        ('made_at', models.DateTimeField()),
                        ('confirmed_at', models.DateTimeField(null=True)),
                        ('last_step', models.BigIntegerField(default=-1)),
                        ('drift', models.SmallIntegerField(default=0)),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='authenticators', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(condition=models.Q(('confirmed_at__isnull', False)), fields=('player',), name='one_authenticator_works'), models.UniqueConstraint(condition=models.Q(('confirmed_at__isnull', True)), fields=('player',), name='one_authenticator_is_set_up')],
                    },
                ),
                migrations.CreateModel(
                    name='Device',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('digest', models.CharField(max_length=64)),
                        ('session_key', models.CharField(blank=True, db_index=True, default='', max_length=40)),
                        ('user_agent', models.CharField(blank=True, default='', max_length=200)),
                        ('address', models.CharField(blank=True, default='', max_length=45)),
                        ('signed_in_at', models.DateTimeField()),
                        ('seen_at', models.DateTimeField()),
                        ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'verbose_name': 'device',
                        'verbose_name_plural': 'devices',
                        'default_permissions': (),
                        'constraints': [models.UniqueConstraint(fields=('player', 'digest'), name='device_once_a_player')],
                    },
                ),
            ],
        ),
    ]
