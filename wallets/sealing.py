"""Secrets at rest: what the database holds cannot be read without the house's keys.

`SEALING_KEYS` names them, the newest first. The first one seals, every one of them opens; so a key
is replaced by putting a new one before it.
"""

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def seal(secret: bytes) -> str:
    return _keys().encrypt(secret).decode()


def unseal(sealed: str) -> bytes:
    """Raises `cryptography.fernet.InvalidToken` where no key fits or a byte has been changed."""
    return _keys().decrypt(sealed.encode())


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.SEALING_KEYS])
