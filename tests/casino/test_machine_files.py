"""The files of the machine have the house's values, and their own programs accept them."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import override_settings

from casino.ops import founding

HOST = "club.example"


@pytest.fixture
def folder(db: None, tmp_path: Path) -> Iterator[Path]:
    """The files of a house with places and a name of its own."""
    data, anchors = tmp_path / "data", tmp_path / "anchors" / "anchors.jsonl"
    for place in (data, anchors.parent):
        place.mkdir()
    with override_settings(ALLOWED_HOSTS=["*", HOST], DATA_DIR=data, ANCHORS_FILE=anchors):
        founding.write(tmp_path / "machine")
        yield tmp_path / "machine"


def test_no_value_of_the_examples_is_left(folder: Path, tmp_path: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert {"nginx.conf", "card-room-web.service", "checklist.txt"} <= names
    for path in folder.iterdir():
        text = path.read_text()
        assert "cards.example" not in text, path
        assert "/srv/card-room" not in text, path
        assert "/var/lib/card-room" not in text, path
    unit = (folder / "card-room-worker.service").read_text()
    assert f"ReadWritePaths={tmp_path}/data" in unit
    assert f"ReadWritePaths=-{tmp_path}/anchors" in unit
    checklist = (folder / "checklist.txt").read_text()
    for words in (HOST, f"{tmp_path}/data", str(folder), "card-room-simulations"):
        assert words in checklist, words


@pytest.mark.always
def test_a_house_on_sqlite_gets_no_dump_of_postgresql(db: None, tmp_path: Path) -> None:
    on_sqlite = connection.vendor == "sqlite"
    names = founding.files(tmp_path)
    assert ("card-room-backup.timer" in names) != on_sqlite


def program(name: str, package: str) -> str:
    """A program of the machine; root installs it where it is missing."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None and not os.geteuid() and shutil.which("apt-get"):
        get = ["apt-get", "-qq", "-y", "--no-install-recommends"]
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", package]):
            subprocess.run([*get, *words], env=quiet, capture_output=True, check=False)
        path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert path, f"{name} is missing: install the package {package}"
    return path


@pytest.mark.release
@pytest.mark.processes
def test_nginx_accepts_the_site(folder: Path, tmp_path: Path) -> None:
    nginx = program("nginx", "nginx-light")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=x",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    site = (folder / "nginx.conf").read_text()
    for name, path in (("fullchain.pem", certificate), ("privkey.pem", key)):
        site = site.replace(f"/etc/letsencrypt/live/{HOST}/{name}", str(path))
    (tmp_path / "site.conf").write_text(site)
    main = tmp_path / "main.conf"
    main.write_text(
        f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{ access_log off; include {tmp_path}/site.conf; }}\n"
    )
    for broken in (False, True):
        if broken:
            main.write_text(main.read_text().replace("access_log off", "acces_log off"))
        done = subprocess.run(
            [nginx, "-t", "-c", main, "-p", tmp_path], capture_output=True, text=True, check=False
        )
        assert (done.returncode != 0) == broken, done.stderr


@pytest.mark.release
@pytest.mark.processes
def test_systemd_accepts_the_units(folder: Path, tmp_path: Path, repository: Path) -> None:
    verify = [program("systemd-analyze", "systemd"), "verify", "--man=no"]
    units = sorted(folder.glob("card-room-*"))
    for unit in (repository / "docs/deploy/systemd").glob("card-room-backup.*"):
        if unit.name not in {unit.name for unit in units}:
            shutil.copy(unit, folder)
    complaints = subprocess.run(
        [*verify, *sorted(folder.glob("card-room-*"))], capture_output=True, text=True, check=False
    ).stderr
    ours = [line for line in complaints.splitlines() if "card-room" in line]
    # An account that a machine does not have yet is made before the units are started.
    assert not [line for line in ours if not re.search(r"User .* not found", line)], ours
    wrong = folder / "card-room-web.service"
    wrong.write_text(wrong.read_text().replace("Restart=always", "Restart=sometimes"))
    refused = subprocess.run([*verify, wrong], capture_output=True, text=True, check=False)
    assert "restart specifier" in refused.stderr
