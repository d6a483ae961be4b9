"""A release says its version once, what it is made of, and what is new in it."""

import json
from pathlib import Path

import pytest

from docs import release

LOCK = f"""amqp==5.4.2 \\
    --hash=sha256:{"9" * 64} \\
    --hash=sha256:{"e" * 64}
async-timeout==5.0.1 ; python_full_version < '3.11.3' \\
    --hash=sha256:{"3" * 64}
"""


def test_the_changelog_begins_with_the_version_of_the_tree(repository: Path) -> None:
    text = (repository / "CHANGELOG.md").read_text()
    assert release.notes(text, release.version()).startswith("### ")


@pytest.mark.parametrize("text", ["", "# Changelog\n", "# Changelog\n\n## 1.0.9\n\n## 1.1.0\n"])
def test_a_version_without_the_newest_section_is_not_released(text: str) -> None:
    with pytest.raises(release.NotReady):
        release.notes(text, "1.1.0")


def test_notes_end_where_the_version_before_begins() -> None:
    text = "# Changelog\n\n## 1.1.0 (2026-12-01)\n\n- New.\n\n## 1.0.0\n\n- Old.\n"
    assert release.notes(text, "1.1.0") == "- New.\n"


def test_what_it_is_made_of_is_listed_with_every_hash(tmp_path: Path) -> None:
    (tmp_path / "htmx-2.0.11.min.js").write_text("")
    (tmp_path / "README.md").write_text("")
    document = json.loads(release.sbom(release.components(LOCK, tmp_path), "1.1.0"))
    assert [component["purl"] for component in document["components"]] == [
        "pkg:pypi/amqp@5.4.2",
        "pkg:pypi/async-timeout@5.0.1",
        "pkg:npm/htmx.org@2.0.11",
    ]
    amqp, _timeout, htmx = document["components"]
    hashes = [
        externalreference["hashes"][0]["content"][0]
        for externalreference in amqp["externalReferences"]
    ]
    assert (hashes, htmx["hashes"][0]["content"][:6]) == (["9", "e"], "e3b0c4")


def test_every_locked_package_is_in_the_list(repository: Path) -> None:
    lock = (repository / "requirements.lock").read_text()
    names = [
        component["name"]
        for component in release.components(lock, repository / "static" / "vendor")
    ]
    assert {"django", "htmx.org", "idiomorph", "%40alpinejs/csp"} <= {*map(str.lower, names)}
    pinned = [
        line for line in lock.splitlines() if "==" in line.split(";")[0] and line[0] not in " #"
    ]
    assert len(names) == len(pinned) + 3
