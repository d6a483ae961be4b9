"""The options of a game as a manager types them into the form of a table or a profile."""

import json
from contextlib import suppress
from typing import Any

from games.profiles.options import options_of, write
from games.rules.catalogue import GAMES
from wallets.models import Currency


def typed(game: str, options: Any) -> dict[str, str]:
    """Inputs for options that a test writes as the rules store them."""
    with suppress(ValueError, TypeError):
        options = json.loads(options)
    if not isinstance(options, dict) or game not in GAMES:
        return {"options-point": str(options)}
    found = {}
    for option in options_of(game):
        if option.name in options:
            value = options[option.name]
            text = write(option, value, Currency())
            if option.kind == "switch":
                text = "yes" if value is True else "no" if value is False else str(value)
            found[f"options-{option.name}"] = text
    return found
