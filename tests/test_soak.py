"""What `make soak` writes into the page on testing."""

import pytest

from tests.browser.soak import Result, noted

PAGE = "# Testing\n\nSoaked: not yet,\nsays this paragraph.\n\n## Next\n"


@pytest.mark.parametrize(
    ("failed", "end"),
    [(0, "none failed."), (2, "2 failed: `tests/browser/journeys/test_a.py::test_b` (dark) 2.")],
)
def test_the_last_result_takes_the_place_of_the_one_before(failed: int, end: str) -> None:
    results = {"test_a::test_b (light)": Result(5, 0), "test_a::test_b (dark)": Result(5, failed)}
    once = noted(PAGE, results, 10, 4, "2026-11-29")
    words = " ".join(once.split())
    assert "10 journeys, each 10 times, in light and dark, beside 4 busy loops; " + end in words
    assert "this paragraph" not in once
    assert once.endswith("\n\n## Next\n")
    assert noted(once, results, 10, 4, "2026-11-29") == once
