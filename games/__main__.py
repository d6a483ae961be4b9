"""The rules at the command line, for support, auditors and tests: `python -m games --help`.

Records are read from standard input, one JSON object a line, and answered one JSON object a line.
Bad input is answered with a code and a sentence, and the next line is read. This is the one place
of the rules that knows the bots: it is where the parts are put together.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES, game_type, of_today
from games.rules.contract import HOUSE, AnyGame
from games.rules.errors import Unreadable
from games.rules.reading import JSON_BYTES_MAX, read_json
from games.rules.record import (
    HandRecord,
    MoveRefused,
    RecordedSettlement,
    read_record,
    record_schema,
    recorded,
    replay_record,
)
from wallets.values.errors import Refused

Answer = dict[str, object]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Refused lines are answers like others; only a refused command is 1."""
    options = _parser().parse_args(arguments)
    try:
        _require_text(options)
        for answer in options.answers(options):
            _write(answer)
        sys.stdout.flush()
    except Refused as refusal:
        _write(_refused(refusal))
        return 1
    except BrokenPipeError:
        # The reader has seen enough. Leave nothing for the interpreter to flush at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


def _require_text(options: argparse.Namespace) -> None:
    """Refuse arguments with bytes that are no text; nothing could be said about them."""
    for name, value in vars(options).items():
        if isinstance(value, str) and not value.isprintable():
            raise Unreadable("not_text", "The argument {name} is not text.", name=name)


def _write(answer: Answer) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, answers: Callable[..., Iterator[Answer]], summary: str) -> Any:
        added = commands.add_parser(name, help=summary, description=summary)
        added.set_defaults(answers=answers)
        return added

    command("replay", _replay, "settle each record, or say who is to act in it")
    view = command("view", _view, "what a seat may see at the end of each record")
    view.add_argument("--seat", type=int, help="the seat that looks; a spectator without it")
    show = command("show", _show, "explain a set of cards in the terms of a game")
    suggest = command("suggest", _suggest, "the best a player could do with these cards")
    for added in (show, suggest):
        added.add_argument("game", metavar="GAME", help=", ".join(GAMES))
        added.add_argument("cards", metavar="CARDS")
    simulate = command("simulate", _simulate, "let the bots play, and count")
    simulate.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    simulate.add_argument("--hands", type=int, default=1000, metavar="N")
    simulate.add_argument("--seed", default="0", metavar="S")
    simulate.add_argument("--strategy", metavar="NAME", help="how the first seat plays")
    simulate.add_argument(
        "--against", metavar="NAME", help="play each deal twice with the sides swapped, where known"
    )
    for added in (show, suggest, simulate):
        added.add_argument("--options", default="{}", metavar="JSON", help="the table's options")
    command("schema", _schema, "the JSON Schema of the hand record")
    return parser


def _replay(_options: argparse.Namespace) -> Iterator[Answer]:
    return _each_record(_replay_answer)


def _view(options: argparse.Namespace) -> Iterator[Answer]:
    def look(record: HandRecord) -> Answer:
        seat = options.seat
        if seat is not None and all(stake.seat != seat for stake in record.stakes):
            raise Unreadable("not_seated", "Seat {seat} takes no part in this hand.", seat=seat).at(
                "$.stakes"
            )
        view = record.options.view(replay_record(record), seat)
        return {"ok": True, "view": msgspec.to_builtins(view)}

    return _each_record(look)


def _show(options: argparse.Namespace) -> Iterator[Answer]:
    game = _game(options)
    explain = _family_function(game, "explain")
    yield {"ok": True, "game": game.key, **explain(game, options.cards)}


def _suggest(options: argparse.Namespace) -> Iterator[Answer]:
    game = _game(options)
    suggest = _family_function(game, "suggest")
    cards = parse_cards(options.cards)
    yield {"ok": True, "game": game.key, "suggestions": msgspec.to_builtins(suggest(game, cards))}


def _simulate(options: argparse.Namespace) -> Iterator[Answer]:
    from games.bots import simulate  # noqa: PLC0415 - the rules stand without the bots

    game, hands, seed = _game(options), options.hands, options.seed
    if options.against is None:
        yield {"ok": True, **simulate.simulate(game, hands, seed, options.strategy)}
    else:
        opponent = options.against
        yield {"ok": True, **simulate.against(game, hands, seed, options.strategy, opponent)}


def _schema(_options: argparse.Namespace) -> Iterator[Answer]:
    yield record_schema()


def _replay_answer(record: HandRecord) -> Answer:
    """The seats to act, or the settlement of a finished hand, compared with a recorded one."""
    state, game = replay_record(record), record.options
    waiting = sorted(game.to_act(state), key=lambda party: (party == HOUSE, party))
    if waiting:
        return {"ok": True, "to_act": waiting}
    settlement = recorded(game.settle(state))
    answer: Answer = {"ok": True, "to_act": [], "settlement": settlement}
    if record.settlement is not None:
        answer["agrees"] = _agree(settlement, record.settlement)
    return answer


def _agree(settled: RecordedSettlement, expected: RecordedSettlement) -> bool:
    """Whether a recorded settlement is the one that comes out; its lines may have been left out."""
    if not expected.lines:
        settled = replace(settled, lines=())
    return settled == expected


def _each_record(answer_to: Callable[[HandRecord], Answer]) -> Iterator[Answer]:
    for line in _lines(sys.stdin.buffer):
        try:
            yield answer_to(read_record(line))
        except MoveRefused as refused:
            yield {**_refused(refused.reason), **_place(refused.reason), "move": refused.number}
        except Unreadable as refused:
            yield {**_refused(refused), **_place(refused)}


def _place(refusal: Refused) -> Answer:
    """The place of an unreadable value in a record, with the number of its move, if any."""
    if not isinstance(refusal, Unreadable):
        return {}
    path = refusal.path or "$"
    move = re.match(r"\$\.moves\[([0-9]+)\]", path)
    return {"path": path, "move": int(move[1])} if move else {"path": path}


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines that are not blank; cut a line that is too long just past the limit."""
    while line := stream.readline(JSON_BYTES_MAX + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(JSON_BYTES_MAX)):
            pass
        if line.strip():
            yield line.rstrip(b"\r\n")


def _refused(refusal: Refused) -> Answer:
    return {"ok": False, "code": refusal.code, "message": refusal.sentence}


def _game(options: argparse.Namespace) -> AnyGame:
    """The game with the options given, in its newest edition where they name none."""
    kind = game_type(options.game)
    read_json(options.options, msgspec.json.Decoder(kind))
    given = msgspec.json.decode(options.options)
    newest: AnyGame = msgspec.convert({**of_today(options.game, {}), **given}, kind)
    return newest


def _family_function(game: AnyGame, name: str) -> Any:
    """The function that this game's family has under the name of its module."""
    return getattr(import_module(f"{GAMES[game.key].package}.{name}"), name)


if __name__ == "__main__":
    sys.exit(main())
