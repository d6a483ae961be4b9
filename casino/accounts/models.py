"""Players, and what signs them in; staff are players in one of the groups of staff."""

from typing import Any, Final

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from casino.accounts import sign_in_cache
from casino.accounts.names import LENGTH_MAX, name_key, reads_as, validate_name
from games.words import players
from games.words.players import NOBODY, face_by_name
from wallets.of_record.verbs import verb
from wallets.storage.sealed_columns import SealedField
from wallets.values.columns import of_record

_SHOWN: Final = "what players see of their own devices and tokens, or how pages greet them"

COMPARED_BY: Final = {"username_key": name_key, "reads_as": reads_as}


class NameKeyField(models.CharField):  # type: ignore[type-arg]
    """The normalised name, written whenever the name is.

    The database keeps it unique. A functional index would not do: SQLite folds the case of ASCII
    letters only.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = COMPARED_BY[self.attname](model_instance.username)  # type: ignore[attr-defined]
        # Players who had such a name before it counted as another's have a number behind it.
        if (getattr(model_instance, self.attname) or "").partition("#")[0] == key:
            return str(getattr(model_instance, self.attname))
        setattr(model_instance, self.attname, key)
        return key


class FaceField(models.PositiveSmallIntegerField):  # type: ignore[type-arg]
    """The number of a face; a user stored without one gets that of their name."""

    def pre_save(self, model_instance: models.Model, add: bool) -> int:
        if add and getattr(model_instance, self.attname) == NOBODY:
            name = model_instance.username  # type: ignore[attr-defined]
            setattr(model_instance, self.attname, face_by_name(name))
        return int(getattr(model_instance, self.attname))


class PlayerQuerySet(models.QuerySet["Player"]):
    def update(self, **values: Any) -> int:
        """Update rows, and have every process read players again: no signal says which rows."""
        updated = super().update(**values)
        if updated:
            sign_in_cache.forget(sign_in_cache.EVERYBODY)
        return updated


class PlayerManager(UserManager["Player"]):
    def get_queryset(self) -> PlayerQuerySet:
        return PlayerQuerySet(self.model, using=self._db)

    def get_by_natural_key(self, username: str | None) -> "Player":
        """Find a player by any spelling of the name; signing in uses this."""
        return self.get(username_key=name_key(username or ""))

    def create_bot(self, name: str, face: int = NOBODY, strength: str = players.STEADY) -> "Player":
        """Create a bot of the house, with an unusable password."""
        return self.create_user(name, is_bot=True, face=face, strength=strength)


@of_record(
    digested="username username_key password email",
    free={_SHOWN: "last_login reads_as strength level face language signed_up_from"},
    by="command:found command:appoint command:dismiss staff.appoint staff.dismiss player.freeze "
    "player.unfreeze player.close player.erase player:account.sign_up player:account.keep "
    "player:account.play_as_guest player:account.first_password player:account.change_password "
    "player:account.hash_password_anew player:account.reset_password player:account.set_email "
    "player:care.ask_limit player:care.choose_reminder "
    "player:care.answer_reminder player:care.exclude",
)
class Player(AbstractUser):
    """A person who signs in, a guest who cannot yet, or a bot of the house, which never does."""

    # First and last name do not fit every language; pages show the sign-in name.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    username = models.CharField(
        _p("a player", "name"), max_length=LENGTH_MAX, unique=True, validators=[validate_name]
    )
    # Case folding can lengthen a name: one letter can become three.
    username_key = NameKeyField(max_length=3 * LENGTH_MAX, unique=True, editable=False)
    reads_as = NameKeyField(max_length=3 * LENGTH_MAX, unique=True, editable=False)
    is_bot = models.BooleanField(_("bot"), default=False, editable=False)
    # How well a bot plays, where that differs; nothing for people.
    strength = models.CharField(
        _("strength"), max_length=players.LENGTH_MAX, default="", db_default="", editable=False
    )
    # Named on the plate, where the player wishes; a package above keeps it up to date.
    level = models.CharField(
        _("level"), max_length=players.LENGTH_MAX, default="", db_default="", editable=False
    )
    # Plays without an account, by a session alone: `casino.accounts.new_players`.
    is_guest = models.BooleanField(_("Guest"), default=False, db_default=False, editable=False)
    # Others see it at the table; `casino.accounts.views` changes it.
    face = FaceField(_("face"), default=NOBODY, db_default=NOBODY, editable=False)
    language = models.CharField(_("language"), max_length=10, blank=True)
    # Represents an address without naming it (`newcomers.origin_of`); empty where the house made
    # the account. Play money is limited by it.
    signed_up_from = models.CharField(
        max_length=40, blank=True, default="", db_default="", editable=False, db_index=True
    )
    # Whether there are limits, exclusions or reminders of theirs to ask for before each hand.
    has_own_rules = models.BooleanField(default=False, db_default=False, editable=False)
    # Until when a player is frozen; a freeze without it ends only by two members of staff.
    frozen_until = models.DateTimeField(null=True, editable=False)
    # Since when the account is closed, which is final.
    closed_at = models.DateTimeField(null=True, editable=False)

    objects = PlayerManager()  # type: ignore[misc]

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            # An unusable password starts with an exclamation mark.
            models.CheckConstraint(
                condition=models.Q(is_bot=False) | models.Q(password__startswith="!"),  # noqa: S106 # nosec B106
                name="bots_have_no_password",
            ),
            models.CheckConstraint(
                condition=models.Q(is_guest=False)
                | models.Q(
                    password__startswith="!",  # noqa: S106 # nosec B106
                    is_bot=False,
                    is_staff=False,
                    is_superuser=False,
                ),
                name="guests_have_no_password",
            ),
        ]
        indexes = [
            # As a search finds it that tells no capitals apart.
            models.Index(Upper("email"), name="player_email"),
            models.Index(
                fields=["frozen_until"],
                name="player_frozen_until",
                condition=models.Q(frozen_until__isnull=False),
            ),
        ]
        permissions = [
            ("appoint_by_command", "Can appoint staff at the command line"),
            ("end_sessions", "Can end the sessions of a player"),
            ("forget_codes", "Can forget the codes of somebody who has lost their phone"),
        ]

    @verb("player:account.hash_password_anew")
    def check_password(self, raw_password: str | None) -> bool:
        """Django stores the password with newer parameters when it is typed."""
        return super().check_password(raw_password)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @classmethod
    def name_is_taken(cls, name: str) -> bool:
        """Return whether a player has this name, or one that looks like it."""
        return cls.objects.filter(reads_as=reads_as(name)).exists()


of_record(by="player.erase")(Player.user_permissions.through)
of_record(
    by="command:found command:appoint command:dismiss staff.appoint staff.dismiss player.close "
    "player.erase"
)(Player.groups.through)

# The longest description of itself that is stored of a browser or a program.
USER_AGENT_MAX: Final = 200


@of_record(
    digested="digest stamp",
    free={_SHOWN: "made_at user_agent address seen_at idled"},
    by="player:account.issue_token player:account.sign_out player:account.end_session "
    "player:account.end_sessions player.end_sessions player.forget_codes player.freeze "
    "player.close player.erase house:account.expire_tokens house:care.carry_out_exclusion",
)
class AccessToken(models.Model):
    """A program's sign-in. `stamp` depends on the password: changing that ends the token."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="access_tokens")
    digest = models.CharField(max_length=64, unique=True)
    stamp = models.CharField(max_length=128)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)
    by_code = models.BooleanField(default=False, db_default=False)
    user_agent = models.CharField(max_length=USER_AGENT_MAX, blank=True, default="", db_default="")
    address = models.CharField(max_length=45, blank=True, default="", db_default="")
    seen_at = models.DateTimeField(null=True)
    # Staff have left it idle: it opens no cards any more.
    idled = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        # Tokens are not in the back office.
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} {self.made_at}"


@of_record(
    digested="session_key",
    free={_SHOWN: "digest user_agent address signed_in_at seen_at"},
    by="player:account.sign_in player:account.sign_out player:account.keep "
    "player:account.change_password player:account.end_session player:account.end_sessions "
    "player.end_sessions player.forget_codes player.freeze player.close player.erase "
    "house:account.forget_devices",
)
class Device(models.Model):
    """A browser in which a user has signed in: a cookie names it, of which a hash is stored.

    While they are signed in there, it has the key under which their session is stored, by which the
    session is ended; no cookie can be made of it (`session_store`).
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="devices")
    digest = models.CharField(max_length=64)
    session_key = models.CharField(max_length=40, blank=True, default="", db_index=True)
    user_agent = models.CharField(max_length=USER_AGENT_MAX, blank=True, default="")
    address = models.CharField(max_length=45, blank=True, default="")
    signed_in_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "digest"], name="device_once_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.signed_in_at}"


@of_record(
    digested="sealed_secret",
    free={"so that no code counts twice": "last_step drift"},
    by="player:codes.set_up player:codes.confirm player:codes.forget player.forget_codes "
    "player.erase house:secrets.reseal",
)
class Authenticator(models.Model):
    """The secret that an authenticator app shares with the house, encrypted.

    A player has one that works, and one more while they set up another phone.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="authenticators")
    sealed_secret = SealedField(key=("player_id", "made_at"))
    made_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True)
    # The latest step whose code was accepted: no earlier one is, and none twice.
    last_step = models.BigIntegerField(default=-1)
    # By how many steps the phone's clock is off.
    drift = models.SmallIntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(confirmed_at__isnull=False),
                name="one_authenticator_works",
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(confirmed_at__isnull=True),
                name="one_authenticator_is_set_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.made_at}"


@of_record(
    digested="digest",
    by="player:codes.confirm player:codes.renew_recovery player:codes.use_recovery "
    "player:codes.forget player.forget_codes player.erase",
)
class RecoveryCode(models.Model):
    """The hash of a code that replaces the phone once."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} {self.pk}"


@of_record(
    digested="credential_id public_key",
    free={
        "so that a copied key is noticed": "sign_count",
        "what players see of their own passkeys": "label used_at",
    },
    by="player:passkeys.add player:passkeys.remove player.forget_codes player.erase",
)
class Passkey(models.Model):
    """The public half of a key that a phone, computer or security key of the player holds."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="passkeys")
    # The name of the key, and the key with what made it, both in URL-safe base64.
    credential_id = models.CharField(max_length=1400, unique=True)
    public_key = models.TextField()
    sign_count = models.PositiveBigIntegerField(default=0)
    label = models.CharField(max_length=80)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id} {self.made_at}"


@of_record(
    digested="issuer subject",
    free={"what managers read of a claim before they propose": "name claimed met_at"},
    by="player:account.meet_company player:account.connect_company "
    "player:account.disconnect_company staff.appoint player.erase "
    "house:account.forget_company_accounts",
)
class CompanyAccount(models.Model):
    """An account at the provider of the house (OpenID Connect), and the member of staff it is.

    An account without a player cannot sign in: two managers have to appoint its owner first.
    """

    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="company_accounts")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    name = models.CharField(max_length=100)
    # The roles that the provider claims; only an appointment grants them.
    claimed = models.JSONField(default=list)
    met_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="company_account_once")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.pk}"
