"""The list of attacks is whole, and an attack on a house without guards gets through."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.attack import MODULES
from tests.attack.attackers import Answer
from tests.attack.leaks import named
from tests.attack.registry import (
    ATTACKS,
    BROKEN,
    PARTS,
    PROMISES,
    REFUSED,
    Attack,
    attempted,
    line,
)


def test_every_promise_is_attacked() -> None:
    assert MODULES
    attacked = {promise for attack in ATTACKS for promise in attack.against}
    assert attacked == PROMISES.keys()


def test_the_documentation_names_every_part(repository: Path) -> None:
    documented = (repository / "docs" / "compliance.md").read_text()
    assert all(f"`{part}`" in documented for part in PARTS)


def of_name(name: str) -> Attack:
    return next(attack for attack in ATTACKS if attack.name == name)


class Answering:
    """A browser, and a program, to whom everything is answered alike."""

    def __init__(self, status: int, text: str) -> None:
        self.answer = Answer(status, text, {})

    def get(self, path: str, **_: Any) -> Answer:
        return self.answer

    def post(self, path: str, *_body: Any, **_: Any) -> Answer:
        return self.answer


def house(status: int, text: str = "") -> Any:
    """A house that answers everything so, and whose lists nevertheless open."""
    somebody = Answering(status, text)
    return SimpleNamespace(
        browser=lambda _name="": somebody,
        program=lambda _name="": somebody,
        log=lambda: "",
        sql=lambda *_: [(0,)],
        newcomer=lambda _name, **_: somebody.answer,
        tables={"baccarat": 9},
    )


@pytest.mark.parametrize(
    "name",
    [
        "guess by filters",
        "guess by suggestions",
        "guess by keys of rows",
        "guess by the API's filters",
        "act in another's name",
        "open a table that takes everything",
        "give money away by a form",
    ],
)
def test_an_attack_on_a_house_without_that_guard_gets_through(name: str) -> None:
    taken = 302 if "table" in name or "form" in name else 200
    assert attempted(of_name(name), house(taken)).verdict == BROKEN


@pytest.mark.parametrize("name", ["guess by suggestions", "guess by the API's filters"])
def test_an_attack_on_a_house_with_it_is_refused(name: str) -> None:
    assert attempted(of_name(name), house(400)).verdict == REFUSED


@pytest.mark.parametrize(
    "name", ["open a table that takes everything", "give money away by a form"]
)
def test_a_house_that_refuses_every_form_has_shown_nothing(name: str) -> None:
    assert attempted(of_name(name), house(200, "gives_away")).verdict == BROKEN


def test_a_card_is_found_where_it_stands_and_not_in_the_strokes_of_an_icon() -> None:
    icon = '<path d="M1 1.5.5 2.5 1.3 3.4h-3.6"/>'
    assert named(icon, ["4h"]) == []
    assert named(f'{icon}<li data-card="4h">four</li> 4d', ["4h", "4d", "4s"]) == ["4h", "4d"]


def test_a_house_that_lets_thirty_newcomers_in_is_broken() -> None:
    open_to_all = house(302)
    open_to_all.sql = lambda *_: [(30,)]
    outcome = attempted(of_name("sign up thirty times"), open_to_all)
    assert (outcome.verdict, outcome.what) == (BROKEN, "30 of thirty are in")


def test_attack_that_crashes_is_reported() -> None:
    def stumbling(_house: Any) -> Any:
        raise KeyError("turn")

    attack = Attack("stumble", "leaks", ("filters",), "something", stumbling)
    outcome = attempted(attack, None)
    assert outcome.verdict == BROKEN
    assert line(attack, outcome).startswith(
        "BROKEN   stumble: something -> the attack itself failed"
    )
