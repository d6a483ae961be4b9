"""What of a hand nobody may know yet moves out of the plain columns.

Of hands that run: their draws, which are made from the shoe from now on, and the actions that name
cards. Of every hand played for a mystery prize whose trigger is closed: what its pool lacked.
"""

from json import dumps

from django.db import migrations, models
from wallets.encryption import seal

CHUNK = 200
DRAWN = ("wild", "bonus_card", "wheel_card", "wheel", "lucky_card", "lucky_game")
LAID_DOWN = {"do": "arrange", "front": [None] * 3, "middle": [None] * 5, "back": [None] * 5}
FILLED_TO = 256


def sealed(values):
    text = dumps(values, separators=(",", ":")).encode()
    return seal(text.ljust(-(-len(text) // FILLED_TO) * FILLED_TO))


def hide(apps, _editor):
    """Done twice it is done once: what has been sealed is not found again."""
    hands, moves = apps.get_model("games", "Hand"), apps.get_model("games", "Move")
    for hand in hands.objects.filter(status="live"):
        _without_draws(hand)
        # A play lies on the table. Sealing too much does no harm: the end of the hand opens it.
        for move in moves.objects.filter(hand=hand, sealed_action="").order_by("number"):
            if "arrange" == move.action["do"] or move.action["do"] != "play" and _cards_in(move):
                move.sealed_action = sealed(move.action)
                move.action = _redacted(move.action)
                move.save(update_fields=["action", "sealed_action"])
    played = hands.objects.filter(jackpots__has_key="mystery", context__has_key="mystery_left")
    opened = _last_opened(apps)
    for hand in played.order_by("pk").iterator(chunk_size=CHUNK):
        if hand.status == "live" or hand.pk > opened.get(hand.jackpots["mystery"], 0):
            left = hand.context.pop("mystery_left")
            hand.sealed_context = sealed({"mystery_left": left})
            hand.save(update_fields=["context", "sealed_context"])


def _without_draws(hand):
    hand.context = {name: value for name, value in hand.context.items() if name not in DRAWN}
    hand.draws = []
    hand.save(update_fields=["context", "draws"])


def _cards_in(move):
    return isinstance(move.action.get("cards"), list)


def _redacted(action):
    if action["do"] == "arrange":
        return LAID_DOWN
    return action | {"cards": [None] * len(action["cards"])}


def _last_opened(apps):
    """The last hand that brought each jackpot's prize down: triggers of hands before are open."""
    found = apps.get_model("wallets", "Trigger").objects.exclude(opened_at=None)
    last = {}
    for jackpot, reference in found.values_list("jackpot_id", "reference"):
        kind, _colon, number = reference.partition(":")
        if kind == "hand" and number.isdecimal():
            last[jackpot] = max(last.get(jackpot, 0), int(number))
    return last


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_links_taken_back_by_the_house"),
        ("wallets", "0003_door"),
    ]

    operations = [
        migrations.AddField(
            "hand",
            "sealed_context",
            models.TextField(blank=True, db_default="", default="", editable=False),
        ),
        migrations.AddField(
            "move",
            "sealed_action",
            models.TextField(blank=True, db_default="", default="", editable=False),
        ),
        migrations.AddIndex(
            "move",
            models.Index(
                fields=["id"],
                name="moves_sealed",
                condition=models.Q(("sealed_action", ""), _negated=True),
            ),
        ),
        migrations.RunPython(hide, migrations.RunPython.noop),
    ]
