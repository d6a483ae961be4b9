"""The migrations make the tables of the models."""

import pytest
from django.core.management import call_command

from wallets.of_record import guards

pytestmark = pytest.mark.django_db


@pytest.mark.always
def test_models_have_all_their_migrations() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    assert guards.missing() == []
