"""The description of the API: complete, valid, and true of what is answered."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.urls import reverse

from games.api.components import with_types
from games.models import Table
from games.rules.catalogue import GAMES, game_type
from tests.games.house import House
from tests.games.program import VERBS, Program, best, bet
from tests.games.viewers import NAMES

# What they look at is prepared for the whole module.
pytestmark = pytest.mark.slow

# What a player can do about a tournament.
OF_TOURNAMENTS = (
    "register",
    "register-with-ticket",
    "unregister",
    "enter-again",
    "add-on",
    "commit",
    "withdraw",
    "reveal",
)


Check = Callable[[Any, str], None]


@pytest.fixture(scope="module")
def check(described: Any) -> Check:
    """Says whether something is as a component is described; what is described is valid itself."""

    def check(answer: Any, name: str) -> None:
        root = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
        jsonschema.Draft202012Validator(root).validate(answer)

    return check


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("schema") / "schema.json"
    how = ("--validate", "--fail-on-warn", "--format", "openapi-json")
    call_command("spectacular", *how, "--file", str(file))
    return json.loads(file.read_text())


@pytest.mark.always
def test_what_a_component_requires_is_described() -> None:
    made = with_types({"paths": {}, "components": {"schemas": {}}})
    for name, schema in made["components"]["schemas"].items():
        assert set(schema.get("required", ())) <= set(schema.get("properties", ())), name
    view = made["components"]["schemas"]["TableView"]
    assert {"version", "hand", "choices"} <= view["properties"].keys()


def test_the_description_is_complete_and_valid(described: Any) -> None:
    assert set(described["paths"]) == {
        "/api/v1/sign-in/",
        "/api/v1/sign-out/",
        "/api/v1/tables/",
        "/api/v1/tables/{table_id}/",
        *(f"/api/v1/tables/{{table_id}}/{verb}/" for verb in VERBS),
        "/api/v1/hands/",
        "/api/v1/hands/{hand_id}/",
        "/api/v1/hands/{hand_id}/record/",
        "/api/v1/shoes/{code}/",
        "/api/v1/tournaments/",
        *(f"/api/v1/tournaments/{{number}}/{name}" for name in ("", "hands/", "places/", "shoe/")),
        *(f"/api/v1/tournaments/{{number}}/{verb}/" for verb in OF_TOURNAMENTS),
        "/api/v1/wallet/",
        "/api/v1/wallet/{currency}/",
        "/api/v1/profiles/",
        "/api/v1/profiles/{number}/",
        "/api/v1/reports/{name}/",
        "/api/v1/withdrawals/",
        "/api/v1/withdrawals/{number}/cancel/",
        "/api/v1/limits/",
        *(f"/api/v1/limits/{{limit}}/{verb}/" for verb in ("confirm", "withdraw")),
        "/api/v1/reality-check/",
        "/api/v1/exclusion/",
    }
    for verb in VERBS:
        post = described["paths"][f"/api/v1/tables/{{table_id}}/{verb}/"]["post"]
        named = {parameter["name"]: parameter for parameter in post["parameters"]}
        # Hand and turn are the key of an act.
        assert ("Idempotency-Key" in named) == (verb != "act")
        assert post["description"]


def test_answers_are_as_described(
    check: Check, house: House, alice: Program, baccarat: Table
) -> None:
    check(alice.get(f"tables/{baccarat.pk}/"), "TableView")
    check(alice.post(f"tables/{baccarat.pk}/act/", bet(alice, baccarat)), "TableView")
    check(alice.get("tables/"), "LobbyResponse")
    house.until(baccarat, lambda table: table.hand_id is None)
    check(alice.get(f"tables/{baccarat.pk}/"), "TableView")
    hands = alice.get("hands/")
    check(hands, "HandsResponse")
    check(alice.get(f"hands/{hands['hands'][0]['id']}/"), "HandWithLines")
    check(alice.get("wallet/"), "WalletResponse")
    check(alice.get("wallet/PLAY/"), "StatementResponse")
    check(alice.get("tables/999999/"), "Refusal")


def test_the_description_can_be_read_by_anybody_and_loads_nothing_from_elsewhere(
    stranger: Program,
) -> None:
    page = stranger.client.get(reverse("api-docs"))
    assert page.status_code == 200
    text = page.content.decode()
    assert "swagger-ui" in text
    assert "//cdn" not in text
    assert 'src="http' not in text
    assert 'href="http' not in text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "http" not in policy
    described = stranger.client.get(reverse("api-schema"))
    assert described.status_code == 200
    assert stranger.client.post(reverse("api-schema")).status_code == 405
    assert stranger.client.post(reverse("api-docs")).status_code == 405


@pytest.mark.always
@pytest.mark.parametrize("game", list(GAMES))
def test_views_choices_and_actions_are_described(check: Check, house: House, game: str) -> None:
    table = house.dealt_in(game, *NAMES[: game_type(game).seats[0]])
    alice = Program("alice")
    view = alice.get(f"tables/{table.pk}/")
    assert view["game"] == game
    assert view["view"]["game"] == GAMES[game].family
    check(view, "TableView")
    if view["turn"] is not None:
        assert best(view)["do"] in {choice["do"] for choice in view["choices"]}
        request = {"hand": 1, "turn": 0, "action": best(view)}
        check(request, "ActRequest")
        for choice in view["choices"]:
            if choice.keys() & {"cost", "least", "most", "among"}:
                check(request | {"action": choice, "decision": view["decision"]}, "ActRequest")
        with pytest.raises(jsonschema.ValidationError):
            check(request | {"action": {"do": "fly"}}, "ActRequest")
