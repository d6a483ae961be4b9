"""Journeys: the house does nothing by itself, and each is made in the theme that `THEME` says."""

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.visitors import Visitor


@pytest.fixture
def sweeps() -> bool:
    return False


@pytest.fixture
def visitor(visitor: Visitor) -> Callable[..., Page]:
    """A visitor in the theme of this run; `phone` is one with a finger instead of a mouse."""
    theme = os.environ.get("THEME", "light")
    assert theme in ("light", "dark")

    def come(name: str = "", *, phone: bool = False, **options: object) -> Page:
        if phone:
            options |= {"has_touch": True, "is_mobile": True, "device_scale_factor": 1}
        return visitor(name, color_scheme=theme, **options)

    return come
