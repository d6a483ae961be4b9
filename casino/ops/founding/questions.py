"""The plan of a house asked for step by step on a terminal; a wrong answer is asked for again."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from casino.accounts.models import Player
from casino.accounts.staff import MANAGERS
from casino.ops.founding import founding
from casino.ops.founding import plan as plans
from casino.ops.founding.plan import Member, NewTable, Plan, Wrong
from games.rules.catalogue import GAMES
from wallets.models import Currency

Answer = TypeVar("Answer")


class Terminal(NamedTuple):
    """Functions that ask, ask without showing the answer, and print."""

    ask: Callable[[str], str]
    ask_hidden: Callable[[str], str]
    say: Callable[[str], object]


def ask_plan(terminal: Terminal) -> tuple[Plan, dict[str, str]]:
    """All answers, and the passwords that people typed."""
    terminal.say("Currencies: what the house plays for.")
    currencies = _several(terminal, "Another currency?", lambda: _currency(terminal))
    terminal.say("Staff: two managers, because no manager approves their own proposal.")
    chosen: dict[str, str] = {}
    staff = _several(terminal, "Another member of staff?", lambda: _member(terminal, chosen))
    terminal.say("Tables.")
    by_code = {currency.code: currency for currency in currencies}
    tables = _several(terminal, "Another table?", lambda: _table(terminal, by_code))
    plan = Plan(tuple(currencies), tuple(staff), tuple(tables))
    plans.check_whole(plan)
    return plan, chosen


def _several(terminal: Terminal, another: str, ask_one: Callable[[], Answer]) -> list[Answer]:
    answers = [_until_right(terminal, ask_one)]
    while _yes(terminal, another):
        answers.append(_until_right(terminal, ask_one))
    return answers


def _until_right(terminal: Terminal, ask_one: Callable[[], Answer]) -> Answer:
    while True:
        try:
            return ask_one()
        except Wrong as wrong:
            terminal.say(f"  {wrong}")


def _question(
    terminal: Terminal, words: str, read: Callable[[Any], Answer], usual: str = ""
) -> Answer:
    shown = f"  {words} [{usual}]: " if usual else f"  {words}: "
    return _until_right(terminal, lambda: read(terminal.ask(shown).strip() or usual))


def _yes(terminal: Terminal, words: str) -> bool:
    def read(text: str) -> bool:
        if text.lower() not in ("y", "yes", "n", "no"):
            raise Wrong("Answer y or n.")
        return text.lower().startswith("y")

    return _question(terminal, words, read, "n")


def _currency(terminal: Terminal) -> Currency:
    return Currency(
        code=_question(terminal, "Code, such as EUR", plans.code),
        name=_question(terminal, "Name", lambda text: plans.words(text, plans.NAME_MAX)),
        kind=_question(terminal, "Kind, money or play", plans.kind, "money"),
        exponent=_question(terminal, "Digits after the point", plans.digits, "2"),
    )


def _member(terminal: Terminal, chosen: dict[str, str]) -> Member:
    member = Member(
        _question(terminal, "Name", plans.person),
        _question(terminal, "Role", plans.role, MANAGERS),
    )
    password = _until_right(terminal, lambda: _password(terminal, member.name))
    if password:
        chosen[member.name] = password
    return member


def _password(terminal: Terminal, name: str) -> str:
    typed = terminal.ask_hidden("  Password, or nothing for a one-time password: ")
    if not typed:
        return ""
    try:
        validate_password(typed, Player(username=name, is_staff=True))
    except ValidationError as reason:
        raise Wrong(" ".join(reason.messages)) from None
    if terminal.ask_hidden("  The same again: ") != typed:
        raise Wrong("The two are not the same.")
    return typed


def _table(terminal: Terminal, currencies: dict[str, Currency]) -> NewTable:
    terminal.say(f"  The games: {', '.join(GAMES)}.")
    game = _question(terminal, "Game", plans.game)
    data: dict[str, object] = {"game": game}
    data["name"] = _question(
        terminal, "Name of the table", lambda text: plans.words(text, plans.TABLE_NAME_MAX)
    )
    currency = _question(
        terminal, "Currency", lambda text: plans.one_of(text, currencies), next(iter(currencies))
    )
    data["currency"] = currency.code

    def amount(text: str) -> str:
        plans.amount(text, currency)
        return text

    for name in (*plans.stakes_of(game), "buy_in_min", "buy_in_max"):
        words = name.replace("_", " ").replace("buy in", "buy-in").capitalize()
        data[name] = _question(terminal, f"{words}, in {currency.code}", amount)
    if currency.kind == Currency.Kind.PLAY:
        data["bots"] = _question(terminal, "Bots", lambda text: plans.whole(text, 0, 20), "0")
    table = plans.read_table(data, currencies)
    founding.table_of(table, currency)
    return table
