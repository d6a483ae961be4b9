"""The forms of a table's page, filled in at random as a person might."""

import random
from collections.abc import Callable
from decimal import Decimal

from tests.games.markup import Form, Page

# Pages that a page offers help for: arrangements, and plays of Dou Dizhu.
ARRANGEMENTS = ("best_expected", "safe", "strong_front")
PLAYS = "0"


def offered(page: Callable[[str], Page], *, ending: bool) -> list[Form]:
    """The forms with which one can act; when it is to end, those that end it where there are any.

    Of a turn in which no play beats, the form of plays is left out.
    """
    forms = [
        form for key, form in page("").forms.items() if key.startswith("act-") and form.buttons
    ]
    if ending:
        forms = [form for form in forms if form.id in ("act-done", "act-close")] or forms
    if "act-play" in [form.id for form in forms] and not helped(page, "act-play").sent().get(
        "cards"
    ):
        forms = [form for form in forms if form.id != "act-play"]
    return forms


def helped(page: Callable[[str], Page], key: str, help_: str = PLAYS) -> Form:
    return page(help_).forms[key]


def fill(form: Form, page: Callable[[str], Page], rng: random.Random) -> dict[str, list[str]]:
    """Fill a form as a person would: ask for help with cards, choose amounts within bounds."""
    button = rng.choice(form.buttons)
    if form.id == "act-arrange" and button.name != "declare":
        form = helped(page, form.id, rng.choice(ARRANGEMENTS))
    elif form.id == "act-play":
        form = helped(page, form.id)
    data = form.sent(button)
    cards = [value for name, value in form.boxes if name == "cards"]
    if form.id.startswith(("act-give", "act-exchange")) and cards:
        data["cards"] = rng.sample(cards, 3 if form.id == "act-give" else rng.randint(2, 5))
    for name in set(form.typed) & {"amount", "bonus"}:
        if button.most:
            amount = min(max(Decimal(data[name][0]), Decimal(button.least)), Decimal(button.most))
            data[name] = [str(amount)]
    for name in ("rounds", "direction"):
        values = [value for box, value in form.boxes if box == name]
        if values:
            data[name] = [rng.choice(values)]
    return data


def said(text: str) -> str:
    """The refusal that a page shows."""
    start = text.find('role="alert" data-code')
    return text[start : start + 300] if start >= 0 else ""
