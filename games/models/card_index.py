"""The index by which auditors search finished hands: `games/records/card_index.py` writes it."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.hands import Hand
from wallets.values.columns import NUMBER, derived


class TokensField(models.TextField):  # type: ignore[type-arg]
    """Tokens with a space before and after each; PostgreSQL has an index of them all."""


@TokensField.register_lookup
class HasTokens(models.Lookup):
    """Whether a row has all of these tokens."""

    lookup_name = "has_tokens"

    def get_prep_lookup(self) -> list[str]:
        return [str(token) for token in self.rhs]

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column, params = self.process_lhs(compiler, connection)
        each = " AND ".join(f"{column} LIKE %s" for _token in self.rhs)
        return each, (*params, *(f"% {token} %" for token in self.rhs))

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, object]:
        column, params = self.process_lhs(compiler, connection)
        return f"string_to_array({column}, ' ') @> %s::text[]", (*params, self.rhs)


@derived("hands", free={NUMBER: "id"})
class HeldCards(models.Model):
    """The cards of one holder in a finished hand: number 0 is the house, with every hand's flags.

    The tokens are hashes under a key of the house, whose name is kept beside them.
    """

    hand = models.ForeignKey(Hand, models.PROTECT, related_name="held", db_index=False)
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=8)
    tokens = TokensField()

    class Meta:
        verbose_name = _("cards of a hand")
        verbose_name_plural = _("cards of hands")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="held_cards_once"),
        ]

    def __str__(self) -> str:
        return f"{self.hand_id} {self.number}"
