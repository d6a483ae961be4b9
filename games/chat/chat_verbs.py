"""The verbs of the chat: writing a line, muting a player, reading the lines.

Players at a table may write, and all who may watch it may read. Lines never change. They are kept
for thirty days, so that staff can look into complaints, and then deleted.
"""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.utils.translation import pgettext_lazy as _p

from games.boards.family import families, family_of
from games.chat.models import LINE_MAX, ChatLine, Mute, Silence
from games.live.announcing import announce_chat
from games.models import Hand, Seat
from games.rules.catalogue import game_type
from games.rules.errors import Unreadable
from games.tables import admission
from games.words.naming import player_title
from games.words.plain import one_line
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused
from wallets.values.player import Viewer
from wallets.values.registry import Registry

Words = Mapping[str, str | Promise]

PHRASES: Final[Words] = {
    "hello": _("Hello everybody!"),
    "luck": _("Good luck!"),
    "nice": _("Nicely played!"),
    "thanks": _("Thank you!"),
    "quick": _("A little quicker, please."),
    "moment": _("One moment, please."),
    "unlucky": _("What bad luck!"),
    "bye": _("I must go. Good-bye!"),
}
# The symbols of `static/games/emotes.svg`, and what is heard instead of each.
EMOTES: Final[Words] = {
    "laugh": _p("an emote", "laughs"),
    "cool": _p("an emote", "is pleased"),
    "think": _p("an emote", "thinks"),
    "sweat": _p("an emote", "sweats"),
    "shock": _p("an emote", "is shocked"),
    "cry": _p("an emote", "cries"),
    "angry": _p("an emote", "is angry"),
    "sleepy": _p("an emote", "falls asleep waiting"),
    "thumb": _p("an emote", "thumbs up"),
    "flower": _p("an emote", "gives a flower"),
    "tea": _p("an emote", "offers tea"),
    "bomb": _p("an emote", "throws a bomb"),
}
# What their buttons say: pressing one does it.
EMOTE_BUTTONS: Final[Words] = {
    "laugh": _p("an emote's button", "Laugh"),
    "cool": _p("an emote's button", "Be pleased"),
    "think": _p("an emote's button", "Think"),
    "sweat": _p("an emote's button", "Sweat"),
    "shock": _p("an emote's button", "Be shocked"),
    "cry": _p("an emote's button", "Cry"),
    "angry": _p("an emote's button", "Be angry"),
    "sleepy": _p("an emote's button", "Fall asleep waiting"),
    "thumb": _p("an emote's button", "Thumbs up"),
    "flower": _p("an emote's button", "Give a flower"),
    "tea": _p("an emote's button", "Offer tea"),
    "bomb": _p("an emote's button", "Throw a bomb"),
}


def phrases_of(game: str) -> Words:
    """The quick phrases that a table of a game offers."""
    return family_of(game).phrases or PHRASES


def all_phrases() -> Words:
    """All phrases: a player who moved from another game may still use those of that game."""
    phrases = {**PHRASES, **EMOTES}
    for family in families():
        phrases.update(family.phrases)
    return phrases


# What a bot says to a phrase; the others it leaves alone.
ANSWERS: Final = {
    "hello": "hello",
    "pleased": "pleased",
    "luck": "thanks",
    "nice": "thanks",
    "too_good": "thanks",
    "bye": "luck",
    "miss_you": "miss_you",
    "flower": "flower",
    "tea": "thanks",
}
# After one has spoken the bots of a table are quiet for this long, which is some hands.
QUIET: Final = timedelta(minutes=3)


def answer(line: ChatLine, now: datetime) -> ChatLine | None:
    """Return a bot's answer to a line that a person has just written, if it has one."""
    phrase = ANSWERS.get(line.phrase)
    if phrase is None:
        return None
    said = ChatLine.objects.filter(table=line.table_id, player__is_bot=True)
    if said.filter(said_at__gt=now - QUIET).exists():
        return None
    sitting = Seat.objects.filter(table=line.table_id, left_at__isnull=True, player__is_bot=True)
    bots = list(sitting.order_by("number").values_list("player_id", flat=True))
    if not bots:
        return None
    bot = bots[line.pk % len(bots)]
    return ChatLine.objects.create(
        table_id=line.table_id, player_id=bot, phrase=phrase, said_at=now
    )


SHOWN_MAX: Final = 50
KEPT: Final = timedelta(days=30)
# A player may write this many lines within this time.
LINES_MAX: Final = 5
LINES_WITHIN: Final = timedelta(seconds=15)
# Combining marks, and how many of them a letter may have.
MARKS: Final = ("Mn", "Me")
MARKS_MAX: Final = 4
PHRASES_ONLY: Final = _n(
    "While a hand is live only quick phrases are allowed, so that players cannot talk about cards."
)
# Letters that look blank: fillers of Hangul, and the empty Braille cell.
BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")

# The numbers of the players whom this reader has muted, as a query.
Unheard = Callable[[int], QuerySet[Any, object]]
# More players than the muted, whom packages above keep from a reader.
UNHEARD: Final = Registry[Unheard]("rule of chat")


class Heard(NamedTuple):
    """A line as one viewer reads it."""

    pk: int
    # The name that signs in, and what the reader calls them: bots have names in each language.
    name: str
    player: str
    words: str | Promise
    said_at: datetime
    mine: bool
    face: int
    # Where the speaker sits now; None if they have left.
    seat: int | None
    # The symbol of an emote, which the words then describe.
    emote: str
    is_bot: bool


def phrases_only(table_id: int) -> bool:
    """Whether the hand that is live at a table forbids everything but quick phrases."""
    live = Hand.objects.filter(table=table_id, status=Hand.Status.LIVE)
    return any(game_type(key).phrases_only for key in live.values_list("game", flat=True))


@verb("player:chat.say")
def say(player: Viewer, table_id: int, typed: str, now: datetime, *, phrase: str = "") -> ChatLine:
    """Say a line or a quick phrase at a table where the player sits."""
    text = "" if phrase else _plain(typed)
    if phrase and phrase not in all_phrases():
        raise Unreadable("phrase", _n("There is no such phrase."))
    with transaction.atomic():
        # The lock makes the limit hold for lines that are sent at the same time.
        get_user_model().objects.select_for_update(no_key=True).get(pk=player.pk)
        seats = Seat.objects.filter(player_id=player.pk, left_at__isnull=True)
        if not seats.filter(table_id=table_id).exists():
            raise Refused("not_seated", _n("Only players at the table can chat."))
        if text:
            admission.require(admission.Request(admission.Occasion.TALK, player, now))
        if text and phrases_only(table_id):
            raise Refused("phrases_only", PHRASES_ONLY)
        silence = Silence.objects.filter(player_id=player.pk, until__gt=now).first()
        if silence is not None:
            raise Refused(
                "silenced", _n("You cannot chat for now: {reason}"), reason=silence.reason
            )
        recent = ChatLine.objects.filter(player_id=player.pk, said_at__gt=now - LINES_WITHIN)
        if recent.count() >= LINES_MAX:
            raise Refused(
                "too_many_lines", _n("Not so fast: wait a moment before the next message.")
            )
        line = ChatLine.objects.create(
            table_id=table_id, player_id=player.pk, text=text, phrase=phrase, said_at=now
        )
        newest = answer(line, now) or line
        transaction.on_commit(lambda: announce_chat(table_id, newest.pk))
    return line


def _plain(typed: str) -> str:
    """The text without invisible and direction-changing signs; refused if empty or too long."""
    text = _unpiled(one_line(typed[: LINE_MAX * 10]))
    if all(_shows_nothing(sign) for sign in text):
        raise Unreadable("chat_empty", _n("That message is empty."))
    if len(text) > LINE_MAX:
        raise Unreadable("chat_long", _n("A message has at most {most} characters."), most=LINE_MAX)
    return text


def _unpiled(text: str) -> str:
    """The text without excess combining marks, which would cover other lines."""
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in MARKS else 0
        if marks <= MARKS_MAX:
            kept.append(sign)
    return "".join(kept)


def _shows_nothing(sign: str) -> bool:
    return sign in BLANKS or unicodedata.category(sign) in ("Zs", "Cf", *MARKS)


def lines_at(table_id: int, viewer: Viewer) -> list[Heard]:
    """The last lines at a table, without those of players whom the viewer does not hear."""
    lines = ChatLine.objects.filter(table_id=table_id, hidden=False).select_related("player")
    if viewer.is_authenticated:
        lines = lines.exclude(player__in=Mute.objects.filter(player_id=viewer.pk).values("muted"))
        for unheard in UNHEARD.values():
            lines = lines.exclude(player__in=unheard(viewer.pk))
    sitting = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    seats = dict(sitting.values_list("player_id", "number"))
    said = all_phrases()
    heard = [
        Heard(
            line.pk,
            line.player.username,
            player_title(line.player.username, line.player.is_bot),
            said.get(line.phrase, line.phrase) if line.phrase else line.text,
            line.said_at,
            line.player_id == viewer.pk,
            line.player.face,
            seats.get(line.player_id),
            line.phrase if line.phrase in EMOTES else "",
            line.player.is_bot,
        )
        for line in lines[:SHOWN_MAX]
    ]
    return heard[::-1]


def mute(player: Viewer, name: str) -> None:
    """Mute a player; a second time changes nothing."""
    Mute.objects.get_or_create(player_id=player.pk, muted_id=_other(player, name))


def unmute(player: Viewer, name: str) -> None:
    Mute.objects.filter(player_id=player.pk, muted_id=_other(player, name)).delete()


def muted_by(player: Viewer) -> list[tuple[str, str]]:
    """Those whom a player has muted: each name, and what the reader calls them."""
    names = Mute.objects.filter(player_id=player.pk).order_by("muted__username")
    rows = names.values_list("muted__username", "muted__is_bot")
    return [(name, player_title(name, is_bot)) for name, is_bot in rows]


def _other(player: Viewer, name: str) -> int:
    # PostgreSQL takes no text with a NUL in it.
    players = get_user_model().objects.filter(username=name)
    person = players.first() if name.isprintable() else None
    if person is None or person.pk == player.pk:
        raise Refused("no_such_player", _n("There is no player of that name."))
    return int(person.pk)


@verb("house:chat.delete_old")
def forget(now: datetime) -> int:
    """Delete lines that are older than thirty days."""
    deleted, _each = ChatLine.objects.filter(said_at__lt=now - KEPT).delete()
    return deleted
