"""Sentences that once read like translations are gone from the code and from the catalogues."""

from typing import Final

import polib
import pytest

from casino.extraction import LANGUAGES, LOCALE

# What a sentence said, and what is said in its place.
SAID_BETTER: Final = {
    "do not belong together": "Wrong name or password.",
    "more than we can do": "Too many requests; try again in {seconds} second.",
    "cannot reach its books": "The database is unavailable; nothing was lost",
    "buys in for the least": "The minimum buy-in is below the stack needed to play.",
    "Nothing to better": "Every decision matched the strategy.",
    "as far as the purse of": "only {paid} of {due} paid: {seat} has no more chips",
    "of the bonus of": (
        "{share_bp} of {seat}'s {stake} bonus bet on box {box} goes to the {target} pool"
    ),
    "do not come to nothing": "All accounts in {subject} together do not sum to zero.",
    "hit waits": "That pool has not been hit.",
    "a foul, which costs": "Foul: {reason} It loses every row.",
    "Sit on": "Take a seat",
    "in the usual manner": "Standard rules",
    "Go on": "Back to the table",
    "Trustee": "Auto-play",
    "Let the house play": "Auto-play",
    "{amount} a point": "{amount} {currency} a point",
}
# The glossary has other words for these. The ledger has one posting's reason in the old words.
NOT_ENGLISH: Final = (
    "taken back",
    "given back",
    "out of sight",
    "purse",
    "stands twice",
    "Whoever ",
)
KEPT: Final = "seat given up: out of sight for too long"
# What players of Chinese do not say, and second words for one thing.
NOT_CHINESE: Final = (
    *("重放", "代打", "无佣金", "無佣金", "带一张单牌", "帶一張單牌", "拖拉"),
    *("奖励牌", "獎勵牌", "有佣金", "托管款", "託管款", "本馆", "本館", "抽空", "比赛筹码"),
    *("審計", "超級用戶", "逾時", "數據"),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogues_hold_the_better_sentences(language: str) -> None:
    entries = polib.pofile(str(LOCALE / language / "LC_MESSAGES" / "django.po"))
    sentences = {entry.msgid for entry in entries}
    for old, new in SAID_BETTER.items():
        assert new in sentences
        assert [one for one in sentences if one.startswith(old) or f" {old}" in one] == []


def test_one_thing_has_one_word() -> None:
    entries = polib.pofile(str(LOCALE / LANGUAGES[0] / "LC_MESSAGES" / "django.po"))
    sentences = {entry.msgid for entry in entries} - {KEPT}
    assert [one for one in sentences if any(word in one for word in NOT_ENGLISH)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_chinese_is_what_players_say(language: str) -> None:
    entries = polib.pofile(str(LOCALE / language / "LC_MESSAGES" / "django.po"))
    texts = [text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())]
    assert [text for text in texts if any(word in text for word in NOT_CHINESE)] == []
