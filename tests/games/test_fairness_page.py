"""The page about fair dealing, open to everybody."""

from pathlib import Path

from django.test import Client

from games import chain
from games.models import ChainEntry
from tests.games.house import House


def test_the_page_shows_the_heads_of_the_chain(house: House, client: Client) -> None:
    house.dealt_in("baccarat", "alice")
    chain.link()
    answer = client.get("/fairness/")
    assert answer.status_code == 200
    assert ChainEntry.objects.latest("pk").head in answer.content.decode()


def test_the_verifier_is_the_one_of_the_documentation(
    house: House, client: Client, repository: Path
) -> None:
    answer = client.get("/fairness/verify.py")
    told = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert told == (repository / "docs" / "verify.py").read_bytes()


def test_nothing_is_posted_there(house: House, client: Client) -> None:
    assert client.post("/fairness/").status_code == 405
