"""People who can be found by name, notes on them, and friends, followers and blocked players.

A note is read by its writer alone. A block ends what was between the two, and from then on the
blocked player cannot ask, follow or see the profile, is not heard at tables, and the seat finder
keeps the two apart where it can. The games know none of this: chat and seat finder ask the rules
that are registered here.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.care.rules import shown_to_others
from casino.community.social.models import (
    NOTE_MAX,
    Block,
    Follow,
    Friendship,
    PlayerNote,
    TableInvitation,
)
from games.models.combined import Read
from games.models.prepared import Query
from games.rules.errors import Unreadable
from games.tables import admission
from games.words.plain import one_line
from wallets.values.errors import Refused


def named(name: str) -> Player | None:
    """The person of a name, in any spelling of it; neither a bot nor one of the staff."""
    # PostgreSQL takes no text with a NUL in it.
    if not name.isprintable():
        return None
    people = Player.objects.filter(is_bot=False, is_staff=False)
    return people.filter(username_key=name_key(name)).first()


def other_player(player: Player, name: str) -> Player:
    """Another person, also one who cannot play: existing arrangements with them can be ended."""
    person = named(name)
    if person is None or person == player:
        raise _nobody()
    return person


def reachable(player: Player, name: str, now: datetime) -> Player:
    """Another person with whom something can be arranged.

    A player who is blocked by them gets the same answer as for a name that no player has.
    """
    person = other_player(player, name)
    admission.require(admission.Request(admission.Occasion.MEET, player, now))
    if person.pk not in shown_to_others([person.pk], now) or blocks(person, player):
        raise _nobody()
    if blocks(player, person):
        raise Refused("blocked", _n("You have blocked this player; unblock them first."))
    return person


def blocks(player: Player, blocked: Player) -> bool:
    return Block.objects.filter(player=player, blocked=blocked).exists()


def hold(*players: Player) -> None:
    """Lock the rows of these players, by ascending number, until the transaction ends.

    So concurrent arrangements of two players have one order.
    """
    rows = Player.objects.filter(pk__in=[player.pk for player in players]).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


def _nobody() -> Refused:
    return Refused("no_such_player", _n("There is no player of that name."))


NOTES_MAX: Final = 500


def write_note(player: Player, name: str, typed: str, now: datetime) -> None:
    """Write a note on a player in place of an earlier one; an empty note deletes it."""
    about = other_player(player, name)
    text = one_line(typed[: NOTE_MAX * 10])
    if len(text) > NOTE_MAX:
        raise Unreadable("note_long", _n("A note has at most {most} characters."), most=NOTE_MAX)
    with transaction.atomic():
        hold(player)
        notes = PlayerNote.objects.filter(player=player)
        if not text:
            notes.filter(about=about).delete()
            return
        if notes.exclude(about=about).count() >= NOTES_MAX:
            raise Refused("notes_many", _n("You can keep at most {most} notes."), most=NOTES_MAX)
        notes.update_or_create(
            player=player, about=about, defaults={"text": text, "written_at": now}
        )


def note_on(player: Player, about: Player) -> str:
    """Return a player's note about another, or nothing."""
    notes = PlayerNote.objects.filter(player=player, about=about)
    return notes.values_list("text", flat=True).first() or ""


def notes_of(player: Player) -> list[PlayerNote]:
    """All notes of a player, by the names of those whom they are about."""
    notes = PlayerNote.objects.filter(player=player).select_related("about")
    return list(notes.order_by("about__username_key"))


FOLLOWED_MAX: Final = 200


def follow(player: Player, name: str, now: datetime) -> None:
    """Follow a player; a second time changes nothing."""
    with transaction.atomic():
        other = other_player(player, name)
        hold(player, other)
        reachable(player, name, now)
        rows = Follow.objects.filter(player=player)
        if not rows.filter(followed=other).exists():
            if rows.count() >= FOLLOWED_MAX:
                raise Refused(
                    "followed_many",
                    _n("You can follow at most {most} players."),
                    most=FOLLOWED_MAX,
                )
            Follow.objects.create(player=player, followed=other, made_at=now)


def unfollow(player: Player, name: str) -> None:
    Follow.objects.filter(player=player, followed=other_player(player, name)).delete()


def is_following(player: Player, other: Player) -> bool:
    return Follow.objects.filter(player=player, followed=other).exists()


def followed_by(player: Player) -> list[Player]:
    """Those whom a player follows, by name."""
    rows = Follow.objects.filter(player=player).select_related("followed")
    return [row.followed for row in rows.order_by("followed__username_key")]


FRIENDS_MAX: Final = 200
# How many players one has asked who have not answered yet.
REQUESTS_MAX: Final = 20
ASKING: Final = Query(lambda player: Friendship.objects.filter(receiver=player, accepted_at=None))


class Circle(NamedTuple):
    """The friends of a player, and those who have asked or been asked."""

    friends: Sequence[Player]
    ask_me: Sequence[Player]
    awaited: Sequence[Player]


def ask(player: Player, name: str, now: datetime) -> None:
    """Ask a player to be friends; if they have asked already, this accepts."""
    with transaction.atomic():
        other = other_player(player, name)
        hold(player, other)
        reachable(player, name, now)
        row = between(player, other).first()
        if row is None:
            _require_room(player)
            if Friendship.objects.filter(sender=player, accepted_at=None).count() >= REQUESTS_MAX:
                raise Refused(
                    "requests_many",
                    _n("{most} players have not answered you yet; wait for some of them."),
                    most=REQUESTS_MAX,
                )
            Friendship.objects.create(sender=player, receiver=other, made_at=now)
        elif row.receiver_id == player.pk:
            _accept(row, now)


def accept(player: Player, name: str, now: datetime) -> None:
    """Become friends with a player who has asked; a second time changes nothing."""
    with transaction.atomic():
        other = other_player(player, name)
        hold(player, other)
        row = Friendship.objects.filter(sender=other, receiver=player).first()
        if row is None:
            raise Refused("not_asked", _n("This player no longer asks to be your friend."))
        _accept(row, now)


def _accept(row: Friendship, now: datetime) -> None:
    if row.accepted_at is None:
        _require_room(row.receiver)
        _require_room(row.sender)
        row.accepted_at = now
        row.save(update_fields=["accepted_at"])


def _require_room(player: Player) -> None:
    if of(player).count() >= FRIENDS_MAX:
        raise Refused(
            "friends_many", _n("You can have at most {most} friends here."), most=FRIENDS_MAX
        )


def end(player: Player, name: str) -> None:
    """End a friendship, decline one, or withdraw what one has asked."""
    other = other_player(player, name)
    with transaction.atomic():
        hold(player, other)
        part(player, other)


def part(player: Player, other: Player) -> None:
    """Delete what is between two players, with the invitations of one to the other."""
    between(player, other).delete()
    for host, friend in ((player, other), (other, player)):
        TableInvitation.objects.filter(table__opened_by=host, friend=friend).delete()


def between(player: Player, other: Player) -> QuerySet[Friendship]:
    """The friendship of two players, accepted or not, from either side."""
    return Friendship.objects.filter(
        Q(sender=player, receiver=other) | Q(sender=other, receiver=player)
    )


def of(player: Player) -> QuerySet[Friendship]:
    """The friendships of a player that were accepted."""
    mine = Friendship.objects.filter(Q(sender=player) | Q(receiver=player))
    return mine.filter(accepted_at__isnull=False)


def reads(player: Player) -> list[Read]:
    """The query of the number of waiting requests."""
    return [(ASKING, (player.pk,))]


def waiting(player: Player) -> int:
    """Return how many requests a player has not answered; every page says it."""
    return len(ASKING(player.pk))


def are_friends(player: Player, other: Player) -> bool:
    return between(player, other).filter(accepted_at__isnull=False).exists()


OF_PLAYER: Final = Query(
    lambda player: Friendship.objects.filter(Q(sender=player) | Q(receiver=player)).select_related(
        "sender", "receiver"
    )
)


def circle(player: Player) -> Circle:
    """All of them by name, in one query."""
    friends: list[Player] = []
    ask_me: list[Player] = []
    awaited: list[Player] = []
    for row in OF_PLAYER(player.pk):
        is_mine = row.sender_id == player.pk
        other = row.receiver if is_mine else row.sender
        (friends if row.accepted_at else awaited if is_mine else ask_me).append(other)
    return Circle(*(sorted(some, key=_by_name) for some in (friends, ask_me, awaited)))


def _by_name(player: Player) -> str:
    return str(player.username_key)


BLOCKED_MAX: Final = 500


def block(player: Player, name: str, now: datetime) -> None:
    """Block a player, of any kind; a second time changes nothing."""
    other = other_player(player, name)
    with transaction.atomic():
        hold(player, other)
        rows = Block.objects.filter(player=player)
        if not rows.filter(blocked=other).exists():
            if rows.count() >= BLOCKED_MAX:
                raise Refused(
                    "blocked_many", _n("You can block at most {most} players."), most=BLOCKED_MAX
                )
            Block.objects.create(player=player, blocked=other, made_at=now)
        part(player, other)
        Follow.objects.filter(
            Q(player=player, followed=other) | Q(player=other, followed=player)
        ).delete()


def unblock(player: Player, name: str) -> None:
    Block.objects.filter(player=player, blocked=other_player(player, name)).delete()


def blocked_by(player: Player) -> list[Player]:
    """Those whom a player has blocked, by name."""
    rows = Block.objects.filter(player=player).select_related("blocked")
    return [row.blocked for row in rows.order_by("blocked__username_key")]


def apart(player_id: int, others: Collection[int]) -> set[int]:
    """Of these players, those whom this one has blocked or who have blocked them."""
    pairs = Block.objects.filter(
        Q(player=player_id, blocked__in=others) | Q(blocked=player_id, player__in=others)
    )
    return {
        blocked if blocker == player_id else blocker
        for blocker, blocked in pairs.values_list("player_id", "blocked_id")
    }


def unheard(reader: int) -> QuerySet[Any, object]:
    return Block.objects.filter(player=reader).values("blocked")
