"""Journeys: the house does nothing by itself, and each is made in the theme that `THEME` says.

Those marked `engines` are made in Chromium, Firefox and WebKit, as far as this machine has them.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests import browsers
from tests.browser.printed_pages import Sheet, sheet_of
from tests.browser.visitors import Visitor


@pytest.fixture(scope="session")
def sheet(browser: Browser) -> Iterator[Sheet]:
    with sheet_of(browser) as sheet:
        yield sheet


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("engines"):
        engines = [engine for engine, find in browsers.ENGINES.items() if find()]
        metafunc.parametrize("engine", engines, indirect=True)


@pytest.fixture(scope="session")
def firefox() -> Iterator[Any]:
    from tests.browser.engines.firefox import firefox

    with firefox() as browser:
        yield browser


@pytest.fixture(scope="session")
def webkit() -> Iterator[Any]:
    from tests.browser.engines.webkit import webkit

    with webkit() as browser:
        yield browser


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "chromium")


@pytest.fixture
def opened(engine: str, browser: Browser, request: pytest.FixtureRequest) -> Any:
    return browser if engine == "chromium" else request.getfixturevalue(engine)


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
        usual = {"reduced_motion": motion, "service_workers": "block", "color_scheme": theme}
        options = usual | options
        if phone:
            options |= {"has_touch": True, "is_mobile": True, "device_scale_factor": 1}
        return visitor(name, **options)

    return come
