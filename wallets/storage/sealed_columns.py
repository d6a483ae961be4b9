"""Columns for what opens something and is shown again: a link, an address with a password in it.

The text itself is in no column. One column has it encrypted, for readers who may see it; next to it
another has its hash, by which the house recognises a text that is presented.
"""

from hashlib import sha256
from typing import Any, Final

from django.db import models

from wallets.storage.encryption import seal, unseal

DIGEST_LENGTH: Final = 64


def digest_of(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()


def seal_text(text: str) -> str:
    return seal(text.encode())


class SealedText(property):
    """The text of an encrypted column, which is decrypted only on access.

    Django takes a property for a name of the model, so that rows can be made with it.
    """

    def __init__(self, column: str) -> None:
        super().__init__(
            lambda row: unseal(getattr(row, column)).decode(),
            lambda row, text: setattr(row, column, seal_text(text)),
        )

    # Only instances have it.
    def __get__(self, row: object, model: type | None = None) -> str:  # type: ignore[override]
        return super().__get__(row, model)  # type: ignore[no-any-return]


class DigestField(models.CharField):  # type: ignore[type-arg]
    """The hash of an encrypted column, written whenever that is: name both in `update_fields`."""

    def __init__(self, *args: Any, of: str, **options: Any) -> None:
        self.of = of
        super().__init__(*args, **options | {"max_length": DIGEST_LENGTH, "editable": False})

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        del options["max_length"], options["editable"]
        return name, path, args, options | {"of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        digest = digest_of(unseal(getattr(model_instance, self.of)).decode())
        setattr(model_instance, self.attname, digest)
        return digest
