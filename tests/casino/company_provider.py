"""A company's provider of accounts (OpenID Connect), on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests
from django.test import Client
from oidc_provider_mock import run_server_in_thread

HERE = "http://testserver"


class Provider:
    def __init__(self, address: str) -> None:
        self.address = address

    def knows(self, person: str, **claims: Any) -> None:
        answer = requests.put(f"{self.address}/users/{person}", json=claims, timeout=60)
        assert answer.status_code == 204

    def returns(self, client: Client, person: str) -> str:
        """Send a browser there, where the person signs in; return the address it comes back to."""
        there = client.get("/players/company/")["Location"]
        assert there.startswith(self.address)
        answer = requests.post(there, data={"sub": person}, allow_redirects=False, timeout=60)
        return answer.headers["Location"].removeprefix(HERE)

    def sign_in(self, client: Client, person: str) -> Any:
        return client.get(self.returns(client, person))


@contextmanager
def company_provider() -> Iterator[Provider]:
    with run_server_in_thread() as server:
        yield Provider(f"http://localhost:{server.server_port}")
