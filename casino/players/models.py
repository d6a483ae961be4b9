"""A player of the house; those who work for it are players in one of the groups of staff."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Player(AbstractUser):
    """Somebody who signs in, or a bot of the house, which never does."""

    # Two fields for the parts of a name do not fit every language; the sign-in name is shown.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    is_bot = models.BooleanField(_("bot"), default=False, editable=False)
    language = models.CharField(_("language"), max_length=10, blank=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username
