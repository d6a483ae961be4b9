"""Players' arrangements with one another, and their private notes."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Greatest, Least

from wallets.storage.sealed_columns import DIGEST_LENGTH
from wallets.values.columns import free

_AMONG_PLAYERS = "players' own arrangements, which each of them sees"

NOTE_MAX = 200


@free(_AMONG_PLAYERS)
class Friendship(models.Model):
    """One player has asked another; they are friends from when the other has accepted."""

    sender = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    receiver = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [
            # The player who has asked: two players have one friendship.
            models.UniqueConstraint(
                Least("sender", "receiver"),
                Greatest("sender", "receiver"),
                name="one_friendship_a_pair",
            ),
            models.CheckConstraint(
                condition=~models.Q(sender=models.F("receiver")), name="nobody_is_their_own_friend"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sender_id} {self.receiver_id}"


@free(_AMONG_PLAYERS)
class Follow(models.Model):
    """A player follows another, who need not agree and gets no notice."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["player", "followed"], name="follows_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.followed_id}"


@free(_AMONG_PLAYERS)
class Block(models.Model):
    """A player wants nothing to do with another."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "blocked"], name="blocks_once")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.blocked_id}"


@free(_AMONG_PLAYERS)
class PlayerNote(models.Model):
    """A player's note about another, which only the author reads."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    about = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.CharField(max_length=NOTE_MAX)
    written_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["player", "about"], name="one_note_a_pair")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.about_id}"


@free(_AMONG_PLAYERS)
class TableInvitation(models.Model):
    """The player who opened a private table has invited a friend to it.

    It holds for the table's link of that time: a new link ends it as it ends the old link.
    """

    table = models.ForeignKey("games.Table", models.CASCADE, related_name="+")
    friend = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    # The hash of that link.
    invitation_digest = models.CharField(max_length=DIGEST_LENGTH)
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["table", "friend"], name="invited_once_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.friend_id}"


@free(_AMONG_PLAYERS)
class FriendsOnly(models.Model):
    """A player whose profile only friends see; it is open to all players otherwise."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.player_id)
