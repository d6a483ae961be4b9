"""Headers and cookies of every kind of answer."""

import pytest
from django.test import Client

from casino.accounts.models import Player
from tests.people import PASSWORD

# A page, a fragment's refusal, a missing page, the API, and its description.
ANSWERS = ("/", "/players/sign-in/", "/nothing/", "/api/v1/tables/", "/api/v1/wallet/")


@pytest.mark.parametrize("path", ANSWERS)
def test_every_kind_of_answer_has_the_headers_of_the_house(alice: Player, path: str) -> None:
    headers = Client().get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "no-store" in headers["Cache-Control"] or path == "/"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert not {"Server", "X-Powered-By", "Access-Control-Allow-Origin"} & set(headers)


def test_cookies_are_closed_to_scripts_and_to_other_sites(alice: Player) -> None:
    client = Client()
    page = client.get("/players/sign-in/")
    form = {"username": "alice", "password": PASSWORD}
    answers = [page, client.post("/players/sign-in/", form, follow=False)]
    answers.append(client.post("/players/language/", {"language": "zh-hans"}))
    cookies = {name: cooky for answer in answers for name, cooky in answer.cookies.items()}
    assert {"sessionid", "csrftoken"} <= set(cookies)
    for name, cookie in cookies.items():
        assert cookie["samesite"] in ("Lax", "Strict"), name
        assert not cookie["domain"], name
    # A reader of this one could act as the player; the other is compared with a form's field.
    assert cookies["sessionid"]["httponly"]
    assert PASSWORD not in str(cookies)
