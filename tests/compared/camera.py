"""The picture of a scene: a house in this process, with a server and a browser for it."""

import os
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.test.testcases import LiveServerThread
from django.utils import timezone
from playwright.sync_api import Page, sync_playwright

from casino.accounts.models import Player
from tests.browser.house import launch
from tests.compared.scenes import Scene
from tests.games.house import House
from tests.people import client_of
from tests.screenshots import MOTION_ENDED

HOST: Final = "localhost"
# A stream that never answers: the page stands as it was made.
STREAMS: Final = "**/live/**"


def take(house: House, scene: Scene, path: Path) -> None:
    """Make the scene in this house and photograph its page."""
    # The browser keeps an event loop in this thread, beside which Django would refuse to work.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with pytest.MonkeyPatch.context() as patch:
        house.now = timezone.now()
        address = scene.make(house, patch)
        with sync_playwright() as playwright:
            browser = launch(playwright)
            context = browser.new_context(base_url=serve(), viewport=scene.size)
            context.add_cookies(cookies(scene))  # type: ignore[arg-type]
            page = context.new_page()
            page.route(STREAMS, lambda _route: None)
            page.goto(address)
            scene.pose(page)
            page.evaluate(MOTION_ENDED)
            _shoot(page, scene, path)
            browser.close()


def _shoot(page: Page, scene: Scene, path: Path) -> None:
    if scene.whole:
        # What is fixed to the window's foot stands once, at the end of the page.
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": scene.size["width"], "height": height})
    page.screenshot(path=path)


def serve() -> str:
    """Serve the house from a thread of this process; the address."""
    thread = LiveServerThread(HOST, StaticFilesHandler, connections_override={})
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    return f"http://{HOST}:{thread.port}"


def cookies(scene: Scene) -> list[dict[str, str]]:
    chosen = {
        settings.LANGUAGE_COOKIE_NAME: scene.language,
        "theme": scene.theme,
    }
    if scene.who:
        signed_in = client_of(Player.objects.get(username=scene.who))
        name = settings.SESSION_COOKIE_NAME
        chosen[name] = signed_in.cookies[name].value
    return [
        {"name": name, "value": value, "domain": HOST, "path": "/"}
        for name, value in chosen.items()
    ]
