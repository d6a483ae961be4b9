"""The sentences of settlement lines."""

from games.rules.messages import sentence
from games.rules.settlement import Line


def test_a_sentence_names_who_pays_whom_and_why() -> None:
    line = Line("call", 2, 1, 300, {"points": 3, "point": 100})
    assert sentence(line) == "1 wins the call of 3 from 2, at 100 a point"
