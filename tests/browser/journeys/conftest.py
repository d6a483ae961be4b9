"""Journeys: the house does nothing by itself, and each is made in the theme that `THEME` says."""

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.printed_pages import Sheet, sheet_of
from tests.browser.visitors import Visitor


@pytest.fixture(scope="session")
def sheet(browser: Browser) -> Iterator[Sheet]:
    with sheet_of(browser) as sheet:
        yield sheet


@pytest.fixture
def sweeps() -> bool:
    return False


@pytest.fixture
def visitor(visitor: Visitor) -> Callable[..., Page]:
    """A visitor in the theme of this run; `phone` is one with a finger instead of a mouse.

    Every frame of a motion is drawn, which takes a quarter of a journey's time, so only those whose
    subject is motion ask for it. Likewise only two journeys have the worker of the app.
    """
    theme = os.environ.get("THEME", "light")
    assert theme in ("light", "dark")

    def come(
        name: str = "", *, phone: bool = False, moves: bool = False, **options: object
    ) -> Page:
        motion = "no-preference" if moves else "reduce"
        options = {"reduced_motion": motion, "service_workers": "block"} | options
        if phone:
            options |= {"has_touch": True, "is_mobile": True, "device_scale_factor": 1}
        return visitor(name, color_scheme=theme, **options)

    return come
