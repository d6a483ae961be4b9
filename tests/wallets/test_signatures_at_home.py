"""`docs/verify_signature.py`, as the keeper of a note runs it."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.rules.proved import kept_note, record
from wallets.storage.signing import public_keys, sign

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_signature.py"


@pytest.fixture
def note() -> dict[str, Any]:
    kept = kept_note(record(), 2)
    statement = kept["receipt"]["statement"]
    signature = sign("receipt", statement)
    return {**kept, "receipt": {**kept["receipt"], "signature": signature}}


def verdict(tmp_path: Path, note: dict[str, Any], key: str) -> tuple[int, str]:
    path = tmp_path / "note.json"
    path.write_text(json.dumps(note))
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(path), key], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.strip()


def test_only_a_receipt_that_the_house_signed_is_accepted(
    tmp_path: Path, note: dict[str, Any]
) -> None:
    (key, *_) = public_keys()
    assert verdict(tmp_path, note, key) == (0, "signature: OK")
    assert verdict(tmp_path, note, "11" * 32) == (1, "signature: FAILED")
    for name, value in {"at": "2026-02-03T04:04:59+00:00", "seat": 3, "lock": "00" * 32}.items():
        altered = deepcopy(note)
        altered["receipt"]["statement"][name] = value
        assert verdict(tmp_path, altered, key) == (1, "signature: FAILED")


def test_a_receipt_that_leaves_something_out_is_none(tmp_path: Path, note: dict[str, Any]) -> None:
    del note["receipt"]["statement"]["lock"]
    note["receipt"]["signature"] = sign("receipt", note["receipt"]["statement"])
    assert verdict(tmp_path, note, public_keys()[0]) == (1, "signature: FAILED")
