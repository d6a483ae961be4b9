"""Linking the record of changes."""

import pytest
from django.db import connection

from wallets.tasks import link_record


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_thread_without_a_connection_links_the_record() -> None:
    connection.close()
    link_record()
    assert connection.connection is not None
