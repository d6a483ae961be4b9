"""An event loop that is held up is noticed, and the log says by what."""

import asyncio
import threading

import pytest

from casino.ops.server.threads import Watchdog
from tests.waiting import until


def render_slowly(ended: threading.Event) -> None:
    ended.wait(30)


def test_the_log_says_once_what_holds_the_loop_up(caplog: pytest.LogCaptureFixture) -> None:
    said, went_on = threading.Event(), []

    def look() -> None:
        until(lambda: caplog.messages)
        said.set()

    async def live() -> None:
        dog = Watchdog(sign_seconds=0.01, late_seconds=0.05)
        dog.start()
        looking = threading.Thread(target=look)
        looking.start()
        render_slowly(said)
        looking.join()
        # The loop works again.
        await asyncio.sleep(0)
        went_on.append(True)
        dog.stop()

    asyncio.run(live())
    assert went_on
    (line,) = caplog.messages
    assert "held up" in line
    assert "render_slowly" in line
