"""Duplicate rounds (复式): the same deals at every table, compared across tables."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Duplicate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many rounds of so many deals; who meets whom is drawn anew, or by Swiss ranking."""

    rounds: Annotated[int, Meta(ge=1, le=100)]
    deals: Annotated[int, Meta(ge=1, le=100)]
    manner: Literal["fixed", "swiss"] = "swiss"
