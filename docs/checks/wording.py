"""Sentences that players and staff read: no word that the glossary replaced by another."""

from collections.abc import Iterator
from typing import Final

from casino.ops.extraction import LANGUAGES
from docs.checks.translations import entries, path_of
from docs.checks.tree import Finding, Tree

# Other words are used for these; the ledger has one posting's reason in the old words.
NOT_ENGLISH: Final = (
    *("taken back", "given back", "out of sight", "purse", "stands twice", "Whoever "),
    *("do not belong together", "more than we can do", "cannot reach its books", "Trustee"),
    *("Nothing to better", "do not come to nothing", "hit waits", "in the usual manner"),
    *("Sit on", "Go on", "Let the house play", "{amount} a point"),
)
KEPT: Final = "seat given up: out of sight for too long"
# What players of Chinese do not say, and second words for one thing.
NOT_CHINESE: Final = (
    *("重放", "代打", "无佣金", "無佣金", "带一张单牌", "帶一張單牌", "拖拉"),
    *("奖励牌", "獎勵牌", "有佣金", "托管款", "託管款", "本馆", "本館", "抽空", "比赛筹码"),
    *("審計", "超級用戶", "逾時", "數據"),
    # Players are addressed as 你; cards, rooms and currencies have the names that apps give them.
    *("您", "火箭", "反春天", "辗过", "輾過", "好友局", "娱乐币", "娛樂幣", "马上玩", "馬上玩"),
    *("PLAY", "职务", "職務", "紧急停牌", "緊急停牌", "抽簽", "日歷", "默認", "存儲", "後台進程"),
)


def english(tree: Tree) -> Iterator[Finding]:
    path = path_of(LANGUAGES[0])
    for entry in entries(tree, LANGUAGES[0]):
        for word in NOT_ENGLISH:
            # Where a word of the list begins with a capital, it begins a sentence.
            found = entry.msgid.startswith(word) if word[0].isupper() else word in entry.msgid
            if found and entry.msgid != KEPT:
                yield Finding(path, entry.linenum, f"Another word is used for {word!r}.")


def chinese(tree: Tree) -> Iterator[Finding]:
    for language in LANGUAGES:
        for entry in entries(tree, language):
            for text in (entry.msgstr, *entry.msgstr_plural.values()):
                for word in NOT_CHINESE:
                    if word in text:
                        yield Finding(
                            path_of(language), entry.linenum, f"Players do not say {word}."
                        )
