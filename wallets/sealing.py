"""Secrets at rest: encrypted under the newest of the house's keys, read under any of them."""

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.SEALING_KEYS])


def seal(secret: bytes) -> str:
    return _keys().encrypt(secret).decode()


def unseal(sealed: str) -> bytes:
    return _keys().decrypt(sealed.encode())
