"""The migrations make the tables of the models."""

import sys

import pytest
from django.core.management import call_command

from wallets.of_record import guards

pytestmark = pytest.mark.django_db


@pytest.mark.always
def test_models_have_all_their_migrations(monkeypatch: pytest.MonkeyPatch) -> None:
    # An earlier test may have imported them under a clock of its own, which is a default of some.
    for name in [module for module in sys.modules if ".migrations." in module]:
        monkeypatch.delitem(sys.modules, name)
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    assert guards.missing() == []
