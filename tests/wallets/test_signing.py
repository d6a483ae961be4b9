"""Any reader with the house's public key can check its signatures."""

import pytest
from django.conf import LazySettings

from wallets.storage.signing import is_signed, public_keys, sign

STATEMENT = {"shoe": "T1-1", "seat": 3, "at": "2026-01-02T03:04:05+00:00", "name": "庄家"}
OTHER_KEY = "bm90IHRoZSBob3VzZSdzIGtleSwgYnV0IG9uZSB0b28="


def test_a_statement_is_signed_by_the_newest_key() -> None:
    signature = sign("receipt", STATEMENT)
    assert len(signature) == 128
    assert is_signed("receipt", STATEMENT, signature, public_keys()[0])


@pytest.mark.parametrize(
    ("kind", "statement"),
    [("anchor", STATEMENT), ("receipt", STATEMENT | {"seat": 4}), ("receipt", {})],
)
def test_a_signature_serves_one_statement_of_one_kind(kind: str, statement: dict[str, int]) -> None:
    assert not is_signed(kind, statement, sign("receipt", STATEMENT), public_keys()[0])


@pytest.mark.parametrize("signature", ["", "zz", "00" * 64, "00"])
def test_malformed_signatures_are_refused(signature: str) -> None:
    assert not is_signed("receipt", STATEMENT, signature, public_keys()[0])


def test_signatures_of_replaced_keys_still_verify(settings: LazySettings) -> None:
    signature = sign("receipt", STATEMENT)
    settings.SIGNING_KEYS = [OTHER_KEY, *settings.SIGNING_KEYS]
    newest, older = public_keys()
    assert not is_signed("receipt", STATEMENT, signature, newest)
    assert is_signed("receipt", STATEMENT, signature, older)
    assert is_signed("receipt", STATEMENT, sign("receipt", STATEMENT), newest)
