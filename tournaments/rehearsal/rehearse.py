"""Play a whole tournament of bots, and print what happens, one JSON object a line.

    python -m tournaments.rehearsal.rehearse --players 30 --seed 7 --structure FILE

It calls the services of the house with a clock that is passed in, in a separate database: a
temporary SQLite file, or the one of a URL. The same seed gives the same lines in a new database.
`docs/tournaments.md` describes the lines. Exits with 2 for arguments that make no sense, and with 1
where the lines do not add up.
"""

import argparse
import logging
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from tournaments.rehearsal.checks import Check, LogLine
from tournaments.rehearsal.entropy import KEYS, seeded
from tournaments.rehearsal.variant import Unfit, structure_from

PLAYERS_MAX: Final = 10_000
# There are no listeners: a rehearsal tells no page of what it does.
NOBODY: Final = "redis://127.0.0.1:1/0"


class Arguments(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{message[:1].upper()}{message[1:]}.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        with ExitStack() as stack:
            structure = structure_from(given.structure, given.game, given.players)
            stack.enter_context(_database(given.database))
            stack.enter_context(seeded(given.seed))
            # Models can be imported only now.
            from tournaments.rehearsal.play import Rehearsal  # noqa: PLC0415

            return _printed(Rehearsal(structure, given.players, given.seed).lines())
    except Unfit as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2
    except BrokenPipeError:
        # The reader has seen enough. Leave nothing for the interpreter to flush at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parser() -> Arguments:
    parser = Arguments(
        prog="python -m tournaments.rehearsal.rehearse",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=_players, required=True, metavar="N")
    parser.add_argument("--seed", required=True, metavar="S", help="any text")
    parser.add_argument("--structure", required=True, metavar="FILE", help="docs/tournaments.md")
    parser.add_argument("--game", metavar="G", help="another game than the structure's")
    parser.add_argument("--database", metavar="URL", help="an empty database to play in, and keep")
    return parser


def _players(text: str) -> int:
    if not text.isdecimal() or not 2 <= int(text[:9]) <= PLAYERS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 2 to {PLAYERS_MAX}")
    return int(text)


def _printed(lines: Iterator[LogLine]) -> int:
    """Print the lines; 1 where they do not add up."""
    check = Check()
    for line in lines:
        check.read(line)
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stdout.buffer.flush()
    for finding in (findings := check.close()):
        sys.stderr.write(f"{finding}\n")
    return 1 if findings else 0


@contextmanager
def _database(url: str | None) -> Iterator[None]:
    """A database to play in, with all its tables: it has only rehearsals."""
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
        _environment(url or f"sqlite:///{Path(folder) / 'house.sqlite3'}", folder)
        _open()
        from django.db import connections  # noqa: PLC0415

        try:
            yield
        finally:
            connections.close_all()


def _environment(url: str, folder: str) -> None:
    """Prepare the environment for the settings: keep its keys, but never its database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    os.environ.update(DEMO="1", DATABASE_URL=url, REDIS_URL=NOBODY)
    os.environ.setdefault("DATA_DIR", folder)
    for name, made in KEYS.items():
        if not os.environ.get(name, "").strip():
            os.environ[name] = made()


def _open() -> None:
    import django  # noqa: PLC0415
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import Error  # noqa: PLC0415

    try:
        django.setup()
    except Exception as problem:
        raise Unfit(f"The database cannot be used: {_line(problem)}") from None
    # A rehearsal announces nothing on purpose.
    logging.getLogger("games.live").setLevel(logging.ERROR)
    from tournaments.rehearsal.play import require_own  # noqa: PLC0415

    try:
        require_own()
        call_command("migrate", verbosity=0, interactive=False)
    except (Error, ImproperlyConfigured) as problem:
        raise Unfit(f"The database cannot be used: {_line(problem)}") from None


def _line(problem: Exception) -> str:
    return " ".join(str(problem).split())


if __name__ == "__main__":
    sys.exit(main())
